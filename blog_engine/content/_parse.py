"""Reading HTML into a tree of bounded depth, for bodies as sent and for what the sanitiser returns."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from blog_engine.content._tokens import EndTag, StartTag, tokenize
from blog_engine.content._tree import INLINE, VOID, Element

MAX_DEPTH: Final = 120
"""Elements nested deeper lose their tag and keep their text: html5lib is quadratic in depth, and walks recurse."""

Keep = Callable[[str, str, str], bool]
"""Says by element, attribute name and value whether an attribute stays."""

_CELLS: Final = frozenset({"td", "th"})
_INSIDE_TABLE: Final = frozenset({"thead", "tbody", "tr"}) | _CELLS
_BETWEEN_CELLS: Final = frozenset({"table", "thead", "tbody", "tr"})
_TABLE: Final = frozenset({"table"})
_ENDED_BY: Final = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "table"})),
    "td": (_CELLS, _TABLE),
    "th": (_CELLS, _TABLE),
    "tr": (frozenset({"tr"}), _TABLE),
    "thead": (frozenset({"thead", "tbody"}), _TABLE),
    "tbody": (frozenset({"thead", "tbody"}), _TABLE),
    "a": (frozenset({"a"}), _CELLS),
}
"""Which open elements a start tag ends, and where the search for them stops: HTML lets their end tags be omitted."""


def parse_html(source: str, *, tags: frozenset[str], keep: Keep) -> Element:
    """The source as a well-formed tree under a nameless root.

    Elements other than ``tags`` lose their tag and keep their text; comments and declarations vanish. Omitted end tags
    are supplied; what stands inside a table but outside its cells ends the table.
    """
    builder = _Builder(tags=tags, keep=keep)
    for token in tokenize(source):
        match token:
            case StartTag(name, attrs):
                builder.start(name, attrs)
            case EndTag(name):
                builder.end(name)
            case _:
                builder.add_text(token)
    return builder.root


class _Builder:
    def __init__(self, *, tags: frozenset[str], keep: Keep) -> None:
        self.root = Element("")
        self._open = [self.root]
        self._tags = tags
        self._keep = keep
        self._dropped: Counter[str] = Counter()

    def start(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        if tag not in self._tags:
            return
        self._end_what_this_ends(tag)
        if len(self._open) > MAX_DEPTH and tag not in VOID:
            self._dropped[tag] += 1
            return
        kept: dict[str, str] = {}
        for name, value in attrs:
            # Of an attribute written twice, HTML takes the first.
            if name not in kept and self._keep(tag, name, value):
                kept[name] = value
        element = Element(tag, kept)
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def end(self, tag: str) -> None:
        if self._dropped[tag]:
            self._dropped[tag] -= 1
        else:
            self._end_nearest(frozenset({tag}), stop=_TABLE - {tag})

    def add_text(self, text: str) -> None:
        if text.strip():
            self._leave_table()
        self._open[-1].children.append(text)

    def _end_what_this_ends(self, tag: str) -> None:
        if tag not in INLINE:
            self._end_paragraph()
        if tag in _ENDED_BY:
            names, stop = _ENDED_BY[tag]
            self._end_nearest(names, stop=stop)
        if tag not in _INSIDE_TABLE:
            self._leave_table()

    def _end_paragraph(self) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name == "p":
                del self._open[index:]
            if name == "p" or name not in INLINE:
                return

    def _end_nearest(self, names: frozenset[str], *, stop: frozenset[str]) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name in names:
                del self._open[index:]
            if name in names or name in stop:
                return

    def _leave_table(self) -> None:
        while self._open[-1].name in _BETWEEN_CELLS:
            self._open.pop()
