"""Posts that wait for a review, and what their content is compared with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from blog_engine.actor import RecordedActor
from blog_engine.enums import ApprovalKind, PostStatus, ReviewReason
from blog_engine.models import Approval, DraftVersion, Post, Remark, Revision
from blog_engine.queries.compiled import RowCount
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.pagination import page_count
from blog_engine.queries.posts import reviewed
from blog_engine.queries.proposals import undecided_proposals
from blog_engine.queries.versions import PostVersion, draft_with
from blog_engine.rules.approvals import has_checked_facts

PER_PAGE: Final = 25
_LAST_REVIEWS: Final = 50


@dataclass(frozen=True, slots=True)
class QueuePage(DeskListPage):
    """A page of the posts that wait for one reason, the oldest first."""

    posts: list[Post]


@dataclass(frozen=True, slots=True)
class BlogNumbers:
    """The numbers of what waits in the blog, each at most ``MOST_LISTED + 1``, which means more."""

    reasons: dict[ReviewReason, int]
    """The posts that wait for each reason, the most urgent first."""
    drafts: int
    scheduled: int
    proposals: int


def blog_numbers() -> BlogNumbers:
    """Return how much waits in the blog, for the index of the desk; one query."""
    counted: dict[object, QuerySet[Any]] = {reason: _waiting_for(reason) for reason in ReviewReason}
    unpublished = [Post.objects.filter(status=status.value) for status in (PostStatus.DRAFT, PostStatus.SCHEDULED)]
    counted |= dict(zip(("drafts", "unreleased", "proposals"), [*unpublished, undecided_proposals()], strict=True))
    found = _numbers_of(counted)
    reasons = {reason: found[reason] for reason in ReviewReason}
    return BlogNumbers(reasons, found["drafts"], found["unreleased"], found["proposals"])


def waiting_counts(posts: QuerySet[Post] | None = None) -> dict[ReviewReason, int]:
    """Return how many posts, or how many of these, wait for each reason, the most urgent first; one query.

    A number is at most ``MOST_LISTED + 1``, which means that there are more than ``MOST_LISTED``.
    """
    return _numbers_of({reason: _waiting_for(reason, posts) for reason in ReviewReason})


_Key = TypeVar("_Key")


def _waiting_for(reason: ReviewReason, posts: QuerySet[Post] | None = None) -> QuerySet[Post]:
    return (Post.objects.all() if posts is None else posts).filter(review_reason=reason.value)


def _numbers_of(wanted: "Mapping[_Key, QuerySet[Any]]") -> dict[_Key, int]:
    """Count each set of rows no further than a list goes, so that the number of posts does not matter."""
    numbers = [RowCount(rows.order_by().values("pk")[: MOST_LISTED + 1]) for rows in wanted.values()]
    # A row to select them from; without any post there is nothing to count.
    row = next(iter(Post.objects.order_by().values_list(*numbers)[:1]), (0,) * len(numbers))
    return dict(zip(wanted, row, strict=True))


def waiting_posts(reason: ReviewReason, *, number: int, total: int, posts: QuerySet[Post] | None = None) -> QueuePage:
    """Return a page of the ``total`` posts that wait for a reason, or of these posts, or the last page; one query.

    The pages end after ``MOST_LISTED`` posts.
    """
    pages = page_count(min(total, MOST_LISTED), per_page=PER_PAGE)
    number = min(number, pages)
    waiting = _waiting_for(reason, posts).order_by("updated_at", "pk")
    columns = (
        *("title", "slug", "status", "author_name", "coauthor_names", "provenance", "publish_at", "updated_at"),
        *(
            "review_reason",
            "review_requested_by",
            "review_requested_at",
            "review_asked_name",
            "unrecorded_actor",
            "unrecorded_made_by_ai",
        ),
    )
    start = (number - 1) * PER_PAGE
    return QueuePage(number, pages, list(waiting.only(*columns)[start : start + PER_PAGE]))


@dataclass(frozen=True, slots=True)
class ReviewedContent:
    """The history of the content that is reviewed."""

    recorded: Revision | None
    """The revision of the present content, if it is recorded."""
    approvals: list[Approval]
    """The reviews of the present content, the newest first."""
    compared: Revision | None
    """The revision to compare it with: the last other one whose facts were checked, or else another public one."""
    known: PostVersion | None
    """A later version, which the person who reviews knows from the last time, if it is kept."""


def reviewed_content(post: Post, *, by: str, remarks: Iterable[Remark] = ()) -> ReviewedContent:
    """Return what the last reviews and the revisions say of the present content to the person ``by``.

    ``remarks`` are those on the post. Two queries.
    """
    present = post.current_revision_identifier
    approvals = Approval.objects.filter(post=post.pk).select_related("revision", "signature")
    approvals = approvals.defer("revision__payload")
    last = list(approvals.order_by("-id")[:_LAST_REVIEWS])
    checked = (one.revision_id for one in last if has_checked_facts(one) and one.revision.identifier != present)
    compared_id = next(checked, post.public_revision_id)
    read = _last_read(by, remarks, last)
    wanted = Q(identifier__in=(present, read), is_proposed=False)
    wanted = wanted | Q(pk=compared_id) if compared_id else wanted
    drafts = DraftVersion.objects.filter(post=post.pk, identifier=read).order_by("-saved_at", "-id")
    found = dict[int, Any]()
    # Content that is remembered on the post is not recorded, so that without another version there is nothing to find.
    if compared_id or post.unrecorded_actor is None or read in {one.revision.identifier for one in last}:
        of_draft = {"kept": Subquery(drafts.values("payload")[:1]), "kept_at": Subquery(drafts.values("saved_at")[:1])}
        rows = Revision.objects.filter(wanted, post=post.pk).annotate(**of_draft).order_by()
        found = {revision.pk: revision for revision in rows}
    recorded = next((revision for revision in found.values() if revision.identifier == present), None)
    compared = found.get(compared_id) if compared_id else None
    compared = None if compared is recorded else compared
    known = None
    if read not in {"", present, compared.identifier if compared else ""}:
        known = next((PostVersion.of_revision(one) for one in found.values() if one.identifier == read), None)
        kept = next(((one.kept, one.kept_at) for one in found.values() if one.kept is not None), None)
        if known is None and kept is not None:
            known = PostVersion(read, kept[0], None, None, kept[1], is_revision=False)
        elif not found:
            known = draft_with(post, read)
    is_later = known is not None and (
        compared is None or known.created_at is None or known.created_at > compared.created_at
    )
    return ReviewedContent(
        recorded=recorded,
        approvals=[one for one in last if one.revision.identifier == present],
        compared=compared,
        known=known if is_later else None,
    )


def _last_read(name: str, remarks: Iterable[Remark], approvals: Iterable[Approval]) -> str:
    """Return the identifier of the content that a person of this name signed, sent back or remarked on last."""
    said = ((one.written_at, one.revision_identifier) for one in remarks if one.actor == name)
    signed = ((one.approved_at, one.revision.identifier) for one in approvals if one.recorded_by == name)
    steps = sorted([*said, *signed])
    return steps[-1][1] if steps else ""


def posts_to_settle() -> list[int]:
    """Return the ids of the posts whose reason to wait may have changed with the approvals that count; one query.

    Those are the posts with an approval of checked facts, except those whose present content is approved and that do
    not wait, and those that an earlier version wrote.
    """
    checked = Approval.objects.filter(post=OuterRef("pk"), facts_checked=True)
    posts = Post.objects.filter(Exists(checked) | Q(approval_missing=None)).alias(is_settled=reviewed())
    return list(
        posts.exclude(is_settled=True, review_reason=None, approval_missing=False)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


class SentReview(Protocol):
    """A review that is to be recorded."""

    @property
    def name(self) -> str: ...
    @property
    def facts_checked(self) -> bool: ...
    @property
    def actor(self) -> RecordedActor: ...
    @property
    def signed(self) -> object: ...


def is_signed_since(revision: Revision, review: SentReview, *, since: datetime) -> bool:
    """Return whether the last approval of a revision by an actor is the same, and later than ``since``; one query.

    For a review that is signed with a passkey, an approval without one is another.
    """
    by_actor = review.actor.columns("recorded_by")
    sent = Approval.objects.filter(revision=revision.pk, kind=ApprovalKind.SENT, **by_actor)
    last = sent.select_related("signature").order_by("-id").first()
    if last is None or last.approved_at <= since or (review.signed is not None and not last.is_signed):
        return False
    return (last.reviewer_name, last.facts_checked) == (review.name, review.facts_checked)


def revision_with(post: Post, identifier: str) -> Revision | None:
    """Return the stored revision of a post with an identifier, with its payload; one query."""
    return Revision.objects.filter(post=post.pk, identifier=identifier).order_by("is_proposed").first()


def post_without_content(post_id: int) -> Post | None:
    """Return a post with its public revision, but without its text and related records; one query."""
    texts = ("body", "body_html", "outline", "body_facts", "search_text", "body_image_manifest")
    indexed = ("indexed_title", "indexed_description", "indexed_faq", "indexed_body")
    posts = Post.objects.select_related("public_revision").defer(*texts, *indexed, "public_revision__payload")
    return posts.filter(pk=post_id).order_by().first()
