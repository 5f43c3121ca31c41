"""The archive: years and months, and the posts of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, page_path
from blog_engine.conf import get_settings
from blog_engine.enums import ListKind
from blog_engine.queries.archive import (
    ARCHIVE_ROWS,
    ArchivedPost,
    Month,
    archived_posts,
    older_posts_at_pages,
    posts_by_month,
)
from blog_engine.queries.pagination import page_count
from blog_engine.reader.browse import ARCHIVE_NAME, browse_links, browse_page
from blog_engine.reader.cards import Named, shown_language
from blog_engine.reader.page import Crumb, PageKind, heading_of_page, page_links, page_number, title_of_page
from blog_engine.reader.post import public_article
from blog_engine.reader.view import PAGE_QUERY, ReaderView, queries_of
from blog_engine.rules.dates import day_in_words

_JANUARY, _DECEMBER = 1, 12


class ArchiveMonth(NamedTuple):
    """A month of a year in the archive."""

    name: str
    """The name in the active language, such as ``November 2026``."""
    short_name: str
    """The abbreviated name of the month."""
    path: str
    """Empty for a month without posts."""
    posts: int
    is_current: bool
    """Whether this month is the page."""


class ArchiveYear(NamedTuple):
    """A year in the archive, with its twelve months."""

    name: str
    path: str
    posts: int
    months: tuple[ArchiveMonth, ...]
    """All twelve, from January on."""
    is_current: bool
    """Whether this year is the page."""


class ArchiveRow(NamedTuple):
    """A post in the archive."""

    title: str
    language: str
    """The tag of a post in another language than the page; otherwise empty."""
    path: str
    published: datetime
    day: str
    """The day in the active language, without the year."""
    category: Named | None


class ArchiveGroup(NamedTuple):
    """The posts of a month on one page."""

    month: ArchiveMonth
    rows: tuple[ArchiveRow, ...]


@dataclass(frozen=True, slots=True)
class _Period:
    """A year or a month that has posts."""

    name: str
    path: str
    first: Month
    last: Month
    posts: int


class ArchiveView(ReaderView):
    """The years and months that have posts."""

    kept_queries = queries_of("format=html")

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        article = public_article(self, "archive") if "archive" in older_posts_at_pages() else None
        if article is not None:
            return article
        if self.has_unknown_format():
            return self.not_found()
        counts = posts_by_month(now=self.now)
        years = [_year(period, counts, current=None, urls=self.urls) for period in _years(counts, urls=self.urls)]
        path = self.urls.archive_path()
        description = _("All posts of %(site)s by year and month.") % {"site": get_settings().site_name}
        page = browse_page(
            PageKind.ARCHIVE,
            title=str(ARCHIVE_NAME),
            description=description,
            path=path,
            entries=[(year.name, year.path) for year in years],
            crumbs=[Crumb(str(ARCHIVE_NAME), path)],
            urls=self.urls,
        )
        return self.conditional_page(
            "archive",
            page,
            heading=str(ARCHIVE_NAME),
            description=description,
            total=sum(counts.values()),
            years=years,
            groups=(),
            newer=None,
            older=None,
            pages=None,
            browse=browse_links(self.urls, current=path),
        )


class ArchivePeriodView(ReaderView):
    """A page of the posts of a year or month."""

    kept_queries = queries_of(PAGE_QUERY)

    def get(self, request: HttpRequest, *, year: str, month: str | None = None, **kwargs: Any) -> HttpResponseBase:
        if self.has_unknown_format():
            return self.not_found()
        counts = posts_by_month(now=self.now)
        periods = _months(counts, urls=self.urls) if month else _years(counts, urls=self.urls)
        wanted = Month(int(year), int(month or _JANUARY))
        place = next((place for place, period in enumerate(periods) if period.first == wanted), None)
        if place is None:
            return self.fallback()
        number = page_number(request.GET.getlist("page"))
        last = page_count(periods[place].posts, per_page=ARCHIVE_ROWS)
        if number is None or number > last:
            return self.not_found()
        return self._period_page(periods, place, counts, number=number)

    def _period_page(
        self, periods: Sequence[_Period], place: int, counts: Mapping[Month, int], *, number: int
    ) -> HttpResponseBase:
        period = periods[place]
        posts = archived_posts(period.first, period.last, now=self.now, page=number, total=period.posts)
        description = _("The posts of %(site)s from %(period)s.") % {
            "site": get_settings().site_name,
            "period": period.name,
        }
        year = next(one for one in _years(counts, urls=self.urls) if one.first.year == period.first.year)
        crumbs = [Crumb(str(ARCHIVE_NAME), self.urls.archive_path()), Crumb(year.name, year.path)]
        if period.path != year.path:
            crumbs.append(Crumb(period.name, period.path))
        page = browse_page(
            PageKind.ARCHIVE,
            title=title_of_page(period.name, number),
            description=title_of_page(description, number),
            path=page_path(period.path, number),
            entries=[(post.title, self.urls.post_path(post.slug)) for post in posts],
            crumbs=crumbs,
            urls=self.urls,
        )
        return self.conditional_page(
            "archive",
            page,
            heading=heading_of_page(period.name, number),
            description=description,
            total=period.posts,
            years=[_year(year, counts, current=period, urls=self.urls)],
            groups=_groups(posts, counts, current=period, urls=self.urls),
            newer=Named(periods[place - 1].name, periods[place - 1].path) if place else None,
            older=Named(periods[place + 1].name, periods[place + 1].path) if place + 1 < len(periods) else None,
            pages=page_links(period.path, current=number, count=page_count(period.posts, per_page=ARCHIVE_ROWS)),
            browse=browse_links(self.urls, current=self.urls.archive_path()),
        )


def _years(counts: Mapping[Month, int], *, urls: BlogURLs) -> list[_Period]:
    """Return the years that have posts, newest first."""
    posts: dict[int, int] = {}
    for month, number in counts.items():
        posts[month.year] = posts.get(month.year, 0) + number
    return [
        _Period(f"{year:04}", urls.archive_path(year), Month(year, _JANUARY), Month(year, _DECEMBER), posts[year])
        for year in sorted(posts, reverse=True)
    ]


def _months(counts: Mapping[Month, int], *, urls: BlogURLs) -> list[_Period]:
    """Return the months that have posts, newest first."""
    return [
        _Period(_name_of(month), urls.archive_path(*month), month, month, counts[month])
        for month in sorted(counts, reverse=True)
    ]


def _name_of(month: Month) -> str:
    return date_format(date(month.year, month.month, 1), "YEAR_MONTH_FORMAT")


def _year(period: _Period, counts: Mapping[Month, int], *, current: _Period | None, urls: BlogURLs) -> ArchiveYear:
    year = period.first.year
    months = (_month(Month(year, number), counts, current=current, urls=urls) for number in range(1, _DECEMBER + 1))
    is_current = current is not None and current.path == period.path
    return ArchiveYear(period.name, period.path, period.posts, tuple(months), is_current=is_current)


def _month(month: Month, counts: Mapping[Month, int], *, current: _Period | None, urls: BlogURLs) -> ArchiveMonth:
    number = counts.get(month, 0)
    path = urls.archive_path(*month) if number else ""
    short_name = date_format(date(month.year, month.month, 1), "M")
    is_current = current is not None and current.path == path
    return ArchiveMonth(_name_of(month), short_name, path, number, is_current=is_current)


def _groups(
    posts: Sequence[ArchivedPost], counts: Mapping[Month, int], *, current: _Period, urls: BlogURLs
) -> tuple[ArchiveGroup, ...]:
    zone = timezone.get_current_timezone()
    by_month = groupby(posts, key=lambda post: Month.of(post.published, zone))
    return tuple(
        ArchiveGroup(_month(month, counts, current=current, urls=urls), tuple(_row(post, urls=urls) for post in group))
        for month, group in by_month
    )


def _row(post: ArchivedPost, *, urls: BlogURLs) -> ArchiveRow:
    category = (
        Named(post.category, urls.list_path(ListKind.CATEGORY, post.category_slug))
        if post.category and post.category_slug
        else None
    )
    day = day_in_words(timezone.localtime(post.published), "MONTH_DAY_FORMAT")
    return ArchiveRow(
        post.title, shown_language(post.language), urls.post_path(post.slug), post.published, day, category
    )
