"""A page as it came over the network, as a tree that checks can ask."""

import json
from collections import Counter
from functools import cached_property
from html.parser import HTMLParser
from typing import Any, Final

from blog_engine.report.surface.element import Element

__all__ = ["Element", "HtmlPage"]

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
_DEEPEST: Final = 256
"""Elements nested deeper become children of the one at this depth."""


class HtmlPage:
    """A whole document. Parsing never fails: what is no HTML is a page without elements."""

    def __init__(self, source: str) -> None:
        builder = _Builder()
        builder.read(source)
        self.root = builder.root

    @property
    def language(self) -> str | None:
        """The ``lang`` of the document."""
        return next((element.attrs.get("lang") for element in self.root.all("html")), None)

    @cached_property
    def base(self) -> str:
        """What the first ``base`` element with an address says; empty without one."""
        return next((one.attrs["href"].strip() for one in self.root.all("base") if "href" in one.attrs), "")

    @property
    def title(self) -> str:
        """The text of the first ``title``; empty without one."""
        return next(iter(self.titles), "")

    @cached_property
    def titles(self) -> list[str]:
        """The texts of all ``title`` elements, except those inside drawings."""
        return [one.text() for one in self.root.all("title") if not _is_inside(one, "svg")]

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
            if script.attrs.get("type", "").partition(";")[0].strip().lower() != "application/ld+json":
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
        self._too_deep: Counter[str] = Counter()
        self._comments_end = True

    def read(self, source: str) -> None:
        """Build the tree of a whole document, in a time that grows with its length and not faster."""
        # A tag that the document breaks off is none, and html.parser looks for its end from each of its characters.
        end = source.rfind(">") + 1
        self.feed(source[:end] + source[end:].partition("<")[0])
        self.close()

    def parse_comment(self, i: int, report: bool = True) -> int:
        """Behind a comment without an end nobody has to look for one again."""
        end = super().parse_comment(i, report) if self._comments_end else self.parse_bogus_comment(i)
        self._comments_end = self._comments_end and end >= 0
        return end

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """HTML has no such sections; html.parser raises over those of a kind that it does not know."""
        return self.parse_bogus_comment(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_what_this_ends(tag)
        parent = self._open[-1]
        element = Element(tag, {}, parent)
        for name, value in attrs:
            # Of an attribute written twice, HTML takes the first.
            element.attrs.setdefault(name, value or "")
        parent.children.append(element)
        if tag in _VOID:
            return
        if len(self._open) < _DEEPEST:
            self._open.append(element)
        else:
            self._too_deep[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID and self._is_inside_drawing():
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._too_deep[tag] > 0:
            self._too_deep[tag] -= 1
            return
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].name == tag:
                del self._open[index:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def _end_what_this_ends(self, tag: str) -> None:
        if tag in _ENDS_PARAGRAPH:
            self._end_outermost(frozenset({"p"}), stop=_ENDS_PARAGRAPH - {"p"} | _LISTS)
        if tag in _ENDS_ITS_LIKE:
            self._end_outermost(_ENDS_ITS_LIKE[tag], stop=_LISTS - _ENDS_ITS_LIKE[tag])

    def _end_outermost(self, names: frozenset[str], *, stop: frozenset[str]) -> None:
        found = None
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name in names:
                found = index
            if name in stop:
                break
        if found is not None:
            del self._open[found:]

    def _is_inside_drawing(self) -> bool:
        return any(element.name in {"svg", "math"} for element in self._open)


def _is_inside(element: Element, name: str) -> bool:
    parent = element.parent
    while parent is not None:
        if parent.name == name:
            return True
        parent = parent.parent
    return False
