"""The dates that a page shows of its article (reader.md 15)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils import translation
from django.utils.translation import pgettext

from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.own_elements import elements_of_content, elements_of_page

_MOST_TIMES: Final = 500
"""More than an article says of itself, and few enough to look around each."""


@dataclass(frozen=True, slots=True)
class VisibleDates:
    """The ``datetime`` of what readers see as the published and the updated date, as it is written there."""

    published: str | None
    updated: str | None


@dataclass(frozen=True, slots=True)
class _Words:
    published: str
    updated: str


def visible_dates(page: HtmlPage, *, catalogue: str) -> VisibleDates:
    """The dates with our labels, in the language of ``catalogue``, or with the property that schema.org has for them.

    A host's own byline says the same in other words: there the first date is the published one, the second the
    updated one.
    """
    with translation.override(catalogue):
        words = _Words(pgettext("before a date", "Published"), pgettext("before a date", "Updated"))
    for elements in (elements_of_content, elements_of_page):
        times = list(_times(elements(page)))
        if times:
            return _told_apart(times, words)
    return VisibleDates(None, None)


def visible_times(elements: Iterator[Element]) -> Iterator[Element]:
    """The first ``time`` elements with a ``datetime``, of those the ones whose text readers see."""
    dated = (one for one in elements if one.name == "time" and "datetime" in one.attrs)
    return (one for one in islice(dated, _MOST_TIMES) if one.visible_text())


def _times(elements: Iterator[Element]) -> Iterator[Element]:
    return (one for one in visible_times(elements) if _around(one, _is_body_or_correction) is None)


def _told_apart(times: list[Element], words: _Words) -> VisibleDates:
    published = _first(times, label=words.published, prop="datePublished")
    updated = _first(times, label=words.updated, prop="dateModified")
    ours = {words.published, words.updated}
    others = iter(one for one in times if one not in (published, updated) and _has_words_of_host(one, ours=ours))
    published = published or next(others, None)
    updated = updated or next(others, None)
    return VisibleDates(
        published=published.attrs["datetime"] if published else None,
        updated=updated.attrs["datetime"] if updated else None,
    )


def _first(times: list[Element], *, label: str, prop: str) -> Element | None:
    marked = (one for one in times if prop in one.attrs.get("itemprop", "").split() or _label_of(one) == label)
    return next(marked, None)


def _label_of(time: Element) -> str | None:
    """What stands before a date of a byline built like ours, empty where nothing visible does; ``None`` elsewhere."""
    fact = _around(time, lambda one: "blog-fact" in one.attrs.get("class", "").split())
    if fact is None:
        return None
    return " ".join(one.visible_text() for one in fact.with_class("blog-fact__label")).strip().removesuffix(":").strip()


def _has_words_of_host(time: Element, *, ours: set[str]) -> bool:
    label = _label_of(time)
    return label is None or (label != "" and label not in ours)


def _is_body_or_correction(element: Element) -> bool:
    return "data-blog-body" in element.attrs or "blog-correction" in element.attrs.get("class", "").split()


def _around(element: Element, fits: Callable[[Element], bool]) -> Element | None:
    around = element.parent
    while around is not None and not fits(around):
        around = around.parent
    return around
