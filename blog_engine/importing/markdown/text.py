"""Code, links and images in a Markdown text."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from blog_engine.content.dialect import dialect_plugin
from blog_engine.importing.markdown.elements import whole_elements_plugin
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts, Ranges

_TICKS: Final = re.compile(r"(?<!\\)`+")
_BRACKETS: Final = re.compile(r"([\\\[\]])")
_ESCAPED: Final = r"\\\1"
_NEEDS_ANGLES: Final = re.compile(r"[\s()]")
_MAY_BE_CODE: Final = re.compile("`|~~~|\t| {4}")
_HAS_INLINE: Final = re.compile("[<~=]")
_FORMULA: Final = re.compile(
    r"\$\$[^$]{1,2000}\$\$|(?<![\\$\w])\$(?![\s$])[^$\n]{1,500}\$(?!\w)"
    r"|\\{1,2}\((?:[^\\\n]|\\(?!\))){1,500}\\{1,2}\)|\\{1,2}\[(?:[^\\]|\\(?!\])){1,2000}\\{1,2}\]"
)
_FENCE: Final = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True)
class AllBut:
    """All names but some."""

    names: frozenset[str]

    def __contains__(self, name: object) -> bool:
        """Return whether a name is none of them."""
        return name not in self.names


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a dialect besides those of CommonMark."""

    inline_elements: frozenset[str] | AllBut | None = None
    """The elements that begin no block, if all others go on to their end tags."""
    has_definitions: bool = True


def new_parser(blocks: Blocks) -> MarkdownIt:
    """Return a parser of the Markdown that these programs share, with what bodies here have besides.

    ``details`` is a block of HTML, as these programs read it.
    """
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)
    parser.use(dialect_plugin).disable(["blog_box", "footnote_tail"])
    if not blocks.has_definitions:
        parser.disable("deflist")
    return parser if blocks.inline_elements is None else parser.use(whole_elements_plugin, blocks.inline_elements)


@lru_cache(maxsize=8)
def _whole(blocks: Blocks) -> MarkdownIt:
    return new_parser(blocks)


@lru_cache(maxsize=8)
def _outer(blocks: Blocks, *, has_indented_code: bool = True) -> MarkdownIt:
    parser = new_parser(blocks).disable("inline")
    return parser if has_indented_code else parser.disable("code")


def change_outside_code(
    text: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str], *, formulas: bool = False
) -> str:
    """Replace each match that does not begin in code; with ``formulas`` none that begins in a formula either."""
    if not pattern.search(text):
        return text
    code = code_ranges(text)
    tex = Ranges(found.span() for found in _FORMULA.finditer(text)) if formulas else Ranges(())

    def changed(found: re.Match[str]) -> str:
        start = found.start()
        return found[0] if code.end_at(start) or tex.end_at(start) else change(found)

    return pattern.sub(changed, text)


class LeftOut:
    """Sources that are left out of a text; each different one is one loss, with its first line."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lines: dict[str, list[int]] = {}

    def add(self, source: str, line: int) -> None:
        """Note a source."""
        self._lines.setdefault(" ".join(source.split()), []).append(line)

    def name(self, kind: LossKind, words: str, losses: Losses) -> None:
        """Name all of them, in the order of their lines."""
        for source, lines in sorted(self._lines.items(), key=lambda one: min(one[1])):
            times = f" ({len(lines)} times)" if len(lines) > 1 else ""
            losses.add(kind, f"{words.rstrip('.')}: {source}{times}", min(lines))


def leave_out_and_name(text: str, pattern: re.Pattern[str], kind: LossKind, words: str, losses: Losses) -> str:
    """Remove each match outside of code and formulas but for its line ends, and name it with its source."""
    if not pattern.search(text):
        return text
    lines = LineStarts(text)
    left_out = LeftOut()

    def leave_out(found: re.Match[str]) -> str:
        left_out.add(found[0], lines.number_at(found.start()))
        return "\n" * found[0].count("\n")

    changed = change_outside_code(text, pattern, leave_out, formulas=True)
    left_out.name(kind, words, losses)
    return changed


class ClosingTags:
    """The closing tags of a template language, by their names; the first group of the pattern is the name."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        """Find them all at once, because a text can have very many tags."""
        self._found: dict[str, list[tuple[int, int]]] = {}
        for found in pattern.finditer(text):
            self._found.setdefault(found[1], []).append(found.span())

    def after(self, position: int, name: str) -> tuple[int, int] | None:
        """Return start and end of the first one with this name after a place."""
        spans = self._found.get(name, [])
        place = bisect_right(spans, (position, -1))
        return spans[place] if place < len(spans) else None


def link_markdown(words: str, url: str) -> str:
    """Return a link as Markdown."""
    return f"[{_BRACKETS.sub(_ESCAPED, words)}]({_destination(url)})"


def image_markdown(alt: str, url: str, title: str = "") -> str:
    """Return an image as Markdown."""
    named = ' "' + title.replace("\\", "\\\\").replace('"', '\\"') + '"' if title else ""
    return f"![{_BRACKETS.sub(_ESCAPED, alt)}]({_destination(url)}{named})"


def fence(code: str, language: str) -> str:
    """Return a block of code as Markdown."""
    longest = max((len(found) for found in _FENCE.findall(code)), default=2)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{code.strip(chr(10))}\n{marks}"


def _destination(url: str) -> str:
    cleaned = re.sub(r"[\n<>]", "", url.strip())
    return f"<{cleaned}>" if _NEEDS_ANGLES.search(cleaned) or not cleaned else cleaned


def code_ranges(text: str, *, has_indented: bool = True) -> Ranges:
    """Return the places of a text that are code: blocks, and spans in paragraphs."""
    return Ranges(_code_in(text, _outer(Blocks(), has_indented_code=has_indented)))


def _code_in(text: str, parser: MarkdownIt) -> Iterator[tuple[int, int]]:
    if not _MAY_BE_CODE.search(text):
        return
    lines = LineStarts(text)
    for token in parser.parse(text):
        if token.map is None:
            continue
        # The lines of a term end where they begin.
        start, end = lines.start_of(token.map[0]), lines.start_of(max(token.map[1], token.map[0] + 1))
        if token.type in {"fence", "code_block"}:
            yield start, end
        elif token.type == "inline" and "`" in token.content:
            yield from _spans(text, start, end)


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    runs = [(found.start(), len(found[0])) for found in _TICKS.finditer(text, start, end)]
    following: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        following.setdefault(runs[number][1], []).append(number)
    number = 0
    while number < len(runs):
        place, length = runs[number]
        same = following[length]
        while same and same[-1] <= number:
            same.pop()
        if same:
            number = same[-1]
            yield place, runs[number][0] + length
        number += 1


def blocks_in(text: str) -> list[Token]:
    """Return the blocks of a text, as CommonMark reads it."""
    return _outer(Blocks()).parse(text)


def shown_words(line: str) -> str:
    """Return the words of a line of Markdown without its markup; one that is nothing else stays as it is."""
    (inline,) = new_parser(Blocks()).parseInline(line)
    words = {"text", "code_inline", "math_inline"}
    shown = "".join(one.content for one in inline.children or [] if one.type in words)
    return " ".join(shown.split()) or line.strip()


def tokens_of(text: str, blocks: Blocks, env: dict[str, Any]) -> list[Token]:
    """Return the blocks of a text; where tags or signs of a dialect can be, also what is in them."""
    return (_whole if _HAS_INLINE.search(text) else _outer)(blocks).parse(text, env)
