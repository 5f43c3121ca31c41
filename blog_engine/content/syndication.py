"""A rendered body for places where neither the page nor its style sheet is (reader.md 7, ``feed_content``)."""

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

from blog_engine.content.html import Element, Node, parse_html, walk, write_html
from blog_engine.content.rendering import mark_direction
from blog_engine.content.sanitize import TAGS

_RENDERED: Final = TAGS | {"picture", "source", "button"}
_QUERY: Final = re.compile("[?#]")
_ADDRESSES: Final = ("href", "src")
_FOR_THE_PAGE: Final = frozenset({"class", "tabindex", "data-lang", "id"})
_ONLY_ON_THE_PAGE: Final = frozenset({"blog-heading-anchor", "blog-code-lang", "blog-copy"})
_KEPT: Final = 40
"""Articles that a process remembers: one of 10 kB takes about 2 ms, and each request for a feed has twenty."""


@lru_cache(maxsize=_KEPT)
def syndicated_html(html: str, *, url: str, notices: tuple[str, ...] = ()) -> str:
    """The HTML of a rendering as feeds carry it: ``notices`` as paragraphs, then the body.

    Every address is absolute; one within the article is completed by ``url``, the article's own. What only works or
    only shows with the page around it is left out: heading anchors, copy buttons, names of languages, and classes.
    """
    tree = parse_html(html, tags=_RENDERED, keep=lambda tag, name, value: True)
    _take_out(tree)
    tree.children[:0] = [Element("p", children=[notice]) for notice in notices]
    # A feed reader knows nothing of the direction of the blog.
    mark_direction(tree, direction="ltr")
    for element in walk(tree):
        _complete(element, url=url)
    _unwrap_bare_spans(tree)
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
    if element.attrs.get("class") == "blog-alert-title":
        # Without the page's colours, nothing else would set it apart from the text.
        element.children = [Element("strong", children=element.children)]
    attrs = {name: value for name, value in element.attrs.items() if name not in _FOR_THE_PAGE}
    for name in _ADDRESSES:
        if name in attrs:
            attrs[name] = _absolute(attrs[name], url=url)
    if "srcset" in attrs:
        attrs["srcset"] = ", ".join(_candidate(one, url=url) for one in attrs["srcset"].split(", "))
    element.attrs = attrs


def _candidate(written: str, *, url: str) -> str:
    address, space, width = written.strip().partition(" ")
    return f"{_absolute(address, url=url)}{space}{width}"


def _absolute(written: str, *, url: str) -> str:
    address = written.strip()
    path: str = _QUERY.split(address, maxsplit=1)[0]
    # Browsers read a backslash as a slash, and so did the allow list when it let this address pass.
    return urljoin(url, path.replace("\\", "/") + address[len(path) :])


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
