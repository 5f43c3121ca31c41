# ruff: noqa: S608 - the statement holds names and numbers of this package only
"""The posts around a post: the parts of its series, related posts, and the posts before and after it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import connections
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from blog_engine.enums import ListKind, PostStatus
from blog_engine.models import ListCount, Post, PostTag, Series, before_end
from blog_engine.models.reading import database_of
from blog_engine.queries.compiled import CompiledValues, Parameter, fetched
from blog_engine.queries.ended import number_of_ended
from blog_engine.queries.listings import in_reading_order, posts_on_cards, public_posts
from blog_engine.queries.remembered import before_their_end, remembered

_RELATED_POSTS: Final = 3
_RARE: Final = 100
"""The public posts of a tag up to which all of them are candidates: more of them would be read for each article."""
_TAGGED: Final = 200
"""The candidates by tag."""
_NEWEST: Final = 30
"""The newest posts of the category, and of the blog, that are candidates too."""
MOST_PARTS: Final = 100
"""The parts of a series that an article lists, and that are read on each side of it."""
_NOTHING: Final = 0
"""An id that no row has."""


class SeriesPart(NamedTuple):
    """A part of a series, or the post before or after a post."""

    slug: str
    title: str
    language: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class SeriesAround:
    """The series of a post, and its parts around the post in reading order."""

    name: str
    slug: str
    parts: tuple[SeriesPart, ...]
    """At most 100."""
    first: int | None
    """The number of the first of ``parts``; ``None`` where more parts than are read precede the post."""
    number: int | None
    """The number of the post itself, or ``None``."""
    total: int
    """The number of all parts."""


@dataclass(frozen=True, slots=True)
class NearbyPosts:
    """Related posts, and the posts before and after a public post (pages.article.neighbours)."""

    related: tuple[Post, ...]
    previous: SeriesPart | None
    next: SeriesPart | None


class _Row(NamedTuple):
    is_part: int
    place: int | None
    """The position of a part, or the number of the series' public posts."""
    key: int
    text: str
    address: str
    language: str
    """Empty for the series."""


_COLUMNS: Final = _Row._fields


def _among_these(posts: QuerySet[Post], limit: int) -> QuerySet[Post]:
    """Return the first of these posts, unordered: databases differ in limits within a union."""
    return Post.objects.filter(pk__in=posts.values("pk")[:limit]).order_by()


def _series_rows(before: Q, after: Q) -> CompiledValues[_Row]:
    def rows_of_series() -> QuerySet[Any]:
        series = Series.objects.filter(pk=Parameter("series")).annotate(
            is_part=Value(0),
            place=Coalesce("list_count__posts", 0),
            key=F("id"),
            text=F("name"),
            address=F("slug"),
            language=Value(""),
        )
        public = public_posts().filter(before_end(Parameter("now", Post._meta.get_field("expires_at"))))
        others = in_reading_order(public.filter(series=Parameter("series")).exclude(pk=Parameter("post")))
        sides = (
            _among_these(side, MOST_PARTS).annotate(
                is_part=Value(1), place=F("series_position"), key=F("id"), text=F("title"), address=F("slug")
            )
            for side in (others.filter(before).reverse(), others.filter(after))
        )
        rows = (
            series.order_by().values_list(*_COLUMNS).union(*(side.values_list(*_COLUMNS) for side in sides), all=True)
        )
        # Django 6.1 would look for the default order of the model in the union.
        return rows.order_by("is_part", "key")

    return CompiledValues(rows_of_series, _Row)


_UNPLACED: Final = Q(series_position__isnull=True)
_PLACE: Final = Parameter("place")
_AROUND_PLACED: Final = _series_rows(Q(series_position__lt=_PLACE), Q(series_position__gt=_PLACE) | _UNPLACED)
_AROUND_UNPLACED: Final = _series_rows(
    ~_UNPLACED | Q(pk__lt=Parameter("post")), _UNPLACED & Q(pk__gt=Parameter("post"))
)


def series_around(post: Post) -> SeriesAround | None:
    """Return the series of a post with the parts around it, or ``None`` without one; one query if it has one."""
    if post.series_id is None:
        return None
    around = _AROUND_UNPLACED if post.series_position is None else _AROUND_PLACED
    rows = around.all(series=post.series_id, post=post.pk, place=post.series_position, now=timezone.now())
    series = next((row for row in rows if not row.is_part), None)
    if series is None:
        return None
    own = _Row(1, post.series_position, post.pk, post.title, post.slug, post.language)
    parts = sorted((own, *(row for row in rows if row.is_part)), key=_reading_order)
    before = parts.index(own)
    is_whole = max(before, len(parts) - 1 - before) < MOST_PARTS
    is_counted = post.status == PostStatus.PUBLISHED
    counted = (series.place or 0) - number_of_ended(ListKind.SERIES, series.address)
    start = max(0, min(before - MOST_PARTS // 2, len(parts) - MOST_PARTS))
    return SeriesAround(
        name=series.text,
        slug=series.address,
        parts=tuple(
            SeriesPart(row.address, row.text, row.language, row is own) for row in parts[start : start + MOST_PARTS]
        ),
        first=start + 1 if before < MOST_PARTS else None,
        number=before + 1 if before < MOST_PARTS else None,
        total=len(parts) if is_whole else counted + (not is_counted),
    )


def _reading_order(row: _Row) -> tuple[bool, int, int]:
    return row.place is None, row.place or 0, row.key


_EARLIER, _LATER, _RELATED = range(3)
"""The places of the rows near a post."""
_POSTS: Final = f'"{Post._meta.db_table}"'
_TAGS: Final = f'"{PostTag._meta.db_table}"'
_COUNTS: Final = f'"{ListCount._meta.db_table}"'
_IS_PUBLIC: Final = f"status = '{PostStatus.PUBLISHED}'"
_HAS_NOT_ENDED: Final = "COALESCE(expires_at > %s, TRUE)"


def _nearby() -> str:
    """Return the SQL for place, id, slug, title and language of the posts near a post; of related ones, id and rank.

    Written by hand, because the database planned the statement of the ORM for longer than it ran it. Limits are in
    subqueries of their own, since SQLite takes none in the parts of a union.
    """
    columns = "id, slug, title, language"
    elsewhere = (
        f"{_IS_PUBLIC} AND {_HAS_NOT_ENDED} AND COALESCE(series_id <> %s, TRUE) "
        "AND COALESCE(translation_group <> %s, TRUE)"
    )
    # By pairs, which the index of lists has: however many posts have the same date, each is found at once.
    earlier = "(listed_at, id) < (%s, %s) ORDER BY listed_at DESC, id DESC LIMIT 1"
    later = "(listed_at, id) > (%s, %s) ORDER BY listed_at, id LIMIT 1"
    newest = f"ORDER BY listed_at DESC, id DESC LIMIT {_NEWEST}"
    # Joined from the tags of the post on: otherwise databases read all tags first.
    tagged = (
        f"SELECT other.post_id FROM {_TAGS} own JOIN {_COUNTS} number ON number.tag_id = own.tag_id "
        f"JOIN {_TAGS} other ON other.tag_id = own.tag_id WHERE own.post_id = %s AND number.posts <= {_RARE} "
        f"GROUP BY other.post_id ORDER BY COUNT(*) DESC, other.post_id DESC LIMIT {_TAGGED}"
    )
    # In a CASE, for which the tags of the post are read once; as a condition, they were joined for each candidate.
    shared = (
        f"SELECT COUNT(CASE WHEN shared.tag_id IN (SELECT tag_id FROM {_TAGS} WHERE post_id = %s) THEN 1 END) "
        f"FROM {_TAGS} shared WHERE shared.post_id = post.id"
    )
    # The language of the post, then the tags that are shared with it, its category, and the newest.
    rank = (
        f"CASE WHEN language = %s THEN 1 ELSE 0 END AS in_language, ({shared}) AS shared, "
        "CASE WHEN category_id = %s THEN 1 ELSE 0 END AS in_category, listed_at"
    )
    first = f"in_language DESC, shared DESC, in_category DESC, listed_at DESC, id DESC LIMIT {_RELATED_POSTS}"
    return (
        f"SELECT * FROM (WITH earlier AS (SELECT {columns} FROM {_POSTS} WHERE {elsewhere} AND {earlier}), "
        f"later AS (SELECT {columns} FROM {_POSTS} WHERE {elsewhere} AND {later}) "
        f"SELECT * FROM (SELECT {_RELATED} AS place, id, '', '', '', {rank} FROM {_POSTS} post "
        f"WHERE {elsewhere} AND id <> %s AND id IN (SELECT * FROM ({tagged}) tagged "
        f"UNION SELECT * FROM (SELECT id FROM {_POSTS} WHERE {_IS_PUBLIC} AND category_id = %s {newest}) of_category "
        f"UNION SELECT * FROM (SELECT id FROM {_POSTS} WHERE {_IS_PUBLIC} {newest}) newest "
        f"UNION SELECT id FROM earlier UNION SELECT id FROM later) ORDER BY {first}) related "
        f"UNION ALL SELECT {_EARLIER}, {columns}, 0, 0, 0, NULL FROM earlier "
        f"UNION ALL SELECT {_LATER}, {columns}, 0, 0, 0, NULL FROM later) nearby"
    )


_NEARBY: Final = _nearby()


def _read_near(post: Post) -> tuple[dict[int, SeriesPart], tuple[Post, ...]]:
    """Return the posts before and after a post by their places, and the related ones for their cards."""
    connection = connections[database_of(Post)]
    now, listed_at = map(connection.ops.adapt_datetimefield_value, (timezone.now(), post.listed_at))
    elsewhere, moment = (now, post.series_id or _NOTHING, post.translation_group or ""), (listed_at, post.pk)
    rank = post.language, post.pk, post.category_id
    sent = (*elsewhere, *moment, *elsewhere, *moment, *rank, *elsewhere, post.pk, post.pk, post.category_id)
    rows = fetched(connection, _NEARBY, sent)
    beside = {row[0]: SeriesPart(row[2], row[3], row[4], is_current=False) for row in rows}
    related = sorted((row for row in rows if row[0] == _RELATED), key=lambda row: (*row[5:], row[1]), reverse=True)
    return beside, posts_on_cards([row[1] for row in related])


def nearby_posts(post: Post, *, series: SeriesAround | None = None, versions: Collection[str] = ()) -> NearbyPosts:
    """Return the posts near a post; at most three queries, whose result is remembered.

    ``series`` is what ``series_around`` returns, and ``versions`` are the slugs of the public translations.
    """
    sought = post.pk, post.category_id, post.series_id, post.translation_group, post.language, post.listed_at
    beside, related = remembered(("nearby posts", *sought), lambda: _read_near(post))
    if post.status != PostStatus.PUBLISHED:
        return NearbyPosts(related=tuple(before_their_end(related)), previous=None, next=None)
    before, after = _parts_beside(series, versions=versions) if series else (None, None)
    return NearbyPosts(
        related=tuple(before_their_end(related)),
        previous=before or beside.get(_EARLIER),
        next=after or beside.get(_LATER),
    )


def _parts_beside(series: SeriesAround, *, versions: Collection[str]) -> tuple[SeriesPart | None, SeriesPart | None]:
    """Return the parts before and after a post in reading order."""
    parts = [part for part in series.parts if part.slug not in versions]
    own = next(place for place, part in enumerate(parts) if part.is_current)
    return parts[own - 1] if own else None, parts[own + 1] if own + 1 < len(parts) else None
