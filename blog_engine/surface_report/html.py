"""A fetched page as a tree of elements."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from itertools import takewhile
from typing import Any, Final

from blog_engine.content.html import Endings, StartTag, TreeBuilder, tokenize

_NO_TEXT: Final = frozenset({"script", "style", "template", "noscript", "title"})
_ENDS_PARAGRAPH: Final = frozenset(
    {"address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figcaption", "figure", "footer"}
    | {"form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table"}
    | {"ul"}
)
_BLOCKS: Final = _ENDS_PARAGRAPH | {"body", "br", "dd", "dt", "li", "option", "summary", "td", "th", "tr"}
"""Elements whose texts must not run into the text beside them."""
_HIDING_STYLE: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_LISTS: Final = frozenset({"ul", "ol", "dl", "table", "select", "html"})
_CELLS: Final = frozenset({"td", "th"})
_ENDED_BY: Final[Endings] = {
    "li": (frozenset({"li"}), _LISTS),
    **dict.fromkeys(["dt", "dd"], (frozenset({"dt", "dd"}), _LISTS)),
    "tr": (frozenset({"tr"}), _LISTS),
    **dict.fromkeys(["td", "th"], (_CELLS, _LISTS)),
    "option": (frozenset({"option"}), _LISTS),
    "body": (frozenset({"head"}), _LISTS),
}


@dataclass(eq=False, slots=True)
class PageElement:
    """An element; a string among its children is text. Names of elements and attributes are lower-case."""

    name: str
    attrs: dict[str, str] = field(default_factory=dict)
    parent: "PageElement | None" = None
    children: list["PageElement | str"] = field(default_factory=list)

    def all(self, *names: str, outside: frozenset[str] = frozenset()) -> Iterator["PageElement"]:
        """Yield the elements below this one in document order, those with these names or all.

        Elements with one of the attributes ``outside`` are left out with everything in them.
        """
        ahead = self.children[::-1]
        while ahead:
            child = ahead.pop()
            if isinstance(child, PageElement) and outside.isdisjoint(child.attrs):
                if not names or child.name in names:
                    yield child
                ahead += child.children[::-1]

    def with_attr(self, name: str) -> Iterator["PageElement"]:
        """Yield the elements below this one that have an attribute, whatever its value."""
        return (one for one in self.all() if name in one.attrs)

    def outermost(self, name: str) -> Iterator["PageElement"]:
        """Yield the elements with an attribute that are inside no other one with it."""
        for one in self.with_attr(name):
            between = takewhile(lambda outer: outer is not self, one.around())
            if not any(name in outer.attrs for outer in between):
                yield one

    def around(self) -> Iterator["PageElement"]:
        """Yield the elements that this one is inside, the nearest first."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent

    def is_inside(self, name: str) -> bool:
        """Return whether the element is below one with this name."""
        return any(one.name == name for one in self.around())

    def copy_without(self, is_unwanted: Callable[["PageElement"], bool]) -> "PageElement":
        """Return a copy, without parent, that lacks the unwanted elements."""
        copy = PageElement(self.name, dict(self.attrs))
        for child in self.children:
            if isinstance(child, str):
                copy.children.append(child)
            elif not is_unwanted(child):
                inner = child.copy_without(is_unwanted)
                inner.parent = copy
                copy.children.append(inner)
        return copy

    def is_hidden(self) -> bool:
        """Return whether this element, or one around it, is kept from readers or from assistive technology."""
        return any(one.hides() for one in (self, *self.around()))

    def hides(self) -> bool:
        """Return whether this element itself hides its content."""
        attrs = self.attrs
        return (
            "hidden" in attrs
            or attrs.get("aria-hidden", "").strip().lower() == "true"
            or self.name in _NO_TEXT
            or _HIDING_STYLE.search(attrs.get("style", "")) is not None
        )

    def text(self) -> str:
        """Return the text below this element with single spaces, also hidden text; scripts and styles have none."""
        return " ".join("".join(self._texts([], only_visible=False)).split())

    def visible_text(self) -> str:
        """Return the text that is not hidden."""
        return "" if self.is_hidden() else " ".join("".join(self._texts([], only_visible=True)).split())

    def _texts(self, found: list[str], *, only_visible: bool) -> list[str]:
        for child in self.children:
            if isinstance(child, str):
                found.append(child)
            elif child.name not in _NO_TEXT and not (only_visible and child.hides()):
                margin = " " if child.name in _BLOCKS else ""
                found.append(margin)
                child._texts(found, only_visible=only_visible)
                found.append(margin)
        return found


class HtmlPage(PageElement):
    """A document, the root of its elements. Parsing never fails: a text without markup has no elements."""

    def __init__(self, source: str) -> None:
        super().__init__("")
        _PageBuilder(self).build(tokenize(source))

    @property
    def language(self) -> str | None:
        """The ``lang`` of the document."""
        return next((one.attrs.get("lang") for one in self.all("html")), None)

    @cached_property
    def base(self) -> str:
        """The ``href`` of the first ``base`` element that has one, else empty."""
        return next((one.attrs["href"].strip() for one in self.all("base") if "href" in one.attrs), "")

    @property
    def title(self) -> str:
        """The text of the first ``title``, else empty."""
        return next(iter(self.titles), "")

    @cached_property
    def titles(self) -> list[str]:
        """The texts of all ``title`` elements outside drawings."""
        return [one.text() for one in self.all("title") if not one.is_inside("svg")]

    @property
    def description(self) -> str:
        """The first ``meta`` description, else empty."""
        return next(iter(self.metas("description")), "")

    def metas(self, name: str) -> list[str]:
        """Return the contents of all ``meta`` elements with a name; names ignore case."""
        return [content for found, content in self._metas("name") if found.lower() == name.lower()]

    def properties(self, name: str) -> list[str]:
        """Return the contents of all ``meta`` elements with a property, such as ``og:title``."""
        return [content for found, content in self._metas("property") if found == name]

    def links(self, relation: str) -> list[PageElement]:
        """Return the ``link`` elements of a relation."""
        return [one for one in self.all("link") if relation in one.attrs.get("rel", "").lower().split()]

    def structured_data(self) -> list[dict[str, Any]]:
        """Return the top-level objects of all JSON-LD, those of graphs one by one; malformed JSON is left out."""
        found: list[dict[str, Any]] = []
        for script in self.all("script"):
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

    def _metas(self, key: str) -> list[tuple[str, str]]:
        return [(one.attrs.get(key, "").strip(), one.attrs.get("content", "").strip()) for one in self._all_metas]

    @cached_property
    def _all_metas(self) -> list[PageElement]:
        # Cached: every article is compared with the heads of all others.
        return list(self.all("meta"))


class _PageBuilder(TreeBuilder[PageElement]):
    _blocks = _ENDS_PARAGRAPH
    _ended_by = _ENDED_BY
    _deepest = 255

    def _new_element(self, tag: StartTag) -> PageElement:
        # Of an attribute written twice, HTML takes the first.
        return PageElement(tag.name, dict(reversed(tag.attrs)), self._open[-1])

    def _close_before(self, name: str) -> None:
        if name == "tr":
            # A cell may be in no row.
            self._close(_CELLS, _LISTS)
        super()._close_before(name)

    def _add_text(self, text: str) -> None:
        # The tokenizer leaves the text of these two as it is written, like that of scripts.
        super()._add_text(unescape(text) if self._open[-1].name in {"title", "textarea"} else text)
