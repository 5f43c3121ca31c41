"""The info string of a code block: its language, file name, marked lines and line numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from blog_engine.content.html import Element, Node, text_of

MAX_INFO: Final = 1_000
"""The characters of an info string that are read after the language."""
MAX_TITLE: Final = 200
"""The characters of a file name that are shown."""
MAX_MARKS: Final = 100
"""The lines and ranges of an info string that are marked."""

_OPTION: Final = (
    r"""title=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+))"""
    r"|\{(?P<lines>[0-9][0-9,\s-]*)\}"
    r"|(?P<numbered>linenos|showLineNumbers)(?!\S)"
)
_WORDS: Final = re.compile(rf"{_OPTION}|\S+")
_STARTS_WITH_OPTION: Final = re.compile(_OPTION)
_LANGUAGE: Final = re.compile(r"([^\s{]+)(?=\{[0-9][0-9,\s-]*\})|\S+")
_RANGE: Final = re.compile(r"\s*([0-9]{1,6})(?:\s*-\s*([0-9]{1,6}))?\s*")
_AFTER_LINE_END: Final = re.compile(r"(?<=\n)")


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """Display options of a code block."""

    title: str = ""
    """The file name above the code; empty for none."""
    marked: tuple[range, ...] = ()
    """The numbers of the marked lines, from 1."""
    is_numbered: bool = False

    @property
    def has_lines(self) -> bool:
        """Whether each line needs an element of its own."""
        return self.is_numbered or bool(self.marked)


def code_attributes(info: str) -> dict[str, str]:
    """Return the attributes with which a compiled code block passes the sanitiser.

    ``lang`` is the language, and ``title`` the rest of the info string.
    """
    words = info.strip()
    found = None if _STARTS_WITH_OPTION.match(words) else _LANGUAGE.match(words)
    language = found[0] if found else ""
    rest = words[len(language) :].strip()[:MAX_INFO]
    return {name: value for name, value in (("lang", language), ("title", rest)) if value}


def read_code_options(text: str) -> CodeOptions:
    """Return the options in what follows the language; unknown words are ignored, the first of two file names counts.

    ``title="app.py"`` is a file name, ``{2,4-6}`` marks lines, ``linenos`` or ``showLineNumbers`` numbers them.
    """
    title, marked, is_numbered = "", list[range](), False
    for word in _WORDS.finditer(text[:MAX_INFO]):
        written = word["double"] or word["single"] or word["bare"] or ""
        title = title or " ".join(written.split())[:MAX_TITLE]
        marked += _ranges(word["lines"] or "")
        is_numbered = is_numbered or word["numbered"] is not None
    return CodeOptions(title, tuple(marked[:MAX_MARKS]), is_numbered)


def _ranges(written: str) -> Iterator[range]:
    for part in written.split(","):
        if found := _RANGE.fullmatch(part):
            first, last = int(found[1]), int(found[2] or found[1])
            yield range(first, last + 1)


def line_elements(nodes: Sequence[Node], *, options: CodeOptions) -> list[Node]:
    """Return highlighted code with a ``span.blog-line`` around each line and its line end."""
    lines: list[list[Node]] = [[]]
    for node in nodes:
        for piece in _AFTER_LINE_END.split(node if isinstance(node, str) else text_of(node)):
            if piece:
                lines[-1].append(piece if isinstance(node, str) else Element(node.name, dict(node.attrs), [piece]))
            if piece.endswith("\n"):
                lines.append([])
    return [_line(pieces, number, options) for number, pieces in enumerate(lines, start=1) if pieces]


def _line(pieces: list[Node], number: int, options: CodeOptions) -> Element:
    is_marked = any(number in lines for lines in options.marked)
    return Element("span", {"class": "blog-line blog-line-marked" if is_marked else "blog-line"}, pieces)
