"""Code of the clipboard that only its look shows."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from blog_engine.content.html import Element, text_of, walk

_FIXED: Final = re.compile(r"font-family:[^;]{0,90}(?:courier|consolas|menlo|mono)", re.I)
_UNBROKEN: Final = re.compile(r"white-space:\s*(?:pre|break-spaces)", re.I)


def make_code_blocks(tree: Element) -> None:
    """Make code of blocks that only look like it, and of tables that number its lines, in place."""
    for element in (tree, *list(walk(tree))):
        for place, child in enumerate(element.children):
            if not isinstance(child, Element):
                continue
            style = child.attrs.get("style", "")
            if child.name == "table" and (code := _numbered_code(child)) is not None:
                element.children[place] = (
                    text_of(code) if element.name == "pre" else Element("pre", {}, [text_of(code)])
                )
            elif child.name == "div" and element.name != "pre" and _UNBROKEN.search(style) and _FIXED.search(style):
                text = "".join(_lines_of(child)).rstrip("\n")
                element.children[place] = Element("pre", {}, [f"{text}\n"])


def _numbered_code(table: Element) -> Element | None:
    """Return the cell with the code if the only other one has the numbers of its lines."""
    cells = list(islice((one for one in walk(table) if one.name in {"td", "th"}), 3))
    if len(cells) != 2 or not any(one.name in {"pre", "code"} for one in walk(cells[1])):
        return None
    return cells[1] if re.fullmatch(r"[\d\s]+", text_of(cells[0])) else None


def _lines_of(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.name == "br":
            yield "\n"
        else:
            yield from _lines_of(child)
            if child.name in {"div", "p"} and not text_of(child).endswith("\n"):
                yield "\n"
