"""T3, T7 to T13 and T17: the head, the headings and the images of an article's page."""

import re
from itertools import pairwise
from typing import Final, Literal

from blog_engine.content.text import with_allowed_characters
from blog_engine.queries.articles import canonical_url
from blog_engine.surface_report.html import PageElement
from blog_engine.surface_report.observation import Observation, cut, failed, folded, judged_by, passed, quote
from blog_engine.surface_report.site import InspectedArticle, Inspection

_SHARING: Final = ("og:title", "og:type", "og:image", "og:url")
_LANGUAGE: Final = re.compile(
    r"""
    (?: (?: [a-z]{2,3} (?:-[a-z]{3}){0,3} | [a-z]{4,8} )   # language, extended
        (?: -[a-z]{4} )?                                   # script
        (?: -(?: [a-z]{2} | [0-9]{3} ) )?                  # region
        (?: -(?: [a-z0-9]{5,8} | [0-9][a-z0-9]{3} ) )*     # variants
        (?: -[0-9a-wy-z] (?: -[a-z0-9]{2,8} )+ )*          # extensions
        (?: -x (?: -[a-z0-9]{1,8} )+ )?                    # private use
    | x (?: -[a-z0-9]{1,8} )+
    | i-[a-z]{3,8} | en-gb-oed | sgn-(?: be-fr | be-nl | ch-de )
    )
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
"""A language tag (RFC 5646, section 2.1)."""
_WIDTH: Final = re.compile(r"(?:^|[\s,;])width\s*=\s*([^\s,;]*)", re.IGNORECASE)

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_POSITIVE: Final = re.compile(r"[1-9][0-9]{0,2}")
_MOST_NAMED: Final = 20
"""Elements in the details; a fault of a template has hundreds."""


def judge_canonical(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T3: one absolute canonical link, to the chosen URL or the article's own, which opens."""
    links = article.page.html.links("canonical")
    if len(links) != 1:
        return failed(f"The page has {len(links)} canonical links and should have exactly one.")
    expected = canonical_url(article.record.post, urls=inspection.site.urls)
    found = links[0].attrs.get("href", "").strip()
    if found != expected:
        return failed(
            f"The canonical link leads to {quote(found)} and should lead to {quote(expected)}.",
            details={"expected": cut(expected), "found": cut(found)},
        )
    target = inspection.site.open(expected)
    if not target.is_open:
        return target.unavailable(f"The canonical URL {cut(expected)}")
    return passed("The canonical link leads to the right URL, which opens.")


def judge_title(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T7: the page has one title, and no other inspected article has the same."""
    titles = article.page.html.titles
    if len(titles) > 1:
        return failed(f"The page has {len(titles)} title elements and should have one.")
    return _judge_unique("title", article, inspection)


def judge_description(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T8: the page has a description, and no other inspected article has the same."""
    return _judge_unique("description", article, inspection)


def judge_language(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T11: the page names its language with a well-formed tag."""
    language = article.page.html.language
    if language is None:
        return failed("The html element has no lang attribute.")
    if not _LANGUAGE.fullmatch(language):
        return failed(f"The language {quote(language)} is not a well-formed language tag.")
    return passed(f"The page says that its language is {language}.")


def judge_viewport(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T12: the page is laid out as wide as the device."""
    viewports = article.page.html.metas("viewport")
    if len(viewports) != 1:
        has = f"{len(viewports)} viewport elements and should have one" if viewports else "no viewport element"
        return failed(f"The page has {has}.")
    widths = _WIDTH.findall(viewports[0])
    if not widths or widths[-1].lower() != "device-width":
        return failed(f"The viewport {quote(viewports[0])} does not declare width=device-width.")
    return passed("The viewport is as wide as the device.")


def judge_sharing(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T17: the Open Graph properties of shared links are present."""
    missing = [name for name in _SHARING if not any(article.page.html.properties(name))]
    return judged_by(
        [f"The page has no {name}." for name in missing],
        well="Title, type, image and URL for shared links are present.",
    )


def _judge_unique(
    what: Literal["title", "description"], article: InspectedArticle, inspection: Inspection
) -> Observation:
    text = getattr(article.page.html, what)
    if not text.strip():
        return failed(f"The page has no {what}, or an empty one.")
    others = [one for one in inspection.articles if one.page.is_open and one.id != article.id]
    if same := [one.id for one in others if folded(getattr(one.page.html, what)) == folded(text)]:
        number = f"{len(same)} other inspected article{'s' * (len(same) > 1)}"
        return failed(f"The {what} {quote(text)} is also that of {number}.", details={"articles": same})
    return passed(f"The page has a {what}, and no other inspected article has the same.")


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
