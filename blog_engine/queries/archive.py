"""Public posts by year and month, in the current time zone."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.db import connections
from django.db.models import QuerySet
from django.utils import timezone

from blog_engine.conf.types import YIELDING_SEGMENTS
from blog_engine.enums import PostStatus
from blog_engine.models import UNDATED, Post, when_public
from blog_engine.models.reading import database_of, page_changes_at
from blog_engine.queries.compiled import CompiledValues, Parameter, among
from blog_engine.queries.ended import ended_ids, ended_posts
from blog_engine.queries.listings import STANDARD_ORDER
from blog_engine.queries.remembered import remembered

ARCHIVE_ROWS: Final = 100
"""The posts on a page of a year or month."""
MOST_YEARS: Final = 100
"""The years that are counted, the current one included."""
_LISTED_AT: Final = Post._meta.get_field("listed_at")


class Month(NamedTuple):
    """A month of the calendar, in the current time zone."""

    year: int
    month: int

    @property
    def following(self) -> "Month":
        """The next month."""
        return Month(self.year + 1, 1) if self.month == 12 else Month(self.year, self.month + 1)

    def start(self, zone: tzinfo) -> datetime:
        """Return the moment at which the month begins."""
        return datetime(self.year, self.month, 1, tzinfo=zone)

    @classmethod
    def of(cls, moment: datetime, zone: tzinfo) -> "Month":
        """Return the month of a moment."""
        local = moment.astimezone(zone)
        return cls(local.year, local.month)


class ArchivedPost(NamedTuple):
    """A post as the archive shows it."""

    slug: str
    title: str
    language: str
    published: datetime
    category: str | None
    category_slug: str | None


def posts_by_month(*, now: datetime) -> Mapping[Month, int]:
    """Return the number of public posts of each month that has some, oldest first; at most four queries.

    A post without a date does not count, and one whose date is in the future counts from then on.
    """
    zone = timezone.get_current_timezone()
    stored = _stored_numbers(zone, now=now)
    ended = Counter(Month.of(post.listed_at, zone) for post in ended_posts() if UNDATED < post.listed_at <= now)
    return {month: left for month, number in stored.items() if (left := number - ended[month]) > 0} if ended else stored


def _stored_numbers(zone: tzinfo, *, now: datetime) -> Mapping[Month, int]:
    current = Month.of(now, zone)
    newest = remembered("newest post", _NEWEST.first)
    counted = remembered(("posts by month", zone, current.year), lambda: _count(current.year, zone))
    if newest is None or newest <= now:
        return counted
    page_changes_at(_NEXT.first(now=now) or newest)
    # So rare that it is read again: the counts would be other ones a moment later.
    past = {month: number for month, number in counted.items() if month < current}
    number = _count_between([current.start(zone), _after(now)])[0]
    return past | ({current: number} if number else {})


def archived_posts(first: Month, last: Month, *, now: datetime, page: int, total: int) -> Sequence[ArchivedPost]:
    """Return a page of the ``total`` posts from one month to another, in the standard order; two queries.

    As on lists, their ids are counted from the nearer end, in an index.
    """
    zone = timezone.get_current_timezone()
    bounds = {"start": first.start(zone), "stop": min(last.following.start(zone), _after(now))}
    begin = (page - 1) * ARCHIVE_ROWS
    end = min(begin + ARCHIVE_ROWS, total)
    ids: Sequence[int]
    if ended := ended_ids():
        ids = list(_between(**bounds).exclude(pk__in=ended).values_list("pk", flat=True)[begin:end])
    elif begin <= total - end:
        ids = _ids(is_reversed=False).all(begin, **bounds)
    else:
        ids = _ids(is_reversed=True).all(total - end, **bounds)[: end - begin][::-1]
    rows = _ROWS.all(ids=ids)
    found = {pk: post for pk, status, end, post in rows if _is_public(status, end, now=now)}
    return [found[pk] for pk in ids if pk in found]


def _is_public(status: str, end: datetime | None, *, now: datetime) -> bool:
    return status == PostStatus.PUBLISHED and (end is None or end > now)


def older_posts_at_pages() -> frozenset[str]:
    """Return the slugs of public posts that have the path of a page which gives way to them; at most one query."""
    return remembered("older posts at pages", lambda: frozenset(_AT_PAGES.all()))


def _after(now: datetime) -> datetime:
    """Return the end of a period with ``now`` in it."""
    return now + timedelta.resolution


def _dated() -> QuerySet[Post]:
    return Post.objects.filter(when_public(), listed_at__gt=UNDATED)


_AT_PAGES: Final = CompiledValues(
    lambda: Post.objects.filter(when_public(), slug__in=sorted(YIELDING_SEGMENTS)).order_by().values_list("slug"), str
)
_OLDEST: Final = CompiledValues(
    lambda: _dated().order_by("listed_at").values_list("listed_at")[:1], lambda moment: moment
)
_NEWEST: Final = CompiledValues(
    lambda: _dated().order_by("-listed_at").values_list("listed_at")[:1], lambda moment: moment
)
_NEXT: Final = CompiledValues(
    lambda: (
        Post.objects.filter(when_public(), listed_at__gt=Parameter("now", _LISTED_AT))
        .order_by("listed_at")
        .values_list("listed_at")[:1]
    ),
    lambda moment: moment,
)


def _between(start: Any, stop: Any) -> QuerySet[Post]:
    listed = Post.objects.filter(when_public(), listed_at__gte=start, listed_at__lt=stop)
    return listed.order_by(*STANDARD_ORDER)


@cache
def _ids(*, is_reversed: bool) -> CompiledValues[int]:
    def ids() -> QuerySet[Any, Any]:
        posts = _between(Parameter("start", _LISTED_AT), Parameter("stop", _LISTED_AT))
        return (posts.reverse() if is_reversed else posts).values_list("pk")[:ARCHIVE_ROWS]

    return CompiledValues(ids, int)


_COLUMNS: Final = (
    "pk",
    "status",
    "expires_at",
    "slug",
    "title",
    "language",
    "listed_at",
    "category__name",
    "category__slug",
)
# Without the condition that they are public: SQLite would look through all public posts for these.
_ROWS: Final[CompiledValues[tuple[int, str, datetime | None, ArchivedPost]]] = CompiledValues(
    lambda: Post.objects.filter(among("pk", "ids")).order_by().values_list(*_COLUMNS),
    lambda pk, status, end, *columns: (pk, status, end, ArchivedPost(*columns)),
)


def _count(year: int, zone: tzinfo) -> Mapping[Month, int]:
    """Return the number of posts of each month up to the end of a year; at most two queries."""
    oldest = _OLDEST.first()
    if oldest is None:
        return {}
    last = Month(year, 12)
    first = max(Month.of(oldest, zone), Month(year - MOST_YEARS + 1, 1))
    months = list(_months(first, last))
    numbers = _count_between([month.start(zone) for month in [*months, last.following]]) if months else []
    return {month: number for month, number in zip(months, numbers, strict=True) if number}


def _months(first: Month, last: Month) -> Iterator[Month]:
    month = first
    while month <= last:
        yield month
        month = month.following


def _count_between(moments: Sequence[datetime]) -> list[int]:
    """Return the number of public posts between each two moments, counted in the index of lists; one query.

    Not grouped by month: SQLite would ask Python for the month of each post.
    """
    connection = connections[database_of(Post)]
    bounds = [_LISTED_AT.get_db_prep_value(moment, connection) for moment in moments]
    rows = ", ".join(["(%s, %s, %s)"] * (len(bounds) - 1))
    # The names are those of our own table.
    statement = f"""
        WITH period (place, start, stop) AS (VALUES {rows})
        SELECT (
            SELECT COUNT(*) FROM "{Post._meta.db_table}"
            WHERE status = %s AND listed_at >= period.start AND listed_at < period.stop
        ) FROM period ORDER BY place
    """  # noqa: S608
    given = [value for place, (start, stop) in enumerate(pairwise(bounds)) for value in (place, start, stop)]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*given, PostStatus.PUBLISHED.value])
        return [row[0] for row in cursor.fetchall()]
