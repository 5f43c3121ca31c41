"""Questions and answers: their HTML, facts about them for the findings, and the parts of a body that may hold some."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.text import compose
from blog_engine.content.urls import bare_url, is_web_url, percent_encoded
from blog_engine.enums import FaqReason

_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")
_BARE_URL: Final = re.compile(r"https?://", re.IGNORECASE)
_MOST_MARKUP: Final = 10_000
_PLAIN_TOKENS: Final = frozenset({"paragraph_open", "inline", "paragraph_close", "text", "softbreak", "hardbreak"})
_HEADING_START: Final = re.compile(r"[ \t]*(#{2,4})[ \t]")
_FAQ: Final = re.compile(r"\bFAQ\b|\A(?:Frequently asked questions|Common questions|Q&A)", re.IGNORECASE)
_FAQ_LEVELS: Final = frozenset({2, 3})
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_INDENTED: Final = ("    ", "\t")
_MOST_REMEMBERED: Final = 500
_has_markup: Final[dict[str, bool]] = {}
"""Which answers have markup: writes look while the post is locked, when nothing may be parsed."""


@dataclass(frozen=True, slots=True)
class FaqPair:
    """A question and its answer, as stored."""

    question: str
    answer: str


def answer_html(answer: str) -> str:
    """Return the answer as escaped HTML paragraphs (pages.faq.lines)."""
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    paragraphs = (part.strip() for part in _BLANK_LINES.split(text))
    shown = (_link_urls(part).replace("\n", "<br>\n") for part in paragraphs if part)
    return "\n".join(f"<p>{part}</p>" for part in shown)


def answer_has_markup(answer: str) -> bool:
    """Return whether Markdown would find more than paragraphs and line breaks; an answer is parsed once in a process.

    A bare URL is no markup. An answer of thousands of paragraphs counts as markup, because it is not parsed to its end.
    """
    found = _has_markup.get(answer)
    if found is None:
        found = _parsed_has_markup(answer)
        if len(_has_markup) >= _MOST_REMEMBERED:
            _has_markup.clear()
        _has_markup[answer] = found
    return found


def is_answer_parsed(answer: str) -> bool:
    """Return whether ``answer_has_markup`` knows the answer without parsing it."""
    return answer in _has_markup


def _parsed_has_markup(answer: str) -> bool:
    from blog_engine.content._markdown import parse_plain

    try:
        tokens, has_references = parse_plain(answer, most_markup=_MOST_MARKUP)
    except TooMuchMarkup:
        return True
    inline = (child for token in tokens for child in token.children or ())
    return has_references or any(token.type not in _PLAIN_TOKENS for token in (*tokens, *inline))


def body_has_faq_heading(markdown: str) -> bool:
    """Return whether a level 2 or 3 heading outside of code announces an FAQ."""
    lines = scan_lines(re.sub(r"\r\n?", "\n", markdown))
    return any(line.heading.announces_faq for line in lines if line.heading and not line.is_code)


def question_key(question: str) -> str:
    """Return a key that ignores case, outer white space and Unicode form."""
    return compose(question).strip().lower()


def _link_urls(text: str) -> str:
    out: list[str] = []
    position = 0
    for found in _BARE_URL.finditer(text):
        url = bare_url(text, found.start()) if found.start() >= position else ""
        if is_web_url(url):
            out.append(escape(text[position : found.start()], quote=False))
            out.append(f'<a href="{escape(percent_encoded(url))}" rel="noopener">{escape(url, quote=False)}</a>')
            position = found.start() + len(url)
    out.append(escape(text[position:], quote=False))
    return "".join(out)


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
