"""Lists of posts of all states, for the API."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from django.db.models import Exists, Func, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django_filters import BooleanFilter, CharFilter, FilterSet

from blog_engine.conf import get_settings
from blog_engine.content.search_query import snippet
from blog_engine.content.text import MAX_SLUG_LENGTH, fold
from blog_engine.enums import PostStatus, ProposalState, Provenance, ReviewReason, ReviewState
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.posts import ListPosts
from blog_engine.models import (
    Author,
    Category,
    Coauthor,
    Post,
    PostTag,
    Revision,
    Series,
    Tag,
)
from blog_engine.queries.checked import KnownOfListed, known_of_listed, posts_with_finding
from blog_engine.queries.compiled import CompiledValues, Parameter, among
from blog_engine.queries.cursors import AskedPage, Place
from blog_engine.queries.listings import number_of_posts, sum_of_counts
from blog_engine.queries.posts import reviewed, tag_names_of
from blog_engine.queries.proposals import proposals_in
from blog_engine.queries.records import Listed
from blog_engine.queries.search import matches

_NEWEST_FIRST: Final = ("-created_at", "-id")
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_ID: Final = re.compile("[1-9][0-9]*")

Row: TypeAlias = tuple[Any, ...]


class ListedAuthor(NamedTuple):
    """An author of a listed post."""

    id: int
    name: str
    slug: str
    type: str
    url: str | None


class ListedCategory(NamedTuple):
    """The category of a listed post."""

    id: int
    name: str
    slug: str
    description: str


class ListedPost(NamedTuple):
    """A post as a list shows it, with the columns that its label and the number of its findings follow from."""

    id: int
    slug: str
    status: str
    title: str
    description: str
    language: str
    published_at: datetime | None
    modified_at: datetime | None
    publish_at: datetime | None
    current_revision_identifier: str
    provenance: str
    images_verified: bool
    review_requested_by: str | None
    review_requested_at: datetime | None
    review_asked_name: str
    review_returned_by: str | None
    review_returned_at: datetime | None
    open_remarks: int
    version: int
    canonical_url: str | None
    cover_image_id: int | None
    social_image_id: int | None
    rendered_with: str
    own_findings: str
    coauthor_ids: Sequence[int]
    is_reviewed: bool
    public_revision_identifier: str | None
    known: KnownOfListed
    author: ListedAuthor
    coauthors: Sequence[ListedAuthor]
    """The further authors, in their order."""
    category: ListedCategory | None
    tags: Sequence[str]
    """The names in the order sent."""
    passage: str | None
    """The text around the words that were searched for; ``None`` if only the title has them."""

    @property
    def category_id(self) -> int | None:
        """The id of the category."""
        return self.category.id if self.category else None


class PostFilter(FilterSet):  # type: ignore[misc]  # django-filter has no types
    """The filters of ``ListPosts``; leading and trailing spaces count."""

    status = CharFilter()
    category = CharFilter(method="of_category", strip=False)
    tag = CharFilter(method="with_tag", strip=False)
    author = CharFilter(method="by_author", strip=False)
    series = CharFilter(method="of_series", strip=False)
    language = CharFilter(method="in_language", strip=False)
    proposals = CharFilter(method="with_proposal")
    review = CharFilter(method="under_review")
    approval_missing = BooleanFilter(method="lacking_approval")
    finding = CharFilter(method="having_finding", strip=False)

    def of_category(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(category__in=_with_key(Category, value))

    def by_author(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        found = _with_key(Author, value)
        further = Coauthor.objects.filter(post=OuterRef("pk"), author__in=found)
        return posts.filter(Q(author__in=found) | Exists(further))

    def of_series(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(series__in=_with_key(Series, value))

    def in_language(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        is_own = value.lower() == get_settings().language.lower()
        return posts.filter(language__in=[value, *([""] if is_own else [])])

    def with_proposal(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(pk__in=proposals_in(ProposalState(value)).order_by().values("post"))

    def under_review(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        if value == ReviewState.REQUESTED:
            return posts.filter(review_reason=ReviewReason.REQUESTED.value)
        return posts.filter(review_returned_at__isnull=False, review_requested_at__isnull=True)

    def lacking_approval(self, posts: QuerySet[Post], name: str, value: bool) -> QuerySet[Post]:
        known = Q(approval_missing=value)
        if not Post.objects.filter(approval_missing=None).exists():
            return posts.filter(known)
        # An earlier version wrote these during an upgrade. As ``lacks_approval``.
        needs_one = ~Q(status=PostStatus.ARCHIVED.value) & ~Q(provenance=Provenance.HUMAN_WRITTEN.value)
        lacks = needs_one & Q(has_check=False)
        unknown = Q(approval_missing=None) & (lacks if value else ~lacks)
        return posts.alias(has_check=reviewed()).filter(known | unknown)

    def having_finding(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts_with_finding(posts, value)

    def with_tag(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        # One tag can match by slug and another by name: a join would list a post with both twice.
        # Spaces around a name count here, which its key does not have.
        same = Q(key=fold(value)) if value == value.strip() else Q()
        tags = Tag.objects.filter(_slug_or_id(value) | Q(name=value) | same)
        return posts.filter(Exists(PostTag.objects.filter(post=OuterRef("pk"), tag__in=tags)))


def listed_posts(data: ListPosts) -> Listed[ListedPost]:
    """Return a page of posts, newest first, or the best first for a search ``q``.

    At most five queries without ``q``, fewer for an empty page.
    """
    ids, place, words = _found(data) if data.q is not None else (*_newest(data), frozenset[str]())
    return Listed(_rows(ids) if not words else _found_rows(ids, words), place)


def filtered_posts(data: ListPosts) -> QuerySet[Post]:
    """Return the posts that pass the filters, except ``q``, newest first."""
    posts: QuerySet[Post] = Post.objects.order_by(*_NEWEST_FIRST)
    sent = _filters_of(data)
    if not sent:
        return posts
    filters = PostFilter(sent, queryset=posts)
    if not filters.is_valid():
        # django-filter would return the unfiltered posts.
        raise ValueError(f"ListPosts accepted what PostFilter refuses: {filters.errors}")
    posts = filters.qs
    return posts


def _filters_of(data: ListPosts) -> dict[str, str | bool]:
    return {name: value for name in PostFilter.base_filters if (value := getattr(data, name)) is not None}


def _found(data: ListPosts) -> tuple[Sequence[int], Place, frozenset[str]]:
    """Return the ids of a page, its place, and the folded words that were searched for.

    The order of a search changes with every post: it has no cursor.
    """
    if data.cursor is not None:
        raise ValidationFailed(["cursor"], hint="A search has no cursor: send page.")
    start = (data.page - 1) * data.per_page
    found = matches(filtered_posts(data), str(data.q), then_by=_NEWEST_FIRST)
    place = Place(page=data.page, per_page=data.per_page, total=len(found.ids), next_cursor=None)
    return found.ids[start : start + data.per_page], place, found.words


def _newest(data: ListPosts) -> tuple[Sequence[int], Place]:
    """Return the ids of a page, and its place in the list."""
    asked, sent = AskedPage.of(data, Post, parts=2), _filters_of(data)
    last = _row_at(asked.after) if asked.after else {}
    if sent.keys() <= {"status"}:
        compiled = _ids(bool(sent), asked.size + 1, is_behind=bool(last))
        rows, total = compiled.all(asked.rows.start, **sent, **last), _number_of(data.status)
    else:
        posts = filtered_posts(data)
        read = posts.filter(_behind(**last)) if last else posts
        rows, total = list(read.values_list("pk", "created_at")[asked.rows]), posts.count()
    own, place = asked.cut(rows, key=lambda row: ((row[1] - _BEGINNING) // _MICROSECOND, row[0]), total=total)
    return [pk for pk, _ in own], place


def _row_at(key: tuple[int, ...]) -> dict[str, Any]:
    try:
        return {"created": _BEGINNING + key[0] * _MICROSECOND, "pk": key[1]}
    except OverflowError as fault:
        raise ValidationFailed(["cursor"], hint="No list has such a cursor.") from fault


def _behind(created: Any, pk: Any) -> Q:
    """Return the condition that a post follows the one with this time and id; the first part is for the index."""
    return Q(created_at__lte=created) & (Q(created_at__lt=created) | Q(pk__lt=pk))


def _number_of(status: str | None) -> int:
    """Return the number of posts with a status, or of all; one query, which does not count public posts."""
    if status == PostStatus.PUBLISHED:
        return number_of_posts()
    return (_NUMBER.first(status=status) if status else _NUMBER_OF_ALL.first()) or 0


def _number(*others: Subquery, **status: Any) -> QuerySet[Any]:
    # An aggregate of Django would be grouped by post.
    total = Func(function="COUNT", template="%(function)s(*)", output_field=IntegerField())
    return Post.objects.filter(**status).order_by().values_list(total, *others)


_HIDDEN: Final = tuple(status.value for status in PostStatus if status is not PostStatus.PUBLISHED)
_NUMBER: Final = CompiledValues(lambda: _number(status=Parameter("status")), int)
_NUMBER_OF_ALL: Final = CompiledValues(
    lambda: _number(Subquery(sum_of_counts()), status__in=_HIDDEN), lambda hidden, public: hidden + int(public or 0)
)


@cache
def _ids(is_filtered: bool, number: int, *, is_behind: bool) -> CompiledValues[tuple[int, datetime]]:
    posts = Post.objects.filter(status=Parameter("status")) if is_filtered else Post.objects.all()
    if is_behind:
        posts = posts.filter(_behind(Parameter("created", Post._meta.get_field("created_at")), Parameter("pk")))
    rows = posts.order_by(*_NEWEST_FIRST).values_list("pk", "created_at")
    return CompiledValues(lambda: rows[:number], lambda *row: row)


def _rows(ids: Sequence[int]) -> Sequence[ListedPost]:
    """Return these posts in this order; two queries, and one for coauthors."""
    if not ids:
        return []
    tags = tag_names_of(ids)
    found = {row[0]: row for row in _POSTS.all(ids=ids)}
    further = _coauthors(found.values())
    return [_listed(found[pk], tags[pk], further) for pk in ids if pk in found]


def _coauthors(rows: Iterable[Row]) -> Mapping[int, ListedAuthor]:
    """Return the further authors of posts by id; one query if there are any."""
    ids = {pk for row in rows for pk in row[_COAUTHORS]}
    if not ids:
        return {}
    found = Author.objects.filter(pk__in=ids).order_by().values_list(*ListedAuthor._fields)
    return {row[0]: ListedAuthor(*row) for row in found}


_COLUMNS: Final = (
    *("pk", "slug", "status", "title", "description", "language", "published_at", "modified_at"),
    "publish_at",
    *("current_revision_identifier", "provenance", "images_verified"),
    *("review_requested_by", "review_requested_at", "review_asked_name", "review_returned_by", "review_returned_at"),
    *("open_remarks", "version", "canonical_url", "cover_image_id", "social_image_id", "rendered_with", "own_findings"),
    "coauthor_ids",
)
_COAUTHORS: Final = _COLUMNS.index("coauthor_ids")
_OF_AUTHOR: Final = tuple(f"author__{name}" for name in ListedAuthor._fields)
_OF_CATEGORY: Final = tuple(f"category__{name}" for name in ListedCategory._fields)


def _listed(
    row: Row, tags: Sequence[str], further: Mapping[int, ListedAuthor], passage: str | None = None
) -> ListedPost:
    own, others = row[: -len(_OF_AUTHOR + _OF_CATEGORY)], row[-len(_OF_AUTHOR + _OF_CATEGORY) :]
    author, category = ListedAuthor(*others[: len(_OF_AUTHOR)]), ListedCategory(*others[len(_OF_AUTHOR) :])
    own, known = own[: -len(KnownOfListed._fields)], KnownOfListed(*own[-len(KnownOfListed._fields) :])
    coauthors = [further[pk] for pk in row[_COAUTHORS] if pk in further]
    return ListedPost._make((*own, known, author, coauthors, category if category.id else None, tags, passage))


def _found_rows(ids: Sequence[int], words: frozenset[str]) -> Sequence[ListedPost]:
    """Return these posts in this order with the passages that have the words; as many queries as ``_rows``."""
    if not ids:
        return []
    tags = tag_names_of(ids)
    found = {row[0]: row for row in _FOUND_POSTS.all(ids=ids)}
    further = _coauthors(found.values())
    rows = ((pk, row) for pk in ids if (row := found.get(pk)))
    return [_listed(row[:-1], tags[pk], further, _passage(row, words)) for pk, row in rows]


def _passage(row: Row, words: frozenset[str]) -> str | None:
    pieces = snippet(row[-1] or "", words) or snippet(row[_COLUMNS.index("description")], words)
    return "".join(piece.text for piece in pieces) or None


def _posts(*further: str) -> QuerySet[Any]:
    # Databases plan a subquery faster than another join.
    public = Subquery(Revision.objects.filter(pk=OuterRef("public_revision")).values("identifier"))
    posts = Post.objects.filter(among("pk", "ids")).order_by()
    return posts.values_list(*_COLUMNS, reviewed(), public, *known_of_listed(), *_OF_AUTHOR, *_OF_CATEGORY, *further)


_POSTS: Final[CompiledValues[Row]] = CompiledValues(_posts, lambda *row: row)
_FOUND_POSTS: Final[CompiledValues[Row]] = CompiledValues(lambda: _posts("search_text"), lambda *row: row)
_BEGINNING_OF_SLUG: Final = re.compile(f"[a-z0-9_-]{{0,{MAX_SLUG_LENGTH}}}")


def slugs_beginning_with(beginning: str, *, limit: int) -> list[str]:
    """Return the first slugs of posts of any status that begin with a text, in their order; at most one query."""
    # Databases refuse null characters and long patterns.
    if not _BEGINNING_OF_SLUG.fullmatch(beginning):
        return []
    found = Post.objects.filter(slug__startswith=beginning).order_by("slug")
    return list(found.values_list("slug", flat=True)[:limit])


def _with_key(model: type[Model], value: str) -> QuerySet[Model]:
    return model._default_manager.filter(_slug_or_id(value) | Q(name=value))


def _slug_or_id(value: str) -> Q:
    return Q(slug=value) | Q(pk=int(value)) if _ID.fullmatch(value) else Q(slug=value)
