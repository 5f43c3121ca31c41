"""Questions and answers in a section of Markdown (records.md 13)."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from blog_engine.content._faq_lines import Line

_BOLD_START: Final = re.compile(r" {0,3}\*\*(?=\*?[^\s*])")
_BOLD_MARK: Final = re.compile(r"(?<!\\)\*\*(?!\*)")
_QUESTION_LEVELS: Final = (4, 3)


class WrittenPair(NamedTuple):
    """A question and its answer as Markdown, trimmed; the answer's lines end in a single newline."""

    question: str
    answer: str
    is_bold: bool


class _Mark(NamedTuple):
    """A line that asks; ``rest`` is what of the answer stands on the same line."""

    line: int
    question: str
    rest: str
    is_bold: bool


def read_section(lines: Sequence[Line]) -> tuple[list[WrittenPair], str]:
    """The pairs of an FAQ section without its heading, and the text before the first question.

    Questions are the headings of level 4; without any, those of level 3; without any, lines that start in bold.
    """
    marks = _marks(lines)
    edges = [*(mark.line for mark in marks), len(lines)]
    pairs = [
        WrittenPair(mark.question, text_of_lines(lines[mark.line + 1 : end], before=mark.rest), mark.is_bold)
        for mark, end in zip(marks, edges[1:], strict=True)
    ]
    return pairs, text_of_lines(lines[: edges[0]])


def text_of_lines(lines: Sequence[Line], *, before: str = "") -> str:
    """The text of lines, trimmed, with newlines as the only line ends."""
    return "\n".join([before, *(line.text for line in lines)]).replace("\r\n", "\n").replace("\r", "\n").strip()


def _marks(lines: Sequence[Line]) -> list[_Mark]:
    for level in _QUESTION_LEVELS:
        if marks := list(_heading_marks(lines, level=level)):
            return marks
    return list(_bold_marks(lines))


def _heading_marks(lines: Sequence[Line], *, level: int) -> Iterator[_Mark]:
    for index, line in enumerate(lines):
        if line.heading and line.heading.level == level and not line.is_code:
            yield _Mark(index, line.heading.text, "", is_bold=False)


def _bold_marks(lines: Sequence[Line]) -> Iterator[_Mark]:
    for index, line in enumerate(lines):
        start = None if line.is_code else _BOLD_START.match(line.text)
        if start and (end := _end_of_bold(line.text, start.end())):
            yield _Mark(index, line.text[start.end() : end].strip(), line.text[end + 2 :], is_bold=True)


def _end_of_bold(text: str, start: int) -> int | None:
    """Where the ``**`` stands that ends what is bold at ``start``; bold text may hold bold text."""
    depth = 1
    for mark in _BOLD_MARK.finditer(text, start):
        opens = text[mark.start() - 1].isspace() and text[mark.end() : mark.end() + 1].strip()
        depth += 1 if opens else -1
        if depth == 0:
            return mark.start()
    return None
