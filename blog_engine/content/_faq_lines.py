"""Find the lines and sections of a Markdown body that may contain questions."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from blog_engine.enums import FaqReason

_HEADING_START: Final = re.compile(r"[ \t]*(#{2,4})[ \t]")
_FAQ: Final = re.compile(r"\bFAQ\b|\A(?:Frequently asked questions|Common questions|Q&A)", re.IGNORECASE)
_FAQ_LEVELS: Final = frozenset({2, 3})
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_INDENTED: Final = ("    ", "\t")


class FaqHeading(NamedTuple):
    """A heading of level 2 to 4; ``text`` is without marks and never empty."""

    level: int
    text: str

    @property
    def announces_faq(self) -> bool:
        """Whether an FAQ section starts here."""
        return self.level in _FAQ_LEVELS and _FAQ.search(self.text) is not None


class Line(NamedTuple):
    """A line: ``start`` in characters of the body, ``text`` without the line end."""

    start: int
    text: str
    is_code: bool
    heading: FaqHeading | None


def heading_of(line: str) -> FaqHeading | None:
    """Return the heading in a line, or ``None``; the line can also be one of code."""
    start = _HEADING_START.match(line)
    if start is None:
        return None
    text = line[start.end() :].strip()
    unclosed = text.rstrip("#")
    if unclosed != text and (not unclosed or unclosed[-1] in " \t"):
        text = unclosed.rstrip()
    return FaqHeading(len(start[1]), text) if text else None


def scan_lines(body: str) -> Iterator[Line]:
    """Yield the lines of a body.

    Fenced lines, and those indented by four spaces or a tab, are code.
    """
    start = 0
    fence = ""
    for raw in body.split("\n"):
        text = raw.removesuffix("\r")
        yield Line(start, text, bool(fence) or text.startswith(_INDENTED), heading_of(text))
        start += len(raw) + 1
        if fence:
            fence = "" if _closes(text, fence) else fence
        elif mark := _FENCE.match(text):
            fence = mark[1]


def _closes(line: str, fence: str) -> bool:
    mark = line.rstrip(" \t").lstrip(" ")
    return not line.startswith(_INDENTED) and mark.startswith(fence) and not mark.strip(fence[0])


class Section(NamedTuple):
    """The lines from the heading ``first`` up to ``end``, which is exclusive.

    ``question`` is the text of the heading if it is a standalone question.
    """

    first: int
    end: int
    question: str | None


def find_sections(
    lines: Sequence[Line], *, standalone_questions: Collection[str]
) -> tuple[list[Section], list[FaqReason]]:
    """Return the sections to extract, in order, and the reasons to review them.

    The FAQ starts at the first heading that announces one; later such headings stay in the body. A section ends at the
    next heading of level 2.
    """
    headings = [(index, line.heading) for index, line in enumerate(lines) if line.heading and not line.is_code]
    chapters = [index for index, heading in headings if heading.level == 2]
    announced = [index for index, heading in headings if heading.announces_faq]
    # An FAQ of level 3 in the chapter of a standalone question is no part of its answer.
    stops = sorted({*chapters, *announced[:1]})
    sections: list[Section] = []
    reasons: list[FaqReason] = []
    if any(line.heading.announces_faq for line in lines if line.heading and line.is_code):
        reasons.append(FaqReason.FAQ_HEADING_IN_CODE)
    if announced:
        sections.append(Section(announced[0], _end(announced[0], stops, lines), None))
        if announced[-1] >= sections[0].end:
            reasons.append(FaqReason.MULTIPLE_FAQ_HEADINGS)
    asked = frozenset(standalone_questions)
    alone = [
        Section(index, _end(index, stops, lines), heading.text)
        for index, heading in headings
        if heading.level == 2 and heading.text in asked and index not in announced[:1]
    ]
    if alone:
        reasons.append(FaqReason.STANDALONE_QUESTION)
    return sorted([*sections, *alone], key=lambda section: section.first), reasons


def _end(start: int, stops: Sequence[int], lines: Sequence[Line]) -> int:
    following = bisect_right(stops, start)
    return stops[following] if following < len(stops) else len(lines)
