"""A small HTML tree: its elements, walking it, writing it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final

VOID: Final = frozenset({"br", "hr", "img", "input", "source"})
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE: Final = frozenset({"a", "strong", "em", "del", "code", "sup", "sub", "span", "br", "img", "input"})
_BOOLEAN: Final = frozenset({"checked", "disabled", "hidden", "data-blog-copy"})


@dataclass(slots=True)
class Element:
    """An element with its attributes in order; a string among the children is text. A root has no name."""

    name: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)


Node = Element | str


def write_html(node: Node) -> str:
    """The node as HTML; an element without a name is written as its children."""
    out: list[str] = []
    _write(node, out)
    return "".join(out)


def walk(element: Element) -> Iterator[Element]:
    """Every element below this one in document order; the children of the yielded one may be replaced meanwhile."""
    for child in element.children:
        if isinstance(child, Element):
            yield child
            yield from walk(child)


def text_of(element: Element) -> str:
    """The text below the element, with nothing between its parts."""
    out: list[str] = []
    _collect_text(element, out)
    return "".join(out)


def add_class(element: Element, name: str) -> None:
    """Put one more class on the element."""
    element.attrs["class"] = f"{element.attrs['class']} {name}" if "class" in element.attrs else name


def _write(node: Node, out: list[str]) -> None:
    if isinstance(node, str):
        out.append(escape(node, quote=False))
        return
    if node.name:
        out.append(f"<{node.name}{''.join(_attribute(*item) for item in node.attrs.items())}>")
    for child in node.children:
        _write(child, out)
    if node.name and node.name not in VOID:
        out.append(f"</{node.name}>")


def _attribute(name: str, value: str) -> str:
    return f" {name}" if name in _BOOLEAN else f' {name}="{escape(value)}"'


def _collect_text(element: Element, out: list[str]) -> None:
    for child in element.children:
        if isinstance(child, str):
            out.append(child)
        else:
            _collect_text(child, out)
