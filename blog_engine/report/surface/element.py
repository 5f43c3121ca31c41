"""An element of a page, as checks ask it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_NO_TEXT: Final = frozenset({"script", "style", "template", "noscript", "title"})
_STANDS_APART: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "br", "dd", "details", "div", "dl", "dt", "fieldset"}
    | {"figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"}
    | {"nav", "ol", "option", "p", "pre", "section", "summary", "table", "td", "th", "tr", "ul"}
)
"""Blocks stand apart on the page, so their texts must not run into each other."""
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
        ahead = self.children[::-1]
        while ahead:
            child = ahead.pop()
            if isinstance(child, Element):
                if not names or child.name in names:
                    yield child
                ahead += child.children[::-1]

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
            if element.hides():
                return True
            element = element.parent
        return False

    def hides(self) -> bool:
        """Whether this element itself keeps what it holds from readers; enough where those around it were asked."""
        attrs = self.attrs
        return (
            "hidden" in attrs
            or attrs.get("aria-hidden", "").strip().lower() == "true"
            or self.name in _NO_TEXT
            or _HIDING_STYLE.search(attrs.get("style", "")) is not None
        )

    def text(self) -> str:
        """The text below this element with single spaces, hidden text too; scripts and styles are no text."""
        return " ".join("".join(self._texts([], only_visible=False)).split())

    def visible_text(self) -> str:
        """The same without what ``is_hidden`` calls hidden."""
        return "" if self.is_hidden() else " ".join("".join(self._texts([], only_visible=True)).split())

    def _texts(self, found: list[str], *, only_visible: bool) -> list[str]:
        for child in self.children:
            if isinstance(child, str):
                found.append(child)
            elif child.name not in _NO_TEXT and not (only_visible and child.hides()):
                margin = " " if child.name in _STANDS_APART else ""
                found.append(margin)
                child._texts(found, only_visible=only_visible)
                found.append(margin)
        return found
