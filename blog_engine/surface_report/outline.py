"""T9, T10 and T13: headings and images of an article's page."""

import re
from itertools import pairwise
from typing import Final

from blog_engine.content.text import with_allowed_characters
from blog_engine.surface_report.html import PageElement
from blog_engine.surface_report.observation import Observation, cut, failed, judged_by, passed, quote
from blog_engine.surface_report.site import InspectedArticle, Inspection

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_POSITIVE: Final = re.compile(r"[1-9][0-9]{0,2}")
_MOST_NAMED: Final = 20
"""Elements in the details; a fault of a template has hundreds."""


def judge_heading_levels(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T9: no heading is more than one level below the one before it, as assistive technology reads them.

    A page may begin with ``h2``, such as that of a site's navigation (WAI tutorial on headings).
    """
    # The sign that links to a heading is no part of its text.
    headings = [
        (level, quote(one.visible_text().removesuffix("#").rstrip()))
        for one in article.page.html.all()
        if (level := _level_of(one)) and not one.is_hidden()
    ]
    if headings and headings[0][0] > 2:
        return failed(f"The page begins with a heading of level {headings[0][0]}: {headings[0][1]}.")
    skips = [
        f"After {text} of level {level} comes {next_text} of level {next_level}."
        for (level, text), (next_level, next_text) in pairwise(headings)
        if next_level > level + 1
    ]
    return judged_by(skips, well="The levels of the headings never skip.")


def judge_main_heading(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T10: the one ``h1`` is the title of the article."""
    texts = [one.visible_text() for one in article.page.html.all("h1") if not one.is_hidden()]
    title = " ".join(with_allowed_characters(article.record.post.title).split())
    if len(texts) != 1:
        return failed(
            f"The page has {len(texts)} visible h1 elements and should have exactly one.",
            details={"found": [cut(text) for text in texts[:_MOST_NAMED]]},
        )
    if texts[0] != title:
        return failed(f"The h1 says {quote(texts[0])} and should say {quote(title)}.")
    return passed("The page has one h1, the title of the article.")


def judge_image_texts(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T13: every image has an ``alt``, which is empty where it only decorates."""
    images = list(article.page.html.all("img"))
    without = [cut(one.attrs.get("src", "")) for one in images if "alt" not in one.attrs]
    if without:
        return failed(
            f"{len(without)} of {len(images)} images have no alt attribute.", details={"images": without[:_MOST_NAMED]}
        )
    return passed("Every image has an alt attribute." if images else "The page has no images.")


def _level_of(element: PageElement) -> int | None:
    """Return the level of a heading; ``None`` for other elements, such as a heading with another role."""
    role = element.attrs.get("role", "").strip().lower()
    if role not in {"", "heading"}:
        return None
    usual = _LEVELS.get(element.name, 2 if role else None)
    said = element.attrs.get("aria-level", "").strip()
    return int(said) if usual and _POSITIVE.fullmatch(said) else usual
