"""Page views: counts and popular posts."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery, Sum

from blog_engine.models import PageView, Post, when_public


class DayViews(NamedTuple):
    """The views of one UTC day."""

    day: date
    views: int


class ViewedPost(NamedTuple):
    """A post of any status with its views."""

    id: int
    slug: str
    title: str
    views: int


def utc_day(moment: datetime) -> date:
    """Return the UTC day of a moment, to which a view at that moment counts."""
    return moment.astimezone(UTC).date()


def views_by_day(post_id: int, *, first: date, last: date) -> Sequence[DayViews]:
    """Return the days from ``first`` to ``last`` with views, ascending; one query."""
    rows = PageView.objects.filter(post=post_id, day__range=(first, last)).order_by("day")
    return [DayViews(day, views) for day, views in rows.values_list("day", "views")]


def blog_views_by_day(*, first: date, last: date) -> Sequence[DayViews]:
    """Return the days from ``first`` to ``last`` with views of any post, ascending; one query."""
    rows = PageView.objects.filter(day__range=(first, last)).order_by("day").values("day").annotate(total=Sum("views"))
    return [DayViews(day, views) for day, views in rows.values_list("day", "total")]


def most_viewed(*, days: int, today: date, limit: int) -> Sequence[ViewedPost]:
    """Return the most viewed posts of ``days`` days, ``today`` included; one query."""
    totals = _views_in(days=days, today=today).values("post_id").annotate(total=Sum("views"))
    best = totals.order_by("-total", "post_id").values("post_id")[:limit]
    # Joined to the views, the posts would be read once for each day.
    total = Subquery(totals.order_by().filter(post_id=OuterRef("pk")).values("total"))
    rows = Post.objects.filter(pk__in=best).annotate(total=total).order_by("-total", "pk")
    return [ViewedPost(*row) for row in rows.values_list("pk", "slug", "title", "total")]


def popular_ids(*, days: int, today: date, limit: int) -> Sequence[int]:
    """Return the ids of the most viewed public posts, then by id; one query."""
    public = _views_in(days=days, today=today).filter(when_public("post__"))
    totals = public.values("post_id").annotate(total=Sum("views")).order_by("-total", "post_id")
    return list(totals.values_list("post_id", flat=True)[:limit])


def _views_in(*, days: int, today: date) -> QuerySet[PageView]:
    return PageView.objects.filter(day__range=(today - timedelta(days=days - 1), today))
