"""What the head of an article's page says (records.md 16: T3, T7, T8, T11, T12, T17)."""

import re
from collections.abc import Callable
from typing import Final

from blog_engine.queries.articles import canonical_url
from blog_engine.report.surface.checks._open_page import of_open_page
from blog_engine.report.surface.html import HtmlPage
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, judged_by, passed
from blog_engine.report.surface.quoting import cut, folded, quote

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
"""A tag as RFC 5646 writes it, section 2.1."""
_WIDTH: Final = re.compile(r"(?:^|[\s,;])width\s*=\s*([^\s,;]*)", re.IGNORECASE)


@of_open_page
def check_canonical(article: Article, inspection: Inspection) -> Observation:
    """One absolute canonical link, to the chosen address or the article's own, and that one opens."""
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
        return target.unavailable(f"The canonical address {cut(expected)}")
    return passed("The canonical link leads to the right address, which opens.")


@of_open_page
def check_title(article: Article, inspection: Inspection) -> Observation:
    """The page has one title, and no other inspected article has the same."""
    titles = article.page.html.titles
    if len(titles) > 1:
        return failed(f"The page has {len(titles)} title elements and should have one.")
    return _check_text("title", article, inspection, read=lambda page: page.title)


@of_open_page
def check_description(article: Article, inspection: Inspection) -> Observation:
    """The page has a description, and no other inspected article has the same."""
    return _check_text("description", article, inspection, read=_description)


@of_open_page
def check_language(article: Article, inspection: Inspection) -> Observation:
    """The page says its language with a well-formed tag."""
    language = article.page.html.language
    if language is None:
        return failed("The html element has no lang attribute.")
    if not _LANGUAGE.fullmatch(language):
        return failed(f"The language {quote(language)} is not a well-formed language tag.")
    return passed(f"The page says that its language is {language}.")


@of_open_page
def check_viewport(article: Article, inspection: Inspection) -> Observation:
    """The page is laid out as wide as the device."""
    viewports = article.page.html.metas("viewport")
    if not viewports:
        return failed("The page has no viewport element.")
    if len(viewports) > 1:
        return failed(f"The page has {len(viewports)} viewport elements and should have one.")
    widths = _WIDTH.findall(viewports[0])
    if not widths or widths[-1].lower() != "device-width":
        return failed(f"The viewport {quote(viewports[0])} does not declare width=device-width.")
    return passed("The viewport is as wide as the device.")


@of_open_page
def check_sharing(article: Article, inspection: Inspection) -> Observation:
    """The page says how it wants to be shown where it is shared."""
    missing = [name for name in _SHARING if not any(article.page.html.properties(name))]
    return judged_by(
        [f"The page has no {name}." for name in missing], well="Title, type, image and address for sharing are there."
    )


def _check_text(what: str, article: Article, inspection: Inspection, *, read: Callable[[HtmlPage], str]) -> Observation:
    text = read(article.page.html)
    if not text.strip():
        return failed(f"The page has no {what}, or an empty one.")
    others = [one for one in inspection.articles if one.page.is_open and one.id != article.id]
    same = [one.id for one in others if folded(read(one.page.html)) == folded(text)]
    if same:
        return failed(
            f"The {what} {quote(text)} is also that of {len(same)} other inspected article{'s' * (len(same) > 1)}.",
            details={"articles": same},
        )
    return passed(f"The page has a {what}, and no other inspected article has the same.")


def _description(page: HtmlPage) -> str:
    return next(iter(page.metas("description")), "")
