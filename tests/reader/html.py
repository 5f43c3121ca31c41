"""A page as a tree of elements, for tests that look at what a browser would see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(eq=False)
class Element:
    """An element with its attributes and children; ``parent`` is None at the top."""

    name: str
    attrs: dict[str, str]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text below, white space collapsed."""
        return " ".join("".join(self._texts()).split())

    @property
    def classes(self) -> list[str]:
        return self.attrs.get("class", "").split()

    def walk(self) -> Iterator[Element]:
        """Every element below, in document order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.walk()

    def all(self, name: str = "", /, **attrs: str) -> list[Element]:
        """The elements below of this name with these attributes (``_`` for ``-``); ``class_`` asks for one class."""
        return [element for element in self.walk() if element.matches(name, **attrs)]

    def one(self, name: str = "", /, **attrs: str) -> Element:
        """The only such element."""
        found = self.all(name, **attrs)
        assert len(found) == 1, f"{len(found)} elements <{name} {attrs}>"
        return found[0]

    def has(self, name: str = "", /, **attrs: str) -> bool:
        return bool(self.all(name, **attrs))

    def matches(self, name: str = "", /, **attrs: str) -> bool:
        class_ = attrs.pop("class_", "")
        return (
            name in {"", self.name}
            and (not class_ or class_ in self.classes)
            and all(self.attrs.get(key.replace("_", "-")) == value for key, value in attrs.items())
        )

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("", {})
        self._open = self.top

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> repeats an attribute"
        element = Element(tag, {name: value or "" for name, value in attrs}, self._open)
        self._open.children.append(element)
        if tag not in _VOID:
            self._open = element

    def handle_endtag(self, tag: str) -> None:
        assert self._open.name == tag, f"</{tag}> closes <{self._open.name}>"
        assert self._open.parent is not None
        self._open = self._open.parent

    def handle_data(self, data: str) -> None:
        self._open.children.append(data)

    def finish(self) -> Element:
        self.close()
        assert self._open is self.top, f"<{self._open.name}> is left open"
        return self.top


def parse(markup: str) -> Element:
    """The page; fails for tags that are not closed in order and for attributes given twice."""
    builder = _Builder()
    builder.feed(markup)
    return builder.finish()
