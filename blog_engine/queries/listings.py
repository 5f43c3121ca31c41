"""Lists of published posts: the index, list pages, directories and the sidebar."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum, Value

from blog_engine.blog_urls import BlogURLs, page_path
from blog_engine.conf import get_settings
from blog_engine.content.names import sort_key
from blog_engine.enums import ListKind
from blog_engine.models import (
    Author,
    Category,
    Coauthor,
    ConnectionDeclaration,
    ListCount,
    Post,
    Series,
    Tag,
    when_public,
)
from blog_engine.queries.compiled import CompiledModels, CompiledRows, CompiledValues, Parameter, among
from blog_engine.queries.ended import ended_ids, ended_posts, number_of_ended
from blog_engine.queries.pagination import page_count
from blog_engine.queries.posts import public_identifier, reviewed
from blog_engine.queries.remembered import before_their_end, remembered, remembered_rows, with_authors

STANDARD_ORDER: Final = ("-listed_at", "-id")
_NEWEST_POSTS: Final = 6
_NO_POST: Final = 0
"""An id that no post has."""

Subject: TypeAlias = Author | Category | Series | Tag
"""A record with a page that lists its posts."""

SUBJECTS: Final[dict[ListKind, type[Subject]]] = {
    ListKind.CATEGORY: Category,
    ListKind.TAG: Tag,
    ListKind.AUTHOR: Author,
    ListKind.SERIES: Series,
}
_ON_CARDS: Final = (
    *("slug", "title", "description", "excerpt", "author_name", "published_at", "modified_at", "language"),
    *("translation_group", "expires_at"),
    *("coauthor_names", "coauthor_ids"),
    *("reading_time_minutes", "cover_alt", "author", "category__name", "category__slug"),
    *("cover_image__sha256", "cover_image__filename", "cover_image__width", "cover_image__height"),
    *("cover_image__is_animated", "cover_image__credit", "cover_image__digital_source_type"),
    *("cover_image__content_type", "cover_image__shared_type"),
    # The mark for AI follows from these.
    *("status", "provenance", "images_verified", "current_revision_identifier", "public_revision"),
)
_IN_LINKS: Final = ("slug", "title", "description", "excerpt", "language", "expires_at")


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list; ``total`` counts the posts of all ``page_count`` pages."""

    posts: tuple[Post, ...]
    total: int
    page_count: int


@dataclass(frozen=True, slots=True)
class IndexListing:
    """One page of the index: the featured post, which only the first page shows, and the page of the other posts."""

    featured: Post | None
    ordinary: Listing
    published: int
    """The number of public posts."""


def public_posts() -> QuerySet[Post]:
    """Return the published posts in the standard order."""
    return Post.objects.filter(when_public()).order_by(*STANDARD_ORDER)


def on_cards(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Load what a card shows with the posts, except their authors: see ``with_authors``."""
    return _marked(posts).only(*_ON_CARDS)


def _marked(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Annotate what the marks of cards follow from, besides columns, without a further query."""
    declared = ConnectionDeclaration.objects.filter(post=OuterRef("pk")).order_by("-id")
    return posts.select_related(
        "category", "cover_image"
    ).annotate(  # type: ignore[no-redef]  # Post declares them for readers
        is_reviewed=reviewed(),
        public_identifier=public_identifier(),
        is_paid=Subquery(declared.values("third_party_paid")[:1]),
    )


@cache
def _subjects(kind: ListKind) -> CompiledModels[Any]:
    rows = SUBJECTS[kind]._default_manager
    return CompiledModels(lambda: rows.filter(slug=Parameter("slug")).select_related("list_count")[:1])


def subject_at(kind: ListKind, slug: str) -> Subject | None:
    """Return the record of a list page with its number of posts, or ``None``; one query."""
    found: Subject | None = _subjects(kind).first(slug=slug)
    return found


def posts_of(kind: ListKind, subject_id: int | Parameter) -> QuerySet[Post]:
    """Return the public posts of a record, of a series in reading order."""
    match kind:
        case ListKind.SERIES:
            return in_reading_order(public_posts().filter(series=subject_id))
        case ListKind.TAG:
            return public_posts().filter(taggings__tag=subject_id)
        case ListKind.CATEGORY:
            return public_posts().filter(category=subject_id)
        case ListKind.AUTHOR:
            further = Coauthor.objects.filter(author=subject_id).order_by().values("post")
            return public_posts().filter(Q(author=subject_id) | Q(pk__in=further))


class LinkedPost(NamedTuple):
    """A post as a list of links shows it."""

    slug: str
    title: str
    summary: str
    """The description, or the first words of the body."""
    language: str
    """The tag of the post, empty for that of the blog."""


_LINKED: Final = CompiledRows(lambda: Post.objects.filter(when_public()).only(*_IN_LINKS).order_by())


def linked_posts(ids: Sequence[int]) -> Sequence[LinkedPost]:
    """Return public posts for a list of links, in the order of ``ids``; one query, and none without ids."""
    found = _LINKED.by_id(ids)
    posts = before_their_end(found[pk] for pk in ids if pk in found)
    return [LinkedPost(post.slug, post.title, post.summary, post.language) for post in posts]


def in_reading_order(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Order the posts of a series by position, then those without one by id."""
    return posts.order_by(F("series_position").asc(nulls_last=True), "id")


_CARDS: Final = CompiledRows(lambda: on_cards(Post.objects.filter(when_public())))
_TEXTS: Final = CompiledValues(
    lambda: Post.objects.filter(among("pk", "ids")).order_by().values_list("pk", "search_text"),
    lambda pk, text: (pk, text or ""),
)


def posts_on_cards(ids: Sequence[int]) -> tuple[Post, ...]:
    """Return public posts for their cards, in the order of ``ids``; at most two queries."""
    # Many pages show the same ones, and joins make the statement the most expensive one of a list.
    found = remembered_rows(_CARDS, ids)
    return with_authors(before_their_end(found[pk] for pk in ids if pk in found))


def searched_texts(ids: Sequence[int]) -> dict[int, str]:
    """Return the texts of which search results show passages, by the ids of the posts; one query, none without ids."""
    return dict(_TEXTS.all(ids=ids)) if ids else {}


def listing(kind: ListKind, subject: Subject, number: int, *, per_page: int) -> Listing | None:
    """Return a page of the list of a record from ``subject_at``, or ``None`` when it does not exist.

    At most three queries.
    """
    stored: ListCount | None = getattr(subject, "list_count", None)
    total = stored.length - number_of_ended(kind, subject.slug) if stored else 0
    count = page_count(total, per_page=per_page)
    if number > count:
        return None
    ids = _ids_on_page(kind, number, total=total, per_page=per_page, subject=subject.pk)
    return Listing(posts_on_cards(ids), total, count)


def index_listing(number: int, *, per_page: int) -> IndexListing | None:
    """Return a page of the index, or ``None`` when it does not exist; at most five queries."""
    found, published = list(before_their_end(remembered("featured post", _FEATURED.all))), number_of_posts()
    total = published - len(found)
    count = page_count(total, per_page=per_page)
    if number > count:
        return None
    left_out = found[0].pk if found else _NO_POST
    ids = _ids_on_page(None, number, total=total, per_page=per_page, featured=left_out)
    featured = next(iter(with_authors(found)), None) if number == 1 else None
    return IndexListing(featured, Listing(posts_on_cards(ids), total, count), published)


@cache
def _ids(kind: ListKind | None, per_page: int, *, is_reversed: bool) -> CompiledValues[int]:
    def ids() -> QuerySet[Post]:
        posts = _listed(kind, subject=Parameter("subject"), featured=Parameter("featured"))
        return posts.reverse() if is_reversed else posts

    return CompiledValues(lambda: ids().values_list("pk")[:per_page], int)


def _listed(
    kind: ListKind | None, *, subject: int | Parameter = _NO_POST, featured: int | Parameter = _NO_POST
) -> QuerySet[Post]:
    """Return the posts of a list, or of the index without the featured one."""
    return public_posts().exclude(pk=featured) if kind is None else posts_of(kind, subject)


def _ids_on_page(kind: ListKind | None, number: int, *, total: int, per_page: int, **given: int) -> Sequence[int]:
    """Return the ids on a page of a list, of which ``total`` is the length; one query.

    They are counted from the nearer end of the list, in an index, so that a page far back costs little.
    """
    start = (number - 1) * per_page
    stop = min(start + per_page, total)
    if ended := ended_ids():
        return list(_listed(kind, **given).exclude(pk__in=ended).values_list("pk", flat=True)[start:stop])
    if start <= total - stop:
        return _ids(kind, per_page, is_reversed=False).all(start, **given)
    return _ids(kind, per_page, is_reversed=True).all(total - stop, **given)[: stop - start][::-1]


def public_ids(number: int, *, per_page: int) -> tuple[Sequence[int], int] | None:
    """Return the ids on a page of all public posts in the standard order, and the number of pages.

    ``None`` for a page that does not exist; at most two queries.
    """
    total = number_of_posts()
    count = page_count(total, per_page=per_page)
    if number > count:
        return None
    return _ids_on_page(None, number, total=total, per_page=per_page, featured=_NO_POST), count


def number_on_index() -> int:
    """Return the number of posts on the pages of the index, without the featured one; two queries."""
    return number_of_posts() - len(list(before_their_end(remembered("featured post", _FEATURED.all))))


_FEATURED: Final[CompiledModels[Post]] = CompiledModels(lambda: on_cards(public_posts()).filter(featured=True)[:1])


def newest_posts() -> tuple[Post, ...]:
    """Return the newest published posts, for error pages and empty results; at most two queries."""
    return with_authors(before_their_end(remembered("newest posts", _NEWEST.all)))


_NEWEST: Final[CompiledModels[Post]] = CompiledModels(lambda: on_cards(public_posts())[:_NEWEST_POSTS])


def number_of_posts() -> int:
    """Return the number of all public posts; at most one query, which counts nothing."""
    return (remembered("number of posts", _SUM.first) or 0) - len(ended_posts())


def sum_of_counts() -> QuerySet[Any]:
    """Return the query for the number of all public posts, as one column; no row while there are none."""
    # Grouped by a constant, since otherwise each row would have a sum of its own.
    of_authors = ListCount.objects.filter(author__isnull=False).annotate(blog=Value(1)).values("blog")
    return of_authors.annotate(total=Sum("posts")).values_list("total")


_SUM: Final[CompiledValues[int | None]] = CompiledValues(sum_of_counts, lambda total: total)


_TAGS_IN_SIDEBAR: Final = 20


class PostCount(NamedTuple):
    """A category or tag with the number of its public posts, at least one."""

    name: str
    slug: str
    posts: int


_PUBLIC_CATEGORIES: Final = CompiledValues(
    lambda: (
        ListCount.objects.filter(category__isnull=False, posts__gt=0)
        .order_by("category__position", "category__name")
        .values_list("category__name", "category__slug", "posts")
    ),
    PostCount,
)
_FREQUENT_TAGS: Final = CompiledValues(
    lambda: (
        ListCount.objects.filter(tag__isnull=False, posts__gt=0)
        .order_by("-posts", "tag__name", "tag_id")
        .values_list("tag__name", "tag__slug", "posts")[:_TAGS_IN_SIDEBAR]
    ),
    PostCount,
)


R = TypeVar("R", "PostCount", "ListedRecord")


def _counted(kind: ListKind, records: Sequence[R]) -> Sequence[R]:
    """Return the records with the numbers of posts that have not ended, without those that have none left."""
    if not ended_posts():
        return records
    reduced = (one._replace(posts=one.posts - number_of_ended(kind, one.slug)) for one in records)
    return [one for one in reduced if one.posts > 0]


def public_categories() -> Sequence[PostCount]:
    """Return the categories of public posts by position, then name; one query."""
    return _counted(ListKind.CATEGORY, _PUBLIC_CATEGORIES.all())


def frequent_tags() -> Sequence[PostCount]:
    """Return the 20 tags with the most public posts, then by name and id; one query."""
    return _counted(ListKind.TAG, _FREQUENT_TAGS.all())


@dataclass(frozen=True, slots=True)
class ListPage:
    """The path of a page; ``is_primary`` when search engines can index it."""

    path: str
    is_primary: bool


def sitemap_list_pages(urls: BlogURLs) -> Iterator[ListPage]:
    """Return every page of the index and of the lists, primary lists first."""
    settings = get_settings()
    index = page_count(number_on_index(), per_page=settings.posts_per_page)
    yield from _pages(urls.index_path(), index, is_primary=True)
    for kind in sorted(SUBJECTS, key=lambda kind: kind is not settings.primary_list):
        for path, total in _lists(kind, urls=urls):
            count = page_count(total, per_page=settings.posts_per_page)
            yield from _pages(path, count, is_primary=kind is settings.primary_list)


def _lists(kind: ListKind, *, urls: BlogURLs) -> Iterator[tuple[str, int]]:
    total = F("list_count__posts") + F("list_count__coauthored")
    counted = SUBJECTS[kind]._default_manager.order_by("id").values_list("slug", total)
    return ((urls.list_path(kind, slug), total or 0) for slug, total in counted)


def _pages(path: str, count: int, *, is_primary: bool) -> Iterator[ListPage]:
    return (ListPage(page_path(path, number), is_primary) for number in range(1, count + 1))


DIRECTORY_ROWS: Final = 200
"""The records on a page."""
MOST_RECORDS: Final = 5_000
"""The records of a kind that are listed: those with the most public posts."""


class ListedRecord(NamedTuple):
    """A category, tag, author or series with the number of its public posts, at least one."""

    id: int
    name: str
    slug: str
    posts: int


def listed_records(kind: ListKind, *, language: str) -> Sequence[ListedRecord]:
    """Return the records of a kind that have public posts, in alphabetical order; at most one query.

    Categories are in the order of the sidebar instead: by position, then name.
    """
    return remembered(("records", kind, language), lambda: _sorted(kind, language))


def details_of(kind: ListKind, ids: Sequence[int]) -> dict[int, Subject]:
    """Return the records with what a directory shows beside the name, by id; at most one query, none for tags."""
    if kind is ListKind.TAG or not ids:
        return {}
    if kind is ListKind.AUTHOR:
        authors = Author.objects.filter(among("pk", ids)).select_related("avatar")
        return {author.pk: author for author in authors}
    return {row.pk: row for row in SUBJECTS[kind]._default_manager.filter(among("pk", ids))}


def _sorted(kind: ListKind, language: str) -> Sequence[ListedRecord]:
    rows = _rows(kind).all()
    if kind is ListKind.CATEGORY:
        rows.sort(key=lambda row: (row[0], *sort_key(row[1].name, language=language), row[1].id))
    else:
        rows.sort(key=lambda row: (*sort_key(row[1].name, language=language), row[1].id))
    return _counted(kind, tuple(record for _, record in rows))


@cache
def _rows(kind: ListKind) -> CompiledValues[tuple[int, ListedRecord]]:
    place = f"{kind}__position" if kind is ListKind.CATEGORY else "pk"

    def rows() -> QuerySet[Any, Any]:
        # The index on tags has only their posts.
        number = F("posts") + F("coauthored") if kind is ListKind.AUTHOR else F("posts")
        counts = ListCount.objects.filter(**{f"{kind}__isnull": False}).annotate(number=number).filter(number__gt=0)
        columns = (place, f"{kind}__id", f"{kind}__name", f"{kind}__slug", "number")
        return counts.order_by("-number", f"{kind}_id").values_list(*columns)[:MOST_RECORDS]

    return CompiledValues(rows, lambda position, *columns: (position, ListedRecord(*columns)))
