"""A rendered body for feeds, where neither the page nor its style sheet is there."""

import re
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import urljoin

from blog_engine.content.corrections import DatedNote
from blog_engine.content.direction import mark_direction
from blog_engine.content.faq import FaqPair, answer_html
from blog_engine.content.formulas import tex_of
from blog_engine.content.html import Element, Node, parse_html, walk
from blog_engine.content.sanitize import TAGS, write_clean_html

_RENDERED: Final = TAGS | {"picture", "source", "button", "math", "semantics", "annotation"}
_QUERY: Final = re.compile("[?#]")
_BLANK_LINES: Final = re.compile(r"\s*\n\s*\n\s*")
_URL_ATTRIBUTES: Final = ("href", "src")
_FOR_THE_PAGE: Final = frozenset({"class", "tabindex", "data-lang", "data-blog-diagram", "id"})
_ONLY_ON_THE_PAGE: Final = frozenset({"blog-heading-anchor", "blog-code-lang", "blog-copy", "blog-embed-load"})
KEPT: Final = 200
"""Cached articles, those of ten feeds: one of 10 kB takes about 1 ms to make, and 25 kB of memory."""


class Cover(NamedTuple):
    """The cover of an article; ``note`` says where it comes from."""

    src: str
    alt: str
    width: int
    height: int
    note: str = ""


class AroundBody(NamedTuple):
    """The parts of an article that are no part of its body, with the headings of the sections."""

    notices: tuple[str, ...] = ()
    cover: Cover | None = None
    corrections: tuple[DatedNote, ...] = ()
    corrections_heading: str = ""
    faq: tuple[FaqPair, ...] = ()
    faq_heading: str = ""


_NOTHING: Final = AroundBody()


@lru_cache(maxsize=KEPT)
def syndicated_html(html: str, *, url: str, around: AroundBody = _NOTHING) -> str:
    """Return a rendered body with what is around it for feeds, in the order of the page (feeds.full-content).

    URLs become absolute on ``url``, that of the article. What needs the page is left out: heading anchors, copy
    buttons, labels of languages, and classes. A formula is its TeX.
    """
    tree = parse_html(html, tags=_RENDERED, keep=lambda tag, name, value: True)
    _remove_page_parts(tree)
    tree.children[:0] = [*(Element("p", children=[notice]) for notice in around.notices), *_figure_of(around.cover)]
    tree.children += _corrections(around.corrections, around.corrections_heading)
    tree.children += _questions(around.faq, around.faq_heading)
    # A feed reader does not know the direction of the blog.
    mark_direction(tree, direction="ltr")
    for element in walk(tree):
        _adapt(element, url=url)
    _unwrap_bare_spans(tree)
    return write_clean_html(tree)


def _figure_of(cover: Cover | None) -> list[Element]:
    if cover is None:
        return []
    size = {"width": str(cover.width), "height": str(cover.height)}
    caption = [Element("figcaption", children=[cover.note])] if cover.note else []
    return [Element("figure", children=[Element("img", {"src": cover.src, "alt": cover.alt, **size}), *caption])]


def _corrections(corrections: tuple[DatedNote, ...], heading: str) -> list[Node]:
    section: list[Node] = [Element("h2", children=[heading])] if corrections else []
    for correction in corrections:
        first, *others = _BLANK_LINES.split(correction.note.replace("\r\n", "\n").strip())
        section.append(Element("p", children=[Element("strong", children=[correction.date]), " ", *_lines(first)]))
        section += [Element("p", children=_lines(paragraph)) for paragraph in others]
    return section


def _questions(faq: tuple[FaqPair, ...], heading: str) -> list[Node]:
    section: list[Node] = [Element("h2", children=[heading])] if faq else []
    for pair in faq:
        answer = parse_html(answer_html(pair.answer), tags=TAGS, keep=lambda tag, name, value: True)
        section += [Element("h3", children=[pair.question]), *answer.children]
    return section


def _lines(paragraph: str) -> list[Node]:
    first, *others = paragraph.split("\n")
    return [first, *(part for line in others for part in (Element("br"), line))]


def _remove_page_parts(element: Element) -> None:
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            css_class = child.attrs.get("class", "")
            if css_class in _ONLY_ON_THE_PAGE:
                if children and isinstance(children[-1], str):
                    children[-1] = children[-1].rstrip(" ")
                continue
            _remove_page_parts(child)
        children.append(child)
    element.children = children


def _adapt(element: Element, *, url: str) -> None:
    if element.name == "math":
        # Feed readers that do not know MathML would show its characters in a row.
        code, is_block = Element("code", {}, [tex_of(element)]), "display" in element.attrs
        element.name, element.attrs, element.children = ("pre", {}, [code]) if is_block else ("code", {}, code.children)
    if element.attrs.get("class") == "blog-alert-title":
        # Without the colours of the page, the title would look like the text below it.
        element.children = [Element("strong", children=element.children)]
    attrs = {name: value for name, value in element.attrs.items() if name not in _FOR_THE_PAGE}
    for name in _URL_ATTRIBUTES:
        if name in attrs:
            attrs[name] = _absolute(attrs[name], url=url)
    if "srcset" in attrs:
        attrs["srcset"] = ", ".join(_candidate(one, url=url) for one in attrs["srcset"].split(", "))
    element.attrs = attrs


def _candidate(written: str, *, url: str) -> str:
    source, space, width = written.strip().partition(" ")
    return f"{_absolute(source, url=url)}{space}{width}"


def _absolute(written: str, *, url: str) -> str:
    reference = written.strip()
    path: str = _QUERY.split(reference, maxsplit=1)[0]
    # Browsers read a backslash as a slash, and so did the allow list that let this URL pass.
    return urljoin(url, path.replace("\\", "/") + reference[len(path) :])


def _unwrap_bare_spans(element: Element) -> None:
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            _unwrap_bare_spans(child)
        if isinstance(child, Element) and child.name == "span" and not child.attrs:
            children += child.children
        else:
            children.append(child)
    element.children = children
