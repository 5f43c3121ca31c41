"""Proposing FAQ entries for what a Markdown body asks and answers; nothing is changed or stored (records.md 13)."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from blog_engine.content._faq_lines import Line, scan_lines
from blog_engine.content._faq_pairs import WrittenPair, read_section, text_of_lines
from blog_engine.content._faq_plain import plain_pairs
from blog_engine.content._faq_sections import Section, find_sections
from blog_engine.content._markdown import link_references
from blog_engine.content.faq import FaqPair
from blog_engine.vocabulary import FaqClass, FaqReason

_BLANK = " \t\n\v\f\r"


class ByteRange(NamedTuple):
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
    cut: tuple[ByteRange, ...]
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


def _in_bytes(body: str, spans: Sequence[tuple[int, int]]) -> Iterator[ByteRange]:
    position = length = 0
    for start, end in spans:
        first = length + len(body[position:start].encode())
        length = first + len(body[start:end].encode())
        position = end
        yield ByteRange(first, length)


def _without(body: str, spans: Sequence[tuple[int, int]]) -> str:
    """The rest, with one blank line where something was cut between other text."""
    ends = [0, *(end for _, end in spans)]
    before = [body[end:start].rstrip(_BLANK) for end, (start, _) in zip(ends[:-1], spans, strict=True)]
    head, tail = "\n\n".join(part for part in before if part), body[ends[-1] :]
    if not head:
        return tail
    return f"{head}\n\n{tail}" if tail else f"{head}\n"
