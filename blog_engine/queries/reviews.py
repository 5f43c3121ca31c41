"""Posts that wait for a review, and what their content is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.db.models import Q, QuerySet

from blog_engine.enums import PostStatus, ReviewReason
from blog_engine.models import Approval, Post, Revision
from blog_engine.queries.compiled import RowCount
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.listings import page_count
from blog_engine.queries.proposals import undecided_proposals

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
        *("title", "slug", "status", "author_name", "provenance", "publish_at", "updated_at", "review_reason"),
        *("review_requested_by", "review_requested_at", "unrecorded_actor", "unrecorded_made_by_ai"),
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


def reviewed_content(post: Post) -> ReviewedContent:
    """Return what the last reviews and the revisions say of the present content; two queries."""
    present = post.current_revision_identifier
    approvals = Approval.objects.filter(post=post.pk).select_related("revision").defer("revision__payload")
    last = list(approvals.order_by("-id")[:_LAST_REVIEWS])
    checked = (one.revision_id for one in last if one.facts_checked and one.revision.identifier != present)
    compared_id = next(checked, post.public_revision_id)
    own = Q(identifier=present, is_proposed=False)
    wanted = own | Q(pk=compared_id) if compared_id else own
    found = {revision.pk: revision for revision in Revision.objects.filter(wanted, post=post.pk).order_by()}
    recorded = next((revision for revision in found.values() if revision.identifier == present), None)
    compared = found.get(compared_id) if compared_id else None
    return ReviewedContent(
        recorded=recorded,
        approvals=[one for one in last if one.revision.identifier == present],
        compared=None if compared is recorded else compared,
    )


def revision_with(post: Post, identifier: str) -> Revision | None:
    """Return the stored revision of a post with an identifier, with its payload; one query."""
    return Revision.objects.filter(post=post.pk, identifier=identifier).order_by("is_proposed").first()


def post_without_content(post_id: int) -> Post | None:
    """Return a post with its public revision, but without its text and related records; one query."""
    texts = ("body", "body_html", "outline", "body_facts", "search_text", "body_image_manifest")
    indexed = ("indexed_title", "indexed_description", "indexed_faq", "indexed_body")
    posts = Post.objects.select_related("public_revision").defer(*texts, *indexed, "public_revision__payload")
    return posts.filter(pk=post_id).order_by().first()
