"""Page views: counts and popular posts."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from django.db.models import QuerySet, Sum

from blog_engine.enums import PostStatus
from blog_engine.models import PageView


class DayViews(NamedTuple):
    """The views of one UTC day."""

    day: date
    views: int


class ViewedPost(NamedTuple):
    """A post of any state with its views."""

    id: int
    slug: str
    title: str
    views: int


def counted_day(moment: datetime) -> date:
    """The day that a view at this moment belongs to: that of UTC (decisions.md 9.17)."""
    return moment.astimezone(UTC).date()


def views_by_day(post_id: int, *, first: date, last: date) -> Sequence[DayViews]:
    """The days from ``first`` to ``last`` on which the post was read, ascending; one query."""
    rows = PageView.objects.filter(post=post_id, day__range=(first, last)).order_by("day")
    return [DayViews(day, views) for day, views in rows.values_list("day", "views")]


def most_viewed(*, days: int, today: date, limit: int) -> Sequence[ViewedPost]:
    """The posts that were read most in the last ``days`` days, ``today`` included, then by id; one query."""
    totals = _counted(days=days, today=today).values("post_id", "post__slug", "post__title")
    rows = totals.annotate(total=Sum("views")).order_by("-total", "post_id")
    return [ViewedPost(*row) for row in rows.values_list("post_id", "post__slug", "post__title", "total")[:limit]]


def popular_ids(*, days: int, today: date, limit: int) -> Sequence[int]:
    """The ids of the public posts that were read most, in that order, then by id; one query (reader.md 18)."""
    public = _counted(days=days, today=today).filter(post__status=PostStatus.PUBLISHED.value)
    totals = public.values("post_id").annotate(total=Sum("views")).order_by("-total", "post_id")
    return list(totals.values_list("post_id", flat=True)[:limit])


def _counted(*, days: int, today: date) -> QuerySet[PageView]:
    return PageView.objects.filter(day__range=(today - timedelta(days=days - 1), today))
