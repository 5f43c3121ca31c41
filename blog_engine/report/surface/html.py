"""A page as it came over the network, as a tree that checks can ask."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import Any, Final

_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_ENDS_PARAGRAPH: Final = frozenset(
    {"address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figcaption", "figure", "footer"}
    | {"form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table"}
    | {"ul"}
)
_ENDS_ITS_LIKE: Final = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "td", "th"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "option": frozenset({"option"}),
    "body": frozenset({"head"}),
}
_LISTS: Final = frozenset({"ul", "ol", "dl", "table", "select", "html", ""})
_NO_TEXT: Final = frozenset({"script", "style", "template", "noscript", "title"})
_DEEPEST: Final = 256
"""Elements nested deeper become children of the one at this depth."""
_HIDING_STYLE: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


@dataclass(eq=False, slots=True)
class Element:
    """An element; a string among its children is text. Names of elements and attributes are lower-case."""

    name: str
    attrs: dict[str, str]
    parent: "Element | None"
    children: list["Element | str"] = field(default_factory=list)

    def all(self, *names: str) -> Iterator["Element"]:
        """The elements below this one in document order, of these names or of any."""
        for child in self.children:
            if isinstance(child, Element):
                if not names or child.name in names:
                    yield child
                yield from child.all(*names)

    def with_attr(self, name: str) -> Iterator["Element"]:
        """The elements below this one that have an attribute, whatever its value."""
        return (element for element in self.all() if name in element.attrs)

    def with_class(self, name: str) -> Iterator["Element"]:
        """The elements below this one that have a class."""
        return (element for element in self.all() if name in element.attrs.get("class", "").split())

    def is_hidden(self) -> bool:
        """Whether this element, or one that it stands in, is kept from readers or from assistive technology."""
        element: Element | None = self
        while element is not None:
            attrs = element.attrs
            if (
                "hidden" in attrs
                or attrs.get("aria-hidden", "").strip().lower() == "true"
                or element.name in _NO_TEXT
                or _HIDING_STYLE.search(attrs.get("style", ""))
            ):
                return True
            element = element.parent
        return False

    def text(self) -> str:
        """The text below this element with single spaces, hidden text too; scripts and styles are no text."""
        return " ".join("".join(self._texts(only_visible=False)).split())

    def visible_text(self) -> str:
        """The same without what ``is_hidden`` calls hidden."""
        return "" if self.is_hidden() else " ".join("".join(self._texts(only_visible=True)).split())

    def without(self, *unwanted: "Element") -> "Element":
        """A copy of this element, without parent, in which these elements are missing."""
        copy = Element(self.name, dict(self.attrs), None)
        for child in self.children:
            if isinstance(child, str):
                copy.children.append(child)
            elif not any(child is one for one in unwanted):
                inner = child.without(*unwanted)
                inner.parent = copy
                copy.children.append(inner)
        return copy

    def _texts(self, *, only_visible: bool) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.name in _NO_TEXT or (only_visible and child.is_hidden()):
                continue
            else:
                # Blocks stand apart on the page, so their texts must not run into each other.
                margin = " " if child.name in _ENDS_PARAGRAPH | _ENDS_ITS_LIKE.keys() | {"br", "summary"} else ""
                yield margin
                yield from child._texts(only_visible=only_visible)
                yield margin


class HtmlPage:
    """A whole document. Parsing never fails: what is no HTML is a page without elements."""

    def __init__(self, source: str) -> None:
        builder = _Builder()
        builder.feed(source)
        builder.close()
        self.root = builder.root

    @property
    def language(self) -> str | None:
        """The ``lang`` of the document."""
        return next((element.attrs.get("lang") for element in self.root.all("html")), None)

    @property
    def title(self) -> str:
        """The text of the first ``title`` in the head; those inside drawings are not meant."""
        return next((one.text() for one in self.root.all("title") if not _is_inside(one, "svg")), "")

    def metas(self, name: str) -> list[str]:
        """The contents of all ``meta`` elements of a name, in order; names ignore case."""
        return [
            one.attrs.get("content", "").strip()
            for one in self._metas
            if one.attrs.get("name", "").strip().lower() == name.lower()
        ]

    def properties(self, name: str) -> list[str]:
        """The contents of all ``meta`` elements with a property, such as ``og:title``."""
        return [
            one.attrs.get("content", "").strip() for one in self._metas if one.attrs.get("property", "").strip() == name
        ]

    def links(self, relation: str) -> list[Element]:
        """The ``link`` elements of a relation, in order."""
        return [one for one in self.root.all("link") if relation in one.attrs.get("rel", "").lower().split()]

    def structured_data(self) -> list[dict[str, Any]]:
        """The top-level objects of all JSON-LD on the page, those of graphs one by one; faulty JSON is left out."""
        found: list[dict[str, Any]] = []
        for script in self.root.all("script"):
            if script.attrs.get("type", "").strip().lower() != "application/ld+json":
                continue
            try:
                value = json.loads("".join(part for part in script.children if isinstance(part, str)))
            except (ValueError, RecursionError):
                continue
            for entry in value if isinstance(value, list) else [value]:
                graph = entry.get("@graph") if isinstance(entry, dict) else None
                found += [one for one in (graph if isinstance(graph, list) else [entry]) if isinstance(one, dict)]
        return found

    @cached_property
    def _metas(self) -> list[Element]:
        # Kept: every article is compared with the heads of all other ones.
        return list(self.root.all("meta"))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {}, None)
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_what_this_ends(tag)
        parent = self._open[-1]
        element = Element(tag, {}, parent)
        for name, value in attrs:
            # Of an attribute written twice, HTML takes the first.
            element.attrs.setdefault(name, value or "")
        parent.children.append(element)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID and self._is_inside_drawing():
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].name == tag:
                del self._open[index:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def _end_what_this_ends(self, tag: str) -> None:
        if tag in _ENDS_PARAGRAPH:
            self._end_nearest(frozenset({"p"}), stop=_ENDS_PARAGRAPH - {"p"} | _LISTS)
        if tag in _ENDS_ITS_LIKE:
            self._end_nearest(_ENDS_ITS_LIKE[tag], stop=_LISTS - _ENDS_ITS_LIKE[tag])

    def _end_nearest(self, names: frozenset[str], *, stop: frozenset[str]) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name in names:
                del self._open[index:]
                return
            if name in stop:
                return

    def _is_inside_drawing(self) -> bool:
        return any(element.name in {"svg", "math"} for element in self._open)


def _is_inside(element: Element, name: str) -> bool:
    parent = element.parent
    while parent is not None:
        if parent.name == name:
            return True
        parent = parent.parent
    return False
