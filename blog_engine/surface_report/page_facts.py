"""Author, dates and corrections of an article, as a page shows them and as its structured data says them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, Final, NamedTuple

from django.utils import timezone

from blog_engine.surface_report.html import HtmlPage, PageElement

PageDate = date | datetime
"""A day, or a moment with its time zone."""

_NOT_OF_THE_ARTICLE: Final = frozenset({"data-blog-card", "data-blog-body"})


def marked(root: PageElement, marker: str) -> Iterator[PageElement]:
    """Yield the elements with a marker, outside cards of other posts and outside the body."""
    return (one for one in root.all(outside=_NOT_OF_THE_ARTICLE) if marker in one.attrs)


def visible_author(page: HtmlPage) -> str:
    """Return the author that readers see, or several with commas; empty without one."""
    return ", ".join(dict.fromkeys(text for one in marked(page, "data-blog-author") if (text := one.visible_text())))


def author_link(page: HtmlPage) -> PageElement | None:
    """Return the first visible link that the author's name is, holds or is in."""
    for name in marked(page, "data-blog-author"):
        for link in chain([name], name.all("a"), name.around()):
            if link.name == "a" and "href" in link.attrs and link.visible_text():
                return link
    return None


class VisibleDates(NamedTuple):
    """The ``datetime`` of the published and the updated date that readers see, as it is written."""

    published: str | None
    updated: str | None


def visible_dates(page: HtmlPage) -> VisibleDates:
    """Return the dates that readers see with words that say which is which."""
    return VisibleDates(_labelled_date(page, "data-blog-published"), _labelled_date(page, "data-blog-updated"))


def dated_corrections(page: HtmlPage) -> Iterator[tuple[str, str]]:
    """Yield each visible date of a correction, as it is written, and the visible text of that correction."""
    for notice in marked(page, "data-blog-correction"):
        yield from ((time.attrs["datetime"], notice.visible_text()) for time in _visible_times(notice))


def _labelled_date(page: HtmlPage, marker: str) -> str | None:
    for place in marked(page, marker):
        for time in _visible_times(place):
            if place.visible_text() != time.visible_text():
                return time.attrs["datetime"]
    return None


def _visible_times(place: PageElement) -> Iterator[PageElement]:
    return (one for one in place.all("time") if "datetime" in one.attrs and one.visible_text())


def read_date(text: str | None) -> PageDate | None:
    """Return an ISO 8601 day or moment; a moment without offset is meant in the time zone of the site."""
    stripped = (text or "").strip()
    try:
        return date.fromisoformat(stripped)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(stripped)
        aware = moment if moment.tzinfo else timezone.make_aware(moment, timezone.get_default_timezone())
        # At both ends of the calendar there are moments that have no day in another zone.
        day_of(aware)
    except (ValueError, OverflowError):
        return None
    return aware


def day_of(written: PageDate) -> date:
    """Return the day in the time zone of the site."""
    if isinstance(written, datetime):
        return timezone.localtime(written, timezone.get_default_timezone()).date()
    return written


def is_same(one: PageDate, other: PageDate) -> bool:
    """Return whether two dates agree, compared as by ``is_after``."""
    return not is_after(one, other) and not is_after(other, one)


def is_after(one: PageDate, other: PageDate) -> bool:
    """Return whether one date is later: by day when one of the two is only a day, else to the second."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one.replace(microsecond=0) > other.replace(microsecond=0)
    return day_of(one) > day_of(other)


class StructuredAuthor(NamedTuple):
    """An author in structured data; a missing value is empty."""

    name: str
    type: str


class StructuredArticle(NamedTuple):
    """An article in structured data. Dates are as written, ``None`` without one, empty when it is no text."""

    headline: str
    authors: tuple[StructuredAuthor, ...]
    published: str | None
    modified: str | None
    has_image: bool

    @property
    def author_names(self) -> tuple[str, ...]:
        """Names that are not empty."""
        return tuple(author.name for author in self.authors if author.name)


def structured_articles(page: HtmlPage) -> tuple[StructuredArticle, ...]:
    """Return the schema.org articles on the page, alone or as the main entity of something else."""
    objects = page.structured_data()
    entities = [entity for one in objects for entity in _listed(one.get("mainEntity")) if isinstance(entity, dict)]
    named = {one["@id"]: one for one in objects if isinstance(one.get("@id"), str)}
    # NewsArticle, TechArticle and LiveBlogPosting are kinds of the two.
    articles = (
        one for one in (*objects, *entities) if any(t.endswith(("Article", "BlogPosting")) for t in _types(one))
    )
    return tuple(
        StructuredArticle(
            headline=_text(one.get("headline")),
            authors=tuple(_author(author, named=named) for author in _listed(one.get("author"))),
            published=_date(one.get("datePublished")),
            modified=_date(one.get("dateModified")),
            has_image=any(map(_is_image, _listed(one.get("image")))),
        )
        for one in articles
    )


def _author(value: object, *, named: Mapping[str, Mapping[str, Any]]) -> StructuredAuthor:
    if not isinstance(value, dict):
        return StructuredAuthor(name=_text(value), type="")
    reference = value.get("@id")
    # An author may be described once and then be referred to.
    whole = {**named.get(reference, {}), **value} if isinstance(reference, str) else value
    return StructuredAuthor(name=_text(whole.get("name")), type=next(iter(_types(whole)), ""))


def _types(data: Mapping[str, Any]) -> list[str]:
    return [text for one in _listed(data.get("@type")) if (text := _text(one))]


def _is_image(value: object) -> bool:
    urls = [value.get(key) for key in ("url", "contentUrl", "@id")] if isinstance(value, dict) else [value]
    return any(map(_text, urls))


def _date(value: object) -> str | None:
    return None if value is None or value == "" else _text(value)


def _listed(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, list) else (value,)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
