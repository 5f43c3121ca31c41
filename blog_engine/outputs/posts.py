"""Outputs of posts and of writes."""

from typing import Any, Literal

from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ApprovalKind, AuthorType, BodyFormat, EntryType, Label, PostStatus, Provenance
from blog_engine.models import Author, Category, Image, Post
from blog_engine.outputs.base import AnswerContext, Instant, Output, seconds_or_none, to_seconds
from blog_engine.queries.findings import Finding
from blog_engine.queries.labels import label_of
from blog_engine.queries.posts import tag_names
from blog_engine.queries.previews import preview_token
from blog_engine.queries.records import Listed
from blog_engine.services import Adopted, Recorded, Written


class EmbeddedAuthor(Output):
    """The author record as it is now; the byline of the post may be older (records.md 4)."""

    id: int
    name: str
    slug: str
    type: AuthorType
    url: str | None

    @classmethod
    def of(cls, author: Author) -> "EmbeddedAuthor":
        return cls(id=author.pk, name=author.name, slug=author.slug, type=AuthorType(author.type), url=author.url)


class EmbeddedCategory(Output):
    """The category a post is filed under."""

    id: int
    name: str
    slug: str

    @classmethod
    def of(cls, category: Category | None) -> "EmbeddedCategory | None":
        return cls(id=category.pk, name=category.name, slug=category.slug) if category else None


class EmbeddedSeries(Output):
    """The series of a post and its place there."""

    id: int
    name: str
    slug: str
    position: int | None

    @classmethod
    def of(cls, post: Post) -> "EmbeddedSeries | None":
        series = post.series
        if series is None:
            return None
        return cls(id=series.pk, name=series.name, slug=series.slug, position=post.series_position)


class ImageObject(Output):
    """A stored image; ``url`` is a path (records.md 7)."""

    image_id: int
    url: str
    sha256: str
    filename: str
    content_type: str
    byte_size: int
    width: int
    height: int

    @classmethod
    def of(cls, image: Image, addresses: BlogURLs) -> "ImageObject":
        return cls(
            image_id=image.pk,
            url=addresses.media_path(image.sha256, image.filename),
            sha256=image.sha256,
            filename=image.filename,
            content_type=image.content_type,
            byte_size=image.byte_size,
            width=image.width,
            height=image.height,
        )


class FaqObject(Output):
    """One question and answer, as stored."""

    question: str
    answer: str


class PostCard(Output):
    """A post in a list; built from posts read by ``queries.posts.cards``."""

    id: int
    slug: str
    url: str
    status: PostStatus
    title: str
    description: str
    author: EmbeddedAuthor
    category: EmbeddedCategory | None
    tags: list[str]
    published_at: Instant | None
    modified_at: Instant | None
    revision_identifier: str
    label: Label

    @classmethod
    def of(cls, post: Post, context: AnswerContext) -> "PostCard":
        return cls(**_card_values(post, context))


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
    publish_at: Instant | None
    public_revision_identifier: str | None
    approved: bool
    preview_url: str | None
    reading_time_minutes: int
    word_count: int
    created_at: Instant
    updated_at: Instant

    @classmethod
    def of(cls, post: Post, context: AnswerContext) -> "FullPost":
        return cls(
            **_card_values(post, context),
            search_title=post.search_title,
            search_description=post.search_description,
            body_format=BodyFormat(post.body_format),
            body=post.body,
            series=EmbeddedSeries.of(post),
            featured=post.featured,
            canonical_url=post.canonical_url,
            cover_image=_image(post.cover_image, context),
            cover_alt=post.cover_alt,
            social_image=_image(post.social_image, context),
            faq=[FaqObject(question=row.question, answer=row.answer) for row in post.faqs.all()],
            provenance=Provenance(post.provenance),
            provenance_evidence=post.provenance_evidence,
            external_id=post.external_id,
            publish_at=seconds_or_none(post.publish_at),
            public_revision_identifier=post.public_revision.identifier if post.public_revision else None,
            approved=post.is_approved,
            preview_url=_preview_url(post, context),
            reading_time_minutes=post.reading_time_minutes,
            word_count=post.word_count,
            created_at=to_seconds(post.created_at),
            updated_at=to_seconds(post.updated_at),
        )


class PostList(Output):
    """One page of post cards."""

    posts: list[PostCard]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Post], context: AnswerContext) -> "PostList":
        return cls(posts=[PostCard.of(post, context) for post in listed.rows], **listed.place)


class Preview(Output):
    """A signed link to content that is not public yet."""

    preview_url: str
    revision_identifier: str
    expires_at: Instant


def _card_values(post: Post, context: AnswerContext) -> dict[str, Any]:
    return {
        "id": post.pk,
        "slug": post.slug,
        "url": context.addresses.post_url(post.slug),
        "status": PostStatus(post.status),
        "title": post.title,
        "description": post.description,
        "author": EmbeddedAuthor.of(post.author),
        "category": EmbeddedCategory.of(post.category),
        "tags": tag_names(post),
        "published_at": seconds_or_none(post.published_at),
        "modified_at": seconds_or_none(post.modified_at),
        "revision_identifier": post.current_revision_identifier,
        "label": label_of(post, has_responsible_party=context.has_responsible_party),
    }


def _image(image: Image | None, context: AnswerContext) -> ImageObject | None:
    return ImageObject.of(image, context.addresses) if image else None


def _preview_url(post: Post, context: AnswerContext) -> str | None:
    preview = preview_token(post, now=context.now)
    return context.addresses.preview_url(preview.token) if preview else None


class FindingObject(Output):
    """A piece of advice."""

    code: str
    rule: str | None
    message: str
    location: str | None

    @classmethod
    def of(cls, finding: Finding) -> "FindingObject":
        return cls(code=finding.code, rule=finding.rule, message=finding.message, location=finding.location)


class FindingList(Output):
    """The findings of a stored post."""

    findings: list[FindingObject]


class RecordsMade(Output):
    """Which audit records a write made."""

    revision: Literal["new", "same"] | None
    publication: EntryType | None
    approval: ApprovalKind | None

    @classmethod
    def of(cls, records: Recorded) -> "RecordsMade":
        return cls(revision=records.revision, publication=records.publication, approval=records.approval)


class WriteEnvelope(Output):
    """What a write left behind."""

    post: FullPost
    created: bool
    records: RecordsMade
    label: Label
    findings: list[FindingObject]

    @classmethod
    def of(cls, written: Written, context: AnswerContext) -> "WriteEnvelope":
        return cls(
            post=FullPost.of(written.post, context),
            created=written.created,
            records=RecordsMade.of(written.records),
            label=written.label,
            findings=[FindingObject.of(finding) for finding in written.findings],
        )


class AdoptionRecords(RecordsMade):
    """Which audit records an adoption made, and how many redirects from former addresses it wrote."""

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
        return cls(
            post=FullPost.of(adopted.post, context),
            created=adopted.created,
            records=AdoptionRecords(
                revision=adopted.records.revision,
                publication=adopted.records.publication,
                approval=adopted.records.approval,
                baseline=adopted.baseline,
                redirects=adopted.redirects,
            ),
            findings=[FindingObject.of(finding) for finding in adopted.findings],
            dry_run=adopted.dry_run,
        )
