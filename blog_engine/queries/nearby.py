"""The posts around a post: the parts of its series, related posts, and the posts before and after it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Case, Count, DateTimeField, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from blog_engine.enums import PostStatus
from blog_engine.models import Post, PostTag, Series, before_end
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter
from blog_engine.queries.listings import in_reading_order, on_cards, public_posts
from blog_engine.queries.remembered import before_their_end, remembered, with_authors

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
    """A part of a series."""

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
    previous: Post | SeriesPart | None
    next: Post | SeriesPart | None


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
    start = max(0, min(before - MOST_PARTS // 2, len(parts) - MOST_PARTS))
    return SeriesAround(
        name=series.text,
        slug=series.address,
        parts=tuple(
            SeriesPart(row.address, row.text, row.language, row is own) for row in parts[start : start + MOST_PARTS]
        ),
        first=start + 1 if before < MOST_PARTS else None,
        number=before + 1 if before < MOST_PARTS else None,
        total=len(parts) if is_whole else (series.place or 0) + (not is_counted),
    )


def _reading_order(row: _Row) -> tuple[bool, int, int]:
    return row.place is None, row.place or 0, row.key


def _ranked(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Order posts: those in the language of the post, then by the tags that they share with it, those of its category,
    then the newest.
    """
    tags = PostTag.objects.filter(post=Parameter("post")).order_by().values("tag")
    shared = PostTag.objects.filter(post=OuterRef("pk"), tag__in=tags).order_by().values("post")
    in_category = Case(When(category=Parameter("category"), then=Value(1)), default=Value(0))
    in_language = Case(When(language=Parameter("language"), then=Value(1)), default=Value(0))
    ranked = posts.annotate(
        in_language=in_language,
        shared=Coalesce(Subquery(shared.annotate(number=Count("id")).values("number")), 0, output_field=IntegerField()),
        in_category=in_category,
    )
    return ranked.order_by("-in_language", "-shared", "-in_category", "-listed_at", "-id")


def _nearby() -> QuerySet[Post]:
    """Return the candidates for ``nearby_posts``: by tag, the newest, and the nearest in the order of publication."""
    public, listed, own = public_posts(), Parameter("listed", DateTimeField()), Parameter("post")
    rare = PostTag.objects.filter(post=own, tag__list_count__posts__lte=_RARE).order_by()
    # Joined from the tags of the post on, and limited: otherwise databases read all tags, or all posts, first.
    tagged = rare.values("tag__taggings__post").annotate(number=Count("pk")).order_by("-number", "-tag__taggings__post")
    candidates = (
        public.filter(pk__in=tagged.values("tag__taggings__post")[:_TAGGED]),
        Post.objects.filter(pk__in=public.filter(category=Parameter("category")).values("pk")[:_NEWEST]),
        Post.objects.filter(pk__in=public.values("pk")[:_NEWEST]),
    )
    group, series = Parameter("group"), Parameter("series")
    others = (posts.exclude(pk=own).exclude(series=series).exclude(translation_group=group) for posts in candidates)
    related = (_among_these(_ranked(posts), _RELATED_POSTS) for posts in others)
    # Each is found in the index of lists, however many posts have the same date.
    elsewhere = public.exclude(series=series).exclude(translation_group=group)
    beside = (
        elsewhere.filter(listed_at=listed, pk__lt=own),
        elsewhere.filter(listed_at__lt=listed),
        elsewhere.filter(listed_at=listed, pk__gt=own).reverse(),
        elsewhere.filter(listed_at__gt=listed).reverse(),
    )
    ids = [one.values("pk") for one in (*related, *(_among_these(posts, 1) for posts in beside))]
    found = on_cards(Post.objects.filter(pk__in=ids[0].union(*ids[1:])))
    return _ranked(found).annotate(listed=F("listed_at"))


_NEARBY: Final[CompiledModels[Any]] = CompiledModels(_nearby)


def nearby_posts(post: Post, *, series: SeriesAround | None = None, versions: Collection[str] = ()) -> NearbyPosts:
    """Return the posts near a post; at most two queries, whose result is remembered.

    ``series`` is what ``series_around`` returns, and ``versions`` are the slugs of the public translations.
    """
    listed: datetime = post.listed_at
    sought = {
        "post": post.pk,
        "category": post.category_id,
        "series": post.series_id or _NOTHING,
        "group": post.translation_group or "",
        "language": post.language,
        "listed": listed,
    }
    public = remembered(("nearby posts", *sought.values()), lambda: _NEARBY.all(**sought))
    found = list(before_their_end(public))
    own, is_public = (listed, post.pk), post.status == PostStatus.PUBLISHED
    earlier = [one for one in found if _moment(one) < own] if is_public else []
    later = [one for one in found if _moment(one) > own] if is_public else []
    before, after = _parts_beside(series, versions=versions) if series and is_public else (None, None)
    return NearbyPosts(
        related=with_authors(found[:_RELATED_POSTS]),
        previous=before or max(earlier, key=_moment, default=None),
        next=after or min(later, key=_moment, default=None),
    )


def _parts_beside(series: SeriesAround, *, versions: Collection[str]) -> tuple[SeriesPart | None, SeriesPart | None]:
    """Return the parts before and after a post in reading order."""
    parts = [part for part in series.parts if part.slug not in versions]
    own = next(place for place, part in enumerate(parts) if part.is_current)
    return parts[own - 1] if own else None, parts[own + 1] if own + 1 < len(parts) else None


def _moment(found: Any) -> tuple[datetime, int]:
    return found.listed, found.pk
