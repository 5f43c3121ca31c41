"""Posts that wait for a review, and what their content is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeVar

from django.db.models import Q, QuerySet

from blog_engine.enums import ApprovalKind, PostStatus, ReviewReason
from blog_engine.inputs.posts import ApproveRevision
from blog_engine.models import Approval, Post, Revision
from blog_engine.queries.compiled import RowCount
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.listings import page_count

PER_PAGE: Final = 25
_LAST_REVIEWS: Final = 50
_REPEATED: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class QueuePage(DeskListPage):
    """A page of the posts that wait for one reason, the oldest first."""

    posts: list[Post]


def waiting_counts() -> dict[ReviewReason, int]:
    """Return how many posts wait for each reason, the most urgent first; one query.

    A number is at most ``MOST_LISTED + 1``, which means that there are more than ``MOST_LISTED``.
    """
    return _numbers_of({reason: Post.objects.filter(review_reason=reason.value) for reason in ReviewReason})


def unpublished_counts() -> dict[PostStatus, int]:
    """Return the numbers of drafts and of scheduled posts, as ``waiting_counts`` does; one query."""
    statuses = (PostStatus.DRAFT, PostStatus.SCHEDULED)
    return _numbers_of({status: Post.objects.filter(status=status.value) for status in statuses})


_Key = TypeVar("_Key", bound=StrEnum)


def _numbers_of(wanted: Mapping[_Key, QuerySet[Post]]) -> dict[_Key, int]:
    """Count each set of posts no further than a list goes, so that the number of posts does not matter."""
    numbers = [RowCount(posts.order_by().values("pk")[: MOST_LISTED + 1]) for posts in wanted.values()]
    # A row to select them from; without any post there is nothing to count.
    row = next(iter(Post.objects.order_by().values_list(*numbers)[:1]), (0,) * len(numbers))
    return dict(zip(wanted, row, strict=True))


def waiting_posts(reason: ReviewReason, *, number: int, total: int) -> QueuePage:
    """Return a page of the ``total`` posts that wait for a reason, or the last page; one query.

    The pages end after ``MOST_LISTED`` posts.
    """
    pages = page_count(min(total, MOST_LISTED), per_page=PER_PAGE)
    number = min(number, pages)
    waiting = Post.objects.filter(review_reason=reason.value).order_by("updated_at", "pk")
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


def repeats_approval(revision: Revision, data: ApproveRevision, *, actor_name: str, now: datetime) -> bool:
    """Return whether an approval equals the last of the same actor under the same revision within ten minutes."""
    last = (
        Approval.objects.filter(revision=revision, kind=ApprovalKind.SENT, recorded_by=actor_name)
        .order_by("-id")
        .first()
    )
    is_same = last is not None and (last.reviewer_name, last.facts_checked) == (data.name, data.facts_checked)
    return is_same and last is not None and now - last.approved_at < _REPEATED
