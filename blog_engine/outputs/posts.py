"""Outputs of posts and of writes."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, Protocol, Self

from pydantic import ConfigDict, Field

from blog_engine.enums import (
    ApprovalKind,
    AuthorType,
    BodyFormat,
    EntryType,
    Label,
    PostStatus,
    Provenance,
    ReviewState,
    SourceTypeFrom,
)
from blog_engine.models import Post
from blog_engine.outputs.base import AnswerContext, Output, UTCSeconds
from blog_engine.outputs.differences import shown_difference
from blog_engine.queries.post_lists import ListedPost
from blog_engine.queries.posts import tag_names
from blog_engine.queries.previews import preview_token
from blog_engine.queries.records import Listed
from blog_engine.rules.approvals import lacks_approval
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


class TranslationObject(Output):
    """A version of the post in another language; ``language`` is empty for that of the blog."""

    id: int
    slug: str
    language: str
    status: PostStatus


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
    credit: str
    digital_source_type: str | None
    source_type_from: SourceTypeFrom | None


class FaqObject(Output):
    """One question and its answer, as stored."""

    question: str
    answer: str


class UnderReview(Protocol):
    """The columns of a post, or of a row of a list, that say whose turn its review is."""

    @property
    def review_requested_by(self) -> str | None: ...
    @property
    def review_requested_at(self) -> datetime | None: ...
    @property
    def review_asked_name(self) -> str: ...
    @property
    def review_returned_by(self) -> str | None: ...
    @property
    def review_returned_at(self) -> datetime | None: ...
    @property
    def open_remarks(self) -> int: ...


class ReviewObject(Output):
    """The state of the review of a post, and the number of open remarks (reviews.object)."""

    state: ReviewState | None
    requested_by: str | None
    requested_at: UTCSeconds | None
    asked: str | None
    returned_by: str | None
    returned_at: UTCSeconds | None
    open_remarks: int

    @classmethod
    def of(cls, post: UnderReview) -> "ReviewObject | None":
        """Return the review of a post, ``None`` if nothing was asked, sent back or remarked."""
        state = None
        if post.review_requested_at is not None:
            state = ReviewState.REQUESTED
        elif post.review_returned_at is not None:
            state = ReviewState.RETURNED
        if state is None and not post.open_remarks:
            return None
        return cls(
            state=state,
            requested_by=post.review_requested_by,
            requested_at=post.review_requested_at,
            asked=post.review_asked_name or None,
            returned_by=post.review_returned_by,
            returned_at=post.review_returned_at,
            open_remarks=post.open_remarks,
        )


class PostCard(Output):
    """The fields of every object of a post."""

    id: int
    slug: str
    url: str
    status: PostStatus
    title: str
    description: str
    language: str
    author: EmbeddedAuthor
    coauthors: list[EmbeddedAuthor]
    category: EmbeddedCategory | None
    tags: list[str]
    published_at: UTCSeconds | None
    modified_at: UTCSeconds | None
    revision_identifier: str = Field(validation_alias="current_revision_identifier")
    label: Label
    review: ReviewObject | None


class ListedCard(PostCard):
    """A post in a list, and what has to be done about it."""

    publish_at: UTCSeconds | None
    open_findings: int | None
    approval_missing: bool
    version: int
    passage: str | None

    @classmethod
    def of_row(
        cls, post: ListedPost, context: AnswerContext, *, author: EmbeddedAuthor, open_findings: int | None
    ) -> Self:
        """Return the card of a listed post with the number of its findings, ``None`` if it is not known."""
        return cls.from_attributes(
            post,
            author=author,
            url=context.urls.post_url(post.slug),
            label=_label(post, context),
            review=ReviewObject.of(post),
            open_findings=open_findings,
            approval_missing=lacks_approval(post, is_reviewed=post.is_reviewed),
        )


def _body_is_optional(schema: dict[str, Any]) -> None:
    schema["required"].remove("body")


class AnsweredPost(PostCard):
    """A post with all its fields, except that the answer to a write can leave out the body."""

    model_config = ConfigDict(json_schema_extra=_body_is_optional)

    search_title: str
    search_description: str
    body_format: BodyFormat
    body: str
    series: EmbeddedSeries | None
    featured: bool
    canonical_url: str | None
    noindex: bool
    expires_at: UTCSeconds | None
    translations: list[TranslationObject]
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
    revision_approved: bool = Field(validation_alias="is_reviewed")
    preview_url: str | None
    reading_time_minutes: int
    word_count: int
    body_length: int
    created_at: UTCSeconds
    updated_at: UTCSeconds
    version: int

    @classmethod
    def of(cls, post: Post, context: AnswerContext, *, is_stored: bool = True) -> Self:
        """Return all fields of a post read by ``queries.posts.read_post``; one that is not stored has no preview."""
        series = post.series and EmbeddedSeries.from_attributes(post.series, position=post.series_position)
        return cls.from_attributes(
            post,
            url=context.urls.post_url(post.slug),
            tags=tag_names(post),
            label=_label(post, context),
            review=ReviewObject.of(post),
            series=series,
            faq=list(post.faqs.all()),
            coauthors=[named.author for named in post.coauthors],
            translations=list(post.translations),
            preview_url=_preview_url(post, context) if is_stored else None,
            body_length=len(post.body),
        )


class FullPost(AnsweredPost):
    """A post with all its fields."""

    model_config = ConfigDict(json_schema_extra=None)


class SectionHeading(Output):
    """A heading of a body, and the characters of its section."""

    level: int
    id: str
    text: str
    length: int | None


class SectionText(SectionHeading):
    """A section of a body with its source."""

    body: str


_ALWAYS_LISTED: Final = ("id", "version")
ALWAYS_READ: Final = ("id", "revision_identifier", "version")
"""Keys that a later write can send back."""


def _only_these_are_required(schema: dict[str, Any], model: type[Output]) -> None:
    always = _ALWAYS_LISTED if issubclass(model, ListedCard) else ALWAYS_READ
    schema["required"] = list(always)


class PostParts(AnsweredPost):
    """The parts of a post that were asked for."""

    model_config = ConfigDict(json_schema_extra=_only_these_are_required)

    outline: list[SectionHeading]
    section: SectionText

    @classmethod
    def of_post(cls, post: FullPost, names: Iterable[str], **parts: object) -> "PostParts":
        """Return these keys of a post, those of ``ALWAYS_READ``, and ``outline`` and ``section`` if they are given."""
        wanted = {*names, *ALWAYS_READ}
        return cls.with_keys({name: value for name, value in vars(post).items() if name in wanted} | parts)


class PostList(Output):
    """One page of post cards."""

    posts: list[ListedCard]
    page: int
    per_page: int
    total: int
    next_cursor: str | None

    @classmethod
    def of(
        cls, listed: Listed[ListedPost], context: AnswerContext, *, findings: Mapping[int, Mapping[str, int]]
    ) -> "PostList":
        """Return the cards of a page of posts, with the numbers of findings by post and code as far as known."""
        known = {post_id: sum(numbers.values()) for post_id, numbers in findings.items()}
        authors = {author: EmbeddedAuthor.from_attributes(author) for author in {post.author for post in listed.rows}}
        cards = [
            ListedCard.of_row(post, context, author=authors[post.author], open_findings=known.get(post.id))
            for post in listed.rows
        ]
        return cls.with_keys({"posts": cards, **listed.place})


class CardParts(ListedCard):
    """The parts of a card that were asked for; ``finding_codes`` are those of ``open_findings``."""

    finding_codes: list[str] | None

    model_config = ConfigDict(json_schema_extra=_only_these_are_required)


class PostPartsList(Output):
    """One page of parts of post cards."""

    posts: list[CardParts]
    page: int
    per_page: int
    total: int
    next_cursor: str | None

    @classmethod
    def of_list(cls, whole: PostList, names: Iterable[str], *, codes: Mapping[int, Sequence[str]]) -> "PostPartsList":
        """Return the page with these keys of each card, and ``id`` and ``version``; ``codes`` are those of findings."""
        wanted = {*names, *_ALWAYS_LISTED}
        values = (vars(card) | {"finding_codes": codes.get(card.id)} for card in whole.posts)
        cards = [CardParts.with_keys({name: one[name] for name in one if name in wanted}) for one in values]
        return cls.with_keys(vars(whole) | {"posts": cards})


class Preview(Output):
    """A signed link to content that is not public yet."""

    preview_url: str
    review_url: str | None
    """The page of the desk at which a person reviews it; ``None`` if the desk has no URLs."""
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
    """The history records that a write made."""

    revision: Literal["new", "same"] | None
    publication: EntryType | None
    approval: ApprovalKind | None


class MadeRedirectObject(Output):
    """A redirect that a write made; the path is gone while ``new_path`` is null."""

    old_path: str
    new_path: str | None


class AboutPost(Output):
    """An answer about a post."""

    post: AnsweredPost
    changed: tuple[str, ...] = Field((), exclude=True)
    """Names of the fields that the write changed, for a short answer."""

    def without_body(self) -> Self:
        """Return the answer without the body of its post."""
        kept = {name: value for name, value in vars(self.post).items() if name != "body"}
        return self.with_keys(vars(self) | {"post": AnsweredPost.with_keys(kept)})


class WriteEnvelope(AboutPost):
    """The post as a write left it, and what the write recorded."""

    created: bool
    records: RecordsMade
    label: Label
    findings: list[FindingObject]
    redirects: list[MadeRedirectObject] = Field(validation_alias="redirected")

    @classmethod
    def of(cls, written: Written, context: AnswerContext) -> "WriteEnvelope":
        """Return the answer to a write."""
        return cls.from_attributes(written, post=FullPost.of(written.post, context))


class DryRun(WriteEnvelope):
    """The answer of a dry run, with the difference that the write makes to the post."""

    dry_run: bool
    deleted: bool = Field(validation_alias="is_deleted")
    difference: str
    truncated: bool

    @classmethod
    def of(cls, written: Written, context: AnswerContext) -> "DryRun":
        """Return the answer to a dry run."""
        difference, is_cut = shown_difference(*written.compared, names=written.compared_as, by_words=context.by_words)
        post = FullPost.of(written.post, context, is_stored=False)
        return cls.from_attributes(written, post=post, difference=difference, truncated=is_cut)


class AdoptionRecords(RecordsMade):
    """The history records that an adoption made, and the number of redirects from former URLs that it stored."""

    baseline: Literal["new", "replaced"] | None
    redirects: int


class Adoption(AboutPost):
    """An adopted article, or with ``dry_run`` what it would be."""

    created: bool
    records: AdoptionRecords
    findings: list[FindingObject]
    redirects: list[MadeRedirectObject] = Field(validation_alias="redirected")
    dry_run: bool

    @classmethod
    def of(cls, adopted: Adopted, context: AnswerContext) -> "Adoption":
        """Return the answer to an adoption."""
        records = AdoptionRecords.from_attributes(
            adopted.records, baseline=adopted.baseline, redirects=adopted.redirects
        )
        return cls.from_attributes(adopted, post=FullPost.of(adopted.post, context), records=records)
