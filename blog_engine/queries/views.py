"""How often posts were read (records.md 17)."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import Sum

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


def views_by_day(post_id: int, *, first: date, last: date) -> Sequence[DayViews]:
    """The days from ``first`` to ``last`` on which the post was read, ascending; one query."""
    rows = PageView.objects.filter(post=post_id, day__range=(first, last)).order_by("day")
    return [DayViews(day, views) for day, views in rows.values_list("day", "views")]


def most_viewed(*, days: int, today: date, limit: int) -> Sequence[ViewedPost]:
    """The posts that were read most in the last ``days`` days, ``today`` included, then by id; one query."""
    counted = PageView.objects.filter(day__range=(today - timedelta(days=days - 1), today))
    totals = counted.values("post_id", "post__slug", "post__title").annotate(total=Sum("views"))
    rows = totals.order_by("-total", "post_id").values_list("post_id", "post__slug", "post__title", "total")
    return [ViewedPost(*row) for row in rows[:limit]]
