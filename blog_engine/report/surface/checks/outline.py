"""Headings and images of an article's page (records.md 16: T9, T10, T13)."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from blog_engine.content.text import with_allowed_characters
from blog_engine.report.surface.checks._open_page import of_open_page
from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, judged_by, passed
from blog_engine.report.surface.quoting import cut, quote

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_POSITIVE: Final = re.compile(r"[1-9][0-9]{0,2}")
_MOST_NAMED: Final = 20
"""Places that are named; a fault of a template has hundreds."""


class _Heading(NamedTuple):
    level: int
    text: str


@of_open_page
def check_heading_levels(article: Article, inspection: Inspection) -> Observation:
    """No heading of the page is more than one level below the one before it, as assistive technology reads them.

    A page may begin with ``h2``, such as that of a site's navigation (WAI tutorial on headings).
    """
    headings = list(_headings(article.page.html))
    if headings and headings[0].level > 2:
        return failed(f"The page begins with a heading of level {headings[0].level}: {quote(headings[0].text)}.")
    pairs = pairwise(headings)
    faults = [_describe_skip(before, after) for before, after in pairs if after.level > before.level + 1]
    return judged_by(faults, well="The levels of the headings never skip.")


@of_open_page
def check_main_heading(article: Article, inspection: Inspection) -> Observation:
    """The one heading of the first level is the title of the article."""
    texts = [one.visible_text() for one in article.page.html.root.all("h1") if not one.is_hidden()]
    title = " ".join(with_allowed_characters(article.record.post.title).split())
    if len(texts) != 1:
        return failed(
            f"The page has {len(texts)} visible h1 elements and should have exactly one.",
            details={"found": [cut(text) for text in texts[:_MOST_NAMED]]},
        )
    if texts[0] != title:
        return failed(f"The h1 says {quote(texts[0])} and should say {quote(title)}.")
    return passed("The page has one h1, the title of the article.")


@of_open_page
def check_image_texts(article: Article, inspection: Inspection) -> Observation:
    """Every image has an ``alt``, which is empty where it only decorates."""
    images = list(article.page.html.root.all("img"))
    without = [cut(one.attrs.get("src", "")) for one in images if "alt" not in one.attrs]
    if without:
        return failed(
            f"{len(without)} of {len(images)} images have no alt attribute.", details={"images": without[:_MOST_NAMED]}
        )
    return passed("Every image has an alt attribute." if images else "The page has no images.")


def _headings(page: HtmlPage) -> Iterator[_Heading]:
    for element in page.root.all():
        level = _level_of(element)
        if level and not element.is_hidden():
            # Without the sign that links to the heading.
            yield _Heading(level, element.visible_text().removesuffix("#").rstrip())


def _level_of(element: Element) -> int | None:
    """The level of a heading; ``None`` for what is none, such as a heading with another role."""
    role = element.attrs.get("role", "").strip().lower()
    if role not in {"", "heading"}:
        return None
    usual = _LEVELS.get(element.name, 2 if role else None)
    said = element.attrs.get("aria-level", "").strip()
    return int(said) if usual and _POSITIVE.fullmatch(said) else usual


def _describe_skip(before: _Heading, after: _Heading) -> str:
    return f"After {quote(before.text)} of level {before.level} comes {quote(after.text)} of level {after.level}."
