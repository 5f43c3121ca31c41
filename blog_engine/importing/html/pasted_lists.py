"""Lists that programs write as paragraphs: those of Word, and those that people type."""

import re
from typing import Final

from blog_engine.content.html import HEADINGS, Element, Node, text_of, walk

_LIST: Final = re.compile(r"mso-list:\s*l\d+\s+level(\d)", re.I)
_IGNORED: Final = re.compile(r"mso-list:\s*ignore", re.I)
_NUMBER: Final = re.compile(r"\(?(?:\d{1,4}|[a-z]{1,4})[.)]", re.I)
# A number needs a tab, or the spaces that stand for one: years begin sentences too, and dashes begin speech.
_TYPED: Final = re.compile(
    r"[\s\xa0]*(?:([•·▪◦‣●○■□➢✓\uf0b7])[\s\xa0]+|(?:(\d{1,3})[.)]|[-\u2013\u2014*])(?:\t|\xa0)[\s\xa0]*)(?=\S|\Z)"
)


def make_lists(tree: Element) -> None:
    """Make lists of the paragraphs that Word marks as items, and of those that begin with a typed sign, in place."""
    for element in (tree, *list(walk(tree))):
        if element.name not in {"ul", "ol"}:
            _gather_items(element)
        if any(_level(child) for child in element.children):
            _make_marked_lists(element)
        if element.name not in {"li", "pre"}:
            _make_typed_lists(element)
        if element.name in HEADINGS:
            # Word writes the numbers of headings as those of items.
            element.children = [child for child in element.children if not _is_marker(child)]


def _gather_items(element: Element) -> None:
    """Make lists of items without one: Firefox copies those of a part of a list so, in place."""
    made: list[Node] = []
    current: Element | None = None
    for child in element.children:
        if isinstance(child, Element) and child.name == "li":
            if current is None:
                current = Element("ul")
                made.append(current)
            current.children.append(child)
            continue
        if isinstance(child, Element) or child.strip():
            current = None
        made.append(child)
    element.children = made


def _make_marked_lists(element: Element) -> None:
    made: list[Node] = []
    open_lists: list[Element] = []
    for child in element.children:
        level = _level(child)
        if not level:
            # White space between items does not end a list.
            if isinstance(child, Element) or child.strip():
                open_lists = []
            made.append(child)
            continue
        assert isinstance(child, Element)  # noqa: S101 - text has no level
        kind = _take_marker(child)
        del open_lists[level:]
        if len(open_lists) == level and open_lists[-1].name != kind:
            open_lists.pop()
        while len(open_lists) < level:
            fresh = Element(kind)
            if open_lists:
                items = open_lists[-1].children
                if not items:
                    items.append(Element("li"))
                last = items[-1]
                assert isinstance(last, Element)  # noqa: S101 - lists get items only
                last.children.append(fresh)
            else:
                made.append(fresh)
            open_lists.append(fresh)
        open_lists[-1].children.append(Element("li", {}, child.children))
    element.children = made


def _level(node: Node) -> int:
    if isinstance(node, str) or node.name != "p":
        return 0
    found = _LIST.search(node.attrs.get("style", ""))
    return max(1, int(found[1])) if found else 0


def _is_marker(node: Node) -> bool:
    return isinstance(node, Element) and bool(_IGNORED.search(node.attrs.get("style", "")))


def _take_marker(item: Element) -> str:
    """Remove the sign or number that Word writes before an item, and return the element of its list."""
    for element in (item, *walk(item)):
        for place, child in enumerate(element.children):
            if isinstance(child, Element) and _is_marker(child):
                marker = text_of(child).replace("\xa0", " ").strip()
                del element.children[place]
                # The letter o is the hollow bullet of the second level.
                return "ol" if _NUMBER.fullmatch(marker) and marker != "o" else "ul"
    return "ul"


def _make_typed_lists(element: Element) -> None:
    made: list[Node] = []
    current: Element | None = None
    for child in element.children:
        sign = _sign_of(child)
        if sign is None:
            # White space between items does not end a list.
            if isinstance(child, Element) or child.strip():
                current = None
            made.append(child)
            continue
        assert isinstance(child, Element)  # noqa: S101 - text has no sign
        number = sign[2]
        if current is None or (current.name == "ol") != bool(number):
            current = Element("ol", {"start": number} if number and number != "1" else {}) if number else Element("ul")
            made.append(current)
        _cut(child, sign.end())
        current.children.append(Element("li", {}, child.children))
    element.children = made


def _sign_of(node: Node) -> re.Match[str] | None:
    """Return the typed sign at the start of a paragraph."""
    if isinstance(node, str) or node.name not in {"p", "div"}:
        return None
    first: Node = node
    while isinstance(first, Element):
        if not first.children:
            return None
        first = first.children[0]
    found = _TYPED.match(first)
    return found if found and not _has_blocks(node) and len(text_of(node).strip()) > len(found[0].strip()) else None


def _has_blocks(element: Element) -> bool:
    return any(inner.name in {"p", "div", "ul", "ol", "table", "pre", "blockquote"} for inner in walk(element))


def _cut(element: Element, length: int) -> None:
    """Remove characters from the first text of an element, in place."""
    inner = element
    while isinstance(child := inner.children[0], Element):
        inner = child
    inner.children[0] = child[length:]
