"""Lists of the desk: their pages, counts and filter choices, and the posts that wait for a review."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from django.db.models import CharField, IntegerField, Model, Q, QuerySet, Value
from django.db.models.functions import Cast

from blog_engine.enums import PolicyKind, PostStatus, ReviewReason
from blog_engine.models import Approval, Author, Category, Post, Revision
from blog_engine.queries.compiled import RowCount, among
from blog_engine.queries.listings import page_count
from blog_engine.queries.policies import is_configured, published_policies
from blog_engine.queries.posts import tag_names_of

MOST_LISTED: Final = 10_000
"""The rows that one list turns the pages of; further ones are found with filters and the search."""
NEWEST: Final = ("-created_at", "-id")
MOST_NAMES: Final = 50
"""The authors and categories that a filter suggests."""


@dataclass(frozen=True, slots=True)
class DeskListPage:
    """A page of a list of the desk, with its number from 1."""

    number: int
    pages: int

    @property
    def previous_number(self) -> int | None:
        """The number of the page before, if there is one."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next_number(self) -> int | None:
        """The number of the page after, if there is one."""
        return self.number + 1 if self.number < self.pages else None


class NamedRow(NamedTuple):
    """An author or a category to filter by."""

    id: int
    name: str
    slug: str


class ListContext(NamedTuple):
    """The context of the list of posts beside its rows."""

    authors: Sequence[NamedRow]
    """The first by name, and those that were asked for."""
    categories: Sequence[NamedRow]
    has_responsible_party: bool
    """Whether the blog says who is responsible, which notices of AI depend on."""


def listed_page(posts: QuerySet[Post], *, start: int, number: int) -> list[int]:
    """Return the ids of a page of a list; one query."""
    return list(posts.values_list("pk", flat=True)[start : start + number])


def number_listed(posts: QuerySet[Post]) -> int:
    """Return how many posts there are, or ``MOST_LISTED + 1`` if there are more; one query."""
    return posts.order_by()[: MOST_LISTED + 1].count()


def list_context(*, author: str = "", category: str = "") -> ListContext:
    """Return the names that filters suggest with the rows of the sent slug or name, and more; one query."""
    policies = published_policies().filter(kind=PolicyKind.RESPONSIBLE_PARTY.value)
    rows = _named(_names(Author, author), 0).union(
        _named(_names(Category, category), 1), _named(policies, 2, name="kind"), all=True
    )
    found: tuple[list[NamedRow], ...] = ([], [], [])
    for kind, pk, name, slug in rows.order_by():
        found[kind].append(NamedRow(pk, name, slug))
    authors, categories, pages = (sorted(several, key=lambda row: (row.name.casefold(), row.id)) for several in found)
    return ListContext(authors, categories, bool(pages) or is_configured(PolicyKind.RESPONSIBLE_PARTY))


def _names(model: type[Model], sent: str) -> QuerySet[Any]:
    rows = model._default_manager.order_by()
    first = Q(pk__in=model._default_manager.order_by("name", "pk").values("pk")[:MOST_NAMES])
    return rows.filter(first | Q(slug=sent) | Q(name=sent) if sent else first)


def _named(rows: QuerySet[Any], kind: int, *, name: str = "name") -> QuerySet[Any]:
    columns = {"row_kind": Value(kind, IntegerField()), "row_name": Cast(name, CharField())}
    named: QuerySet[Any] = rows.order_by().annotate(**columns, row_slug=Cast("slug", CharField()))
    return named.values_list("row_kind", "pk", "row_name", "row_slug")


class TaggedPost(NamedTuple):
    """A post as actions on several posts need it."""

    id: int
    title: str
    slug: str
    status: str
    version: int
    tags: Sequence[str]
    """The names in the order sent."""


def posts_with_tags(ids: Sequence[int]) -> list[TaggedPost]:
    """Return the posts with these ids, newest first; two queries."""
    tags = tag_names_of(ids)
    posts = Post.objects.filter(among("pk", ids)).order_by(*NEWEST)
    rows = posts.values_list("pk", "title", "slug", "status", "version")
    return [TaggedPost(*row, tags[row[0]]) for row in rows]


REVIEWS_PER_PAGE: Final = 25
_LAST_REVIEWS: Final = 50


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
    pages = page_count(min(total, MOST_LISTED), per_page=REVIEWS_PER_PAGE)
    number = min(number, pages)
    waiting = Post.objects.filter(review_reason=reason.value).order_by("updated_at", "pk")
    columns = (
        *("title", "slug", "status", "author_name", "provenance", "publish_at", "updated_at", "review_reason"),
        *("review_requested_by", "review_requested_at", "unrecorded_actor", "unrecorded_made_by_ai"),
    )
    start = (number - 1) * REVIEWS_PER_PAGE
    return QueuePage(number, pages, list(waiting.only(*columns)[start : start + REVIEWS_PER_PAGE]))


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
