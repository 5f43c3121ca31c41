"""The passage of a text that shows why a search found it."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blog_engine.content.search_text import folded_words, is_spaceless

LENGTH: Final = 240
_BEFORE: Final = 60
_WORD: Final = re.compile(r"\w+(?:['\u2019]\w+)*(?:\+\+|#)?")


class Piece(NamedTuple):
    """A part of a passage; a hit is one of the words that were searched for."""

    text: str
    is_hit: bool


class _Hit(NamedTuple):
    start: int
    end: int
    word: str


def snippet(text: str, words: frozenset[str]) -> tuple[Piece, ...]:
    """About 240 characters of a text around most of these folded words, or nothing when it has none of them.

    The pieces are plain text: the template escapes them.
    """
    hits = _hits(text, words)
    if not hits:
        return ()
    passage = _densest(hits)
    start = _start(text, passage[0].start)
    end = _end(text, max(start + LENGTH, passage[-1].end))
    return tuple(_pieces(text, [hit for hit in hits if start <= hit.start and hit.end <= end], start, end))


def _hits(text: str, words: frozenset[str]) -> list[_Hit]:
    forms: dict[str, str] = {}
    hits: list[_Hit] = []
    for found in _WORD.finditer(text):
        word = found[0]
        if word not in forms:
            folded = folded_words(word).split()
            forms[word] = next((form for form in folded if form in words), "")
        if forms[word]:
            hits.append(_Hit(found.start(), found.end(), forms[word]))
    spaceless = sorted((word for word in words if is_spaceless(word)), key=len, reverse=True)
    if spaceless:
        # Pairs overlap, so each place is looked at.
        pairs = re.compile(f"(?=({'|'.join(map(re.escape, spaceless))}))")
        hits += [_Hit(found.start(), found.start() + len(found[1]), found[1]) for found in pairs.finditer(text)]
    return sorted(hits)


def _densest(hits: list[_Hit]) -> list[_Hit]:
    """The first run of hits in one passage that has the most different words."""
    best, most, first = hits[:1], 1, 0
    for last, hit in enumerate(hits, start=1):
        while hit.end - hits[first].start > LENGTH - _BEFORE and first < last - 1:
            first += 1
        count = len({one.word for one in hits[first:last]})
        if count > most:
            best, most = hits[first:last], count
    return best


def _start(text: str, place: int) -> int:
    if place <= _BEFORE:
        return 0
    space = text.find(" ", place - _BEFORE, place)
    return place - _BEFORE if space < 0 else space + 1


def _end(text: str, place: int) -> int:
    if place >= len(text):
        return len(text)
    space = text.rfind(" ", place - _BEFORE, place + 1)
    return place if space < 0 else space


def _pieces(text: str, hits: list[_Hit], start: int, end: int) -> Iterator[Piece]:
    shown, opened = "…" if start else "", start
    for begin, finish in _joined(hits):
        if shown := shown + text[opened:begin]:
            yield Piece(shown, is_hit=False)
        yield Piece(text[begin:finish], is_hit=True)
        shown, opened = "", finish
    if rest := shown + text[opened:end] + ("…" if end < len(text) else ""):
        yield Piece(rest, is_hit=False)


def _joined(hits: list[_Hit]) -> Iterator[tuple[int, int]]:
    """The hits as spans that do not overlap."""
    span: tuple[int, int] | None = None
    for hit in hits:
        if span and hit.start < span[1]:
            span = (span[0], max(span[1], hit.end))
            continue
        if span:
            yield span
        span = (hit.start, hit.end)
    if span:
        yield span
