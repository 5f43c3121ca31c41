"""Proposing FAQ entries for what a Markdown body asks and answers."""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from blog_engine.content._faq_lines import Line, Section, find_sections, scan_lines
from blog_engine.content._markdown import (
    BoundedReferences,
    has_footnote_mark,
    link_references,
    parse_plain_inline,
    parse_plain_part,
)
from blog_engine.content.faq import FaqPair, question_key
from blog_engine.content.plain_text import text_of_tokens
from blog_engine.enums import FaqClass, FaqReason

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


_PLAIN_TOKENS: Final = frozenset({"paragraph_open", "inline", "paragraph_close", "text", "softbreak"})


def plain_pairs(
    written: Sequence[WrittenPair], *, references: BoundedReferences
) -> tuple[list[FaqPair], list[FaqReason]]:
    """The pairs as plain text, and what a person should look at; ``references`` are the links of the whole body."""
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
    # What only a whole body shows, a footnote, and what is no node at all, an entity, a definition of a link.
    if kinds <= _PLAIN_TOKENS and _lines(plain) == _lines(written) and not has_footnote_mark(written):
        return written, doubts
    return plain, [*doubts, FaqReason.MARKDOWN_IN_ANSWER]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


_BLANK = " \t\n\v\f\r"


class SourceRange(NamedTuple):
    """A part of a text by its UTF-8 bytes; ``end`` is exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FaqExtraction:
    """What is proposed for a body.

    ``pairs`` are plain text. ``cut`` are the ranges they came from, ascending and apart; ``body_after`` is the body
    without them; ``leftover`` is text of those ranges that answers no question. ``reasons`` say what a person should
    look at, each once. ``source_body_sha256`` is the lower-case hex digest of the body's UTF-8 bytes.
    """

    pairs: tuple[FaqPair, ...]
    cut: tuple[SourceRange, ...]
    body_after: str
    leftover: tuple[str, ...]
    reasons: tuple[FaqReason, ...]
    source_body_sha256: str

    @property
    def verdict(self) -> FaqClass:
        """Whether there is an FAQ, and whether it can be taken over as it is."""
        if self.reasons:
            return FaqClass.REVIEW
        return FaqClass.CLEAN if self.cut else FaqClass.NONE


def extract_faq(body: str, *, standalone_questions: Collection[str] = ()) -> FaqExtraction:
    """Find the FAQ section of a Markdown body, and the level 2 headings whose text is a standalone question."""
    lines = list(scan_lines(body))
    sections, reasons = find_sections(lines, standalone_questions=standalone_questions)
    written, leftover, absent = _read(lines, sections)
    pairs, doubts = plain_pairs(written, references=link_references(body if written else ""))
    spans = _merged(sections, starts=[*(line.start for line in lines), len(body)])
    return FaqExtraction(
        pairs=tuple(pairs),
        cut=tuple(_in_bytes(body, spans)),
        body_after=_without(body, spans),
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


def _merged(sections: Sequence[Section], *, starts: Sequence[int]) -> list[tuple[int, int]]:
    """The characters of the sections; sections that touch are one span."""
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


def _without(body: str, spans: Sequence[tuple[int, int]]) -> str:
    """The rest, with one blank line where something was cut between other text."""
    ends = [0, *(end for _, end in spans)]
    before = [body[end:start].rstrip(_BLANK) for end, (start, _) in zip(ends[:-1], spans, strict=True)]
    head, tail = "\n\n".join(part for part in before if part), body[ends[-1] :]
    if not head:
        return tail
    return f"{head}\n\n{tail}" if tail else f"{head}\n"
