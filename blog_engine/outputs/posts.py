"""Outputs of posts and of writes."""

from typing import Literal

from pydantic import Field

from blog_engine.enums import ApprovalKind, AuthorType, BodyFormat, EntryType, Label, PostStatus, Provenance
from blog_engine.models import Post
from blog_engine.outputs.base import AnswerContext, Output, UTCSeconds
from blog_engine.queries.post_lists import ListedPost
from blog_engine.queries.posts import tag_names
from blog_engine.queries.previews import preview_token
from blog_engine.queries.records import Listed
from blog_engine.rules.label import Labelled, label_of
from blog_engine.services import Adopted, Written


class EmbeddedAuthor(Output):
    """The author as stored now; the byline of a revision may be older."""

    id: int
    name: str
    slug: str
    type: AuthorType
    url: str | None


class EmbeddedCategory(Output):
    """The category of a post."""

    id: int
    name: str
    slug: str


class EmbeddedSeries(Output):
    """The series of a post, and the position of the post in it."""

    id: int
    name: str
    slug: str
    position: int | None


class ImageObject(Output):
    """A stored image; ``url`` is a path."""

    image_id: int = Field(validation_alias="id")
    url: str
    sha256: str
    filename: str
    content_type: str
    byte_size: int
    width: int
    height: int


class FaqObject(Output):
    """One question and its answer, as stored."""

    question: str
    answer: str


class PostCard(Output):
    """A post in a list."""

    id: int
    slug: str
    url: str
    status: PostStatus
    title: str
    description: str
    author: EmbeddedAuthor
    category: EmbeddedCategory | None
    tags: list[str]
    published_at: UTCSeconds | None
    modified_at: UTCSeconds | None
    revision_identifier: str = Field(validation_alias="current_revision_identifier")
    label: Label

    @classmethod
    def of_row(cls, post: ListedPost, context: AnswerContext) -> "PostCard":
        """Return the card of a listed post."""
        return cls.from_attributes(post, url=context.urls.post_url(post.slug), label=_label(post, context))


class FullPost(PostCard):
    """A post with all its fields; built from a post read by ``queries.posts.read_post``."""

    search_title: str
    search_description: str
    body_format: BodyFormat
    body: str
    series: EmbeddedSeries | None
    featured: bool
    canonical_url: str | None
    cover_image: ImageObject | None
    cover_alt: str
    social_image: ImageObject | None
    faq: list[FaqObject]
    provenance: Provenance
    provenance_evidence: str | None
    external_id: str | None
    publish_at: UTCSeconds | None
    public_revision_identifier: str | None
    approved: bool = Field(validation_alias="is_approved")
    preview_url: str | None
    reading_time_minutes: int
    word_count: int
    created_at: UTCSeconds
    updated_at: UTCSeconds

    @classmethod
    def of(cls, post: Post, context: AnswerContext) -> "FullPost":
        """Return all fields of a post."""
        series = post.series and EmbeddedSeries.from_attributes(post.series, position=post.series_position)
        return cls.from_attributes(
            post,
            url=context.urls.post_url(post.slug),
            tags=tag_names(post),
            label=_label(post, context),
            series=series,
            faq=list(post.faqs.all()),
            preview_url=_preview_url(post, context),
        )


class PostList(Output):
    """One page of post cards."""

    posts: list[PostCard]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[ListedPost], context: AnswerContext) -> "PostList":
        """Return the cards of a page of posts."""
        return cls(posts=[PostCard.of_row(post, context) for post in listed.rows], **listed.place)


class Preview(Output):
    """A signed link to content that is not public yet."""

    preview_url: str
    revision_identifier: str
    expires_at: UTCSeconds


def _label(post: Labelled, context: AnswerContext) -> Label:
    return label_of(post, has_responsible_party=context.has_responsible_party)


def _preview_url(post: Post, context: AnswerContext) -> str | None:
    preview = preview_token(post, now=context.now)
    return context.urls.preview_url(preview.token) if preview else None


class FindingObject(Output):
    """A piece of advice."""

    code: str
    rule: str | None
    message: str
    location: str | None


class FindingList(Output):
    """The findings of a stored post."""

    findings: list[FindingObject]


class RecordsMade(Output):
    """Which history records a write made."""

    revision: Literal["new", "same"] | None
    publication: EntryType | None
    approval: ApprovalKind | None


class WriteEnvelope(Output):
    """The post as a write left it, and what the write recorded."""

    post: FullPost
    created: bool
    records: RecordsMade
    label: Label
    findings: list[FindingObject]

    @classmethod
    def of(cls, written: Written, context: AnswerContext) -> "WriteEnvelope":
        """Return the answer to a write."""
        return cls.from_attributes(written, post=FullPost.of(written.post, context))


class AdoptionRecords(RecordsMade):
    """Which history records an adoption made, and how many redirects from former URLs it stored."""

    baseline: Literal["new", "replaced"] | None
    redirects: int


class Adoption(Output):
    """An adopted article, or with ``dry_run`` what it would be."""

    post: FullPost
    created: bool
    records: AdoptionRecords
    findings: list[FindingObject]
    dry_run: bool

    @classmethod
    def of(cls, adopted: Adopted, context: AnswerContext) -> "Adoption":
        """Return the answer to an adoption."""
        records = AdoptionRecords.from_attributes(
            adopted.records, baseline=adopted.baseline, redirects=adopted.redirects
        )
        return cls.from_attributes(adopted, post=FullPost.of(adopted.post, context), records=records)
