"""Propose FAQ entries from the questions and answers in a Markdown body."""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from blog_engine.content._markdown import (
    BoundedReferences,
    has_footnote_mark,
    link_references,
    parse_plain_inline,
    parse_plain_part,
)
from blog_engine.content._tokens import text_of_tokens
from blog_engine.content.faq import FaqPair, Line, Section, find_sections, question_key, scan_lines
from blog_engine.enums import FaqClass, FaqReason

_BOLD_START: Final = re.compile(r" {0,3}\*\*(?=\*?[^\s*])")
_BOLD_MARK: Final = re.compile(r"(?<!\\)\*\*(?!\*)")
_QUESTION_LEVELS: Final = (4, 3)

_PLAIN_TOKENS: Final = frozenset({"paragraph_open", "inline", "paragraph_close", "text", "softbreak"})

_BLANK = " \t\n\v\f\r"


class WrittenPair(NamedTuple):
    """A question and its answer as Markdown, trimmed, with ``\\n`` as line ends."""

    question: str
    answer: str
    is_bold: bool


class _Mark(NamedTuple):
    """A line with a question; ``rest`` is the start of the answer on the same line."""

    line: int
    question: str
    rest: str
    is_bold: bool


def read_section(lines: Sequence[Line]) -> tuple[list[WrittenPair], str]:
    """Return the pairs of an FAQ section, and the text before its first question.

    ``lines`` are those after the heading of the section. Questions are its headings of level 4, else those of level 3,
    else the lines that start in bold.
    """
    marks = _marks(lines)
    edges = [*(mark.line for mark in marks), len(lines)]
    pairs = [
        WrittenPair(mark.question, text_of_lines(lines[mark.line + 1 : end], before=mark.rest), mark.is_bold)
        for mark, end in zip(marks, edges[1:], strict=True)
    ]
    return pairs, text_of_lines(lines[: edges[0]])


def text_of_lines(lines: Sequence[Line], *, before: str = "") -> str:
    """Return the text of lines, trimmed, with ``\\n`` as line ends."""
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
    """Return the position of the ``**`` that closes bold text, which can be nested."""
    depth = 1
    for mark in _BOLD_MARK.finditer(text, start):
        opens = text[mark.start() - 1].isspace() and text[mark.end() : mark.end() + 1].strip()
        depth += 1 if opens else -1
        if depth == 0:
            return mark.start()
    return None


def plain_pairs(
    written: Sequence[WrittenPair], *, references: BoundedReferences
) -> tuple[list[FaqPair], list[FaqReason]]:
    """Return the pairs as plain text, and the reasons for a person to review them.

    ``references`` are the link references of the whole body.
    """
    pairs: list[FaqPair] = []
    reasons: list[FaqReason] = []
    asked: set[str] = set()
    for pair in written:
        question = text_of_tokens(parse_plain_inline(pair.question, references=references))
        answer, doubts = _plain_answer(pair.answer, references=references)
        pairs.append(FaqPair(question=question, answer=answer))
        reasons += _doubts_about_question(question, pair.question)
        reasons += [FaqReason.ANSWER_ABSENT] if not answer else []
        reasons += [FaqReason.MULTILINE_BOLD_ANSWER] if pair.is_bold and "\n" in pair.answer else []
        reasons += doubts
        reasons += [FaqReason.DUPLICATE_QUESTION] if question_key(question) in asked else []
        asked.add(question_key(question))
    return pairs, reasons


def _doubts_about_question(question: str, written: str) -> Iterator[FaqReason]:
    if question != written:
        yield FaqReason.MARKDOWN_IN_QUESTION
    if not question.endswith("?"):
        yield FaqReason.QUESTION_WITHOUT_QUESTION_MARK


def _plain_answer(written: str, *, references: BoundedReferences) -> tuple[str, list[FaqReason]]:
    tokens = parse_plain_part(written, references=references)
    kinds = {token.type for block in tokens for token in (block, *(block.children or ()))}
    plain = text_of_tokens(tokens)
    doubts = [FaqReason.HEADING_IN_ANSWER] if "heading_open" in kinds else []
    # The tokens do not show footnotes, which need the whole body, nor entities and link definitions, which have none.
    if kinds <= _PLAIN_TOKENS and _lines(plain) == _lines(written) and not has_footnote_mark(written):
        return written, doubts
    return plain, [*doubts, FaqReason.MARKDOWN_IN_ANSWER]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


class SourceRange(NamedTuple):
    """A part of a text in UTF-8 bytes; ``end`` is exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FaqExtraction:
    """The proposal for a body."""

    pairs: tuple[FaqPair, ...]
    """Questions and answers as plain text."""
    cut: tuple[SourceRange, ...]
    """The ranges of the body that the pairs are from, in order, neither touching nor overlapping."""
    body_after: str
    """The body without ``cut``."""
    leftover: tuple[str, ...]
    """Texts within ``cut`` that belong to no question."""
    reasons: tuple[FaqReason, ...]
    """Why a person should review the proposal, each reason once."""
    source_body_sha256: str
    """The lower-case hexadecimal SHA-256 of the UTF-8 bytes of the body."""

    @property
    def verdict(self) -> FaqClass:
        """The class of the extracted FAQ: none, usable without review, or to be reviewed."""
        if self.reasons:
            return FaqClass.REVIEW
        return FaqClass.CLEAN if self.cut else FaqClass.NONE


def propose_faq(body: str, *, standalone_questions: Collection[str] = ()) -> FaqExtraction:
    """Extract the FAQ section of a Markdown body, and standalone questions.

    ``standalone_questions`` are texts of level 2 headings that are questions by themselves.
    """
    lines = list(scan_lines(body))
    sections, reasons = find_sections(lines, standalone_questions=standalone_questions)
    written, leftover, absent = _read(lines, sections)
    pairs, doubts = plain_pairs(written, references=link_references(body if written else ""))
    spans = _merge_spans(sections, starts=[*(line.start for line in lines), len(body)])
    return FaqExtraction(
        pairs=tuple(pairs),
        cut=tuple(_in_bytes(body, spans)),
        body_after=_without_spans(body, spans),
        leftover=tuple(leftover),
        reasons=tuple(dict.fromkeys([*reasons, *doubts, *absent])),
        source_body_sha256=hashlib.sha256(body.encode()).hexdigest(),
    )


def _read(lines: Sequence[Line], sections: Sequence[Section]) -> tuple[list[WrittenPair], list[str], list[FaqReason]]:
    pairs: list[WrittenPair] = []
    leftover: list[str] = []
    reasons: list[FaqReason] = []
    for section in sections:
        inside = lines[section.first + 1 : section.end]
        if section.question is not None:
            pairs.append(WrittenPair(section.question, text_of_lines(inside), is_bold=False))
            continue
        found, rest = read_section(inside)
        pairs += found
        if rest:
            leftover.append(rest)
            reasons.append(FaqReason.LEFTOVER_TEXT)
        elif not found:
            reasons.append(FaqReason.QUESTIONS_ABSENT)
    return pairs, leftover, reasons


def _merge_spans(sections: Sequence[Section], *, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Return the sections as spans of characters; sections that touch become one span."""
    spans: list[tuple[int, int]] = []
    for section in sections:
        start, end = starts[section.first], starts[section.end]
        if spans and spans[-1][1] == start:
            start = spans.pop()[0]
        spans.append((start, end))
    return spans


def _in_bytes(body: str, spans: Sequence[tuple[int, int]]) -> Iterator[SourceRange]:
    position = length = 0
    for start, end in spans:
        first = length + len(body[position:start].encode())
        length = first + len(body[start:end].encode())
        position = end
        yield SourceRange(first, length)


def _without_spans(body: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the body without the spans, with a blank line in place of each."""
    ends = [0, *(end for _, end in spans)]
    before = [body[end:start].rstrip(_BLANK) for end, (start, _) in zip(ends[:-1], spans, strict=True)]
    head, tail = "\n\n".join(part for part in before if part), body[ends[-1] :]
    if not head:
        return tail
    return f"{head}\n\n{tail}" if tail else f"{head}\n"
