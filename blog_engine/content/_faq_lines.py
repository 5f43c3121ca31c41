"""The lines of a Markdown body as the FAQ rules see them: headings, code, FAQ headings (records.md 13)."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_HEADING_START: Final = re.compile(r"[ \t]*(#{2,4})[ \t]")
_FAQ: Final = re.compile(r"\bFAQ\b|\A(?:Frequently asked questions|Common questions|Q&A)", re.IGNORECASE)
_FAQ_LEVELS: Final = frozenset({2, 3})
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_INDENTED: Final = ("    ", "\t")


class Heading(NamedTuple):
    """A heading of level 2 to 4 (deeper ones mean nothing here); the text is trimmed, unmarked, and never empty."""

    level: int
    text: str

    @property
    def announces_faq(self) -> bool:
        """Whether an FAQ section starts here."""
        return self.level in _FAQ_LEVELS and _FAQ.search(self.text) is not None


class Line(NamedTuple):
    """One line; ``start`` counts characters of the body, ``text`` is without the line end."""

    start: int
    text: str
    is_code: bool
    heading: Heading | None


def heading_of(line: str) -> Heading | None:
    """The heading that a line without line end is, wherever the line stands."""
    start = _HEADING_START.match(line)
    if start is None:
        return None
    text = line[start.end() :].strip()
    unclosed = text.rstrip("#")
    if unclosed != text and (not unclosed or unclosed[-1] in " \t"):
        text = unclosed.rstrip()
    return Heading(len(start[1]), text) if text else None


def scan_lines(body: str) -> Iterator[Line]:
    """The lines of a body; code is what is fenced or indented by four spaces or a tab."""
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
