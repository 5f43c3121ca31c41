"""Page views as charts: of one post, and of the blog."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext

from blog_engine.admin.base import ANY_OF_POSTS, DeskView
from blog_engine.admin.post_page import PostPage
from blog_engine.models import Post
from blog_engine.queries.page_views import blog_views_by_day, most_viewed, utc_day, views_by_day
from blog_engine.queries.reviews import post_without_content

HEIGHT: Final = 100
"""The height of a chart in its own units; the page stretches it."""
_STEP: Final = 10
_BAR: Final = 8
_DATES: Final = 5
"""The dates below a chart."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A day and its bar; coordinates are texts, which no language writes with another separator."""

    day: date
    value: int
    x: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """The bars of consecutive days, and what the axes say."""

    bars: Sequence[Bar]
    top: int
    """The value at the upper edge."""
    total: int

    @classmethod
    def of(cls, counted: Mapping[date, int], *, first: date, last: date) -> "BarChart":
        """Return the chart of all days from ``first`` to ``last``; days that are not counted have 0."""
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        values = [counted.get(day, 0) for day in days]
        top = round_top(max(values, default=0))
        bars = []
        for number, (day, value) in enumerate(zip(days, values, strict=True)):
            x, height = number * _STEP + (_STEP - _BAR) // 2, HEIGHT * value / top
            bars.append(Bar(day, value, x=str(x), y=f"{HEIGHT - height:.2f}", height=f"{height:.2f}"))
        return cls(bars, top, sum(values))

    @property
    def width(self) -> str:
        """The width of the chart in its own units."""
        return str(len(self.bars) * _STEP)

    @property
    def middle(self) -> int:
        """The value in the middle of the axis."""
        return self.top // 2

    @property
    def dates(self) -> Sequence[date]:
        """The days below the chart, evenly spread."""
        last = len(self.bars) - 1
        return [self.bars[round(last * number / (_DATES - 1))].day for number in range(_DATES)] if last > 0 else []

    @property
    def best(self) -> Bar | None:
        """The first of the days with the most, if any day has something."""
        found = max(self.bars, key=lambda bar: bar.value, default=None)
        return found if found and found.value else None

    @property
    def average(self) -> float:
        """The mean of all days."""
        return self.total / len(self.bars) if self.bars else 0.0

    @property
    def newest_first(self) -> Sequence[Bar]:
        """The bars in the order of the table."""
        return self.bars[::-1]


def round_top(most: int) -> int:
    """Return an even round number that is at least ``most``."""
    power = 1
    while True:
        for factor in (2, 3, 4, 6, 10):
            if (top := factor * power) >= most and top % 2 == 0:
                return top
        power *= 10


_PERIODS: Final = (30, 90, 365)
_MOST_POSTS: Final = 10


class ChartPage(DeskView):
    """Base of both pages."""

    permissions = ANY_OF_POSTS

    @cached_property
    def days(self) -> int:
        """The days that the chart shows, today (UTC) included."""
        sent = self.request.GET.get("days", "")
        return next((days for days in _PERIODS if str(days) == sent), _PERIODS[0])

    @property
    def last(self) -> date:
        """Today."""
        return utc_day(self.now)

    @property
    def first(self) -> date:
        """The first day of the chart."""
        return self.last - timedelta(days=self.days - 1)

    def chart_of(self, counted: Iterable[tuple[date, int]]) -> dict[str, Any]:
        """Return what the template needs to draw counted days, with links to the other periods."""
        texts = {days: ngettext("%(days)s day", "%(days)s days", days) % {"days": days} for days in _PERIODS}
        return {
            "chart": BarChart.of(dict(counted), first=self.first, last=self.last),
            "days": self.days,
            "periods": [(text, f"?days={days}", days == self.days) for days, text in texts.items()],
        }


class PostViewsView(ChartPage, PostPage):
    """The views of one post, in any state."""

    page_name = "views"

    def find(self, post_id: int) -> Post | None:
        return post_without_content(post_id)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Show the chart."""
        counted = views_by_day(self.record.pk, first=self.first, last=self.last)
        return self.post_page("views.html", title=gettext("Page views"), **self.chart_of(counted))


class BlogViewsView(ChartPage):
    """The views of all posts together, and the posts with the most."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the chart."""
        counted = blog_views_by_day(first=self.first, last=self.last)
        posts = most_viewed(days=self.days, today=self.last, limit=_MOST_POSTS)
        return self.page(
            "views.html",
            title=gettext("Page views of the blog"),
            posts=[(post, self.url("views", post.id)) for post in posts],
            is_blog=True,
            **self.chart_of(counted),
        )
