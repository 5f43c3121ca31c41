"""A rendered body for places where neither the page nor its style sheet is (reader.md 7, ``feed_content``)."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urljoin

from blog_engine.content._parse import parse_html
from blog_engine.content._sanitize import TAGS
from blog_engine.content._tree import Element, Node, walk, write_html

_RENDERED: Final = TAGS | {"picture", "source", "button"}
_ADDRESSES: Final = ("href", "src")
_FOR_THE_PAGE: Final = frozenset({"class", "tabindex", "data-lang", "id"})
_ONLY_ON_THE_PAGE: Final = frozenset({"blog-heading-anchor", "blog-code-lang", "blog-copy"})


def syndicated_html(html: str, *, url: str, notices: Iterable[str] = ()) -> str:
    """The HTML of a rendering as feeds carry it: ``notices`` as paragraphs, then the body.

    Every address is absolute; one within the article is completed by ``url``, the article's own. What only works or
    only shows with the page around it is left out: heading anchors, copy buttons, names of languages, and classes.
    """
    tree = parse_html(html, tags=_RENDERED, keep=lambda tag, name, value: True)
    _take_out(tree)
    for element in walk(tree):
        _complete(element, url=url)
    _unwrap_bare_spans(tree)
    tree.children[:0] = [Element("p", children=[notice]) for notice in notices]
    return write_html(tree)


def _take_out(element: Element) -> None:
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            css_class = child.attrs.get("class", "")
            if css_class in _ONLY_ON_THE_PAGE:
                if children and isinstance(children[-1], str):
                    children[-1] = children[-1].rstrip(" ")
                continue
            _take_out(child)
        children.append(child)
    element.children = children


def _complete(element: Element, *, url: str) -> None:
    attrs = {name: value for name, value in element.attrs.items() if name not in _FOR_THE_PAGE}
    for name in _ADDRESSES:
        if name in attrs:
            attrs[name] = urljoin(url, attrs[name].strip())
    if "srcset" in attrs:
        attrs["srcset"] = ", ".join(_candidate(one, url=url) for one in attrs["srcset"].split(", "))
    element.attrs = attrs


def _candidate(written: str, *, url: str) -> str:
    address, space, width = written.strip().partition(" ")
    return f"{urljoin(url, address)}{space}{width}"


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
