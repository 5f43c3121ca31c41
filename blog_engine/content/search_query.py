"""Search queries: terms, distances of misspelled words, and snippets of hits."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from blog_engine.content.search_text import LONGEST_WORD, folded_words, is_spaceless

MOST_TERMS: Final = 8
"""The most words of a query that are searched."""

# A quotation mark between two Hebrew letters is the sign of an acronym.
_IN_ACRONYM: Final = '(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])'
_PART: Final = re.compile(rf'(?P<minus>(?<!\S)-(?!-))?(?:"(?P<phrase>[^"]*)"?|(?P<word>(?:[^\s"]|{_IN_ACRONYM})+))')

# Function words of questions, folded: they are dropped when other words are left. Words that mean something in
# another language ("die", "war", "car", "son") are not listed.
_OF_QUESTIONS: Final = """
a about an and are as at be by can do does for from had has have how i if in into is it its me my of on or our should so
than that the their them there they this to was we what when where which who why will with would you your dont isnt cant
aber als am auf aus bei beim das dass dein dem den der des du ein eine einem einen einer eines er es hat ich ihr im
ist kann kein mein meine meinem meinen mich mir mit muss nach nicht oder sein seine sich sie sind soll um und vom von
wann warum welche welcher welches wenn wer wie wieso wird wo woher wozu zu zum zur
au aux avec ce ces cette comment dans de du elle en est et il ils je la le les leur ma mes mon nous ou par pas pour
pourquoi quand que quel quelle quelles quels qui quoi sa ses sont sur une vos votre vous
como con cual cuando del donde el los las para por una uno y dei della di gli lo per che
في من على عن الي ما ماذا متي كيف هل لماذا اين هو هي هذا هذه التي الذي ان لا مع او كم
"""
_FUNCTION_WORDS: Final = frozenset(_OF_QUESTIONS.split())

LENGTH: Final = 240
_BEFORE: Final = 60
_FOLDED: Final = re.compile("[^\\x00-\\x7f]|'")
_WORD: Final = re.compile(r"\w+(?:['\u2019]\w+)*(?:\+\+|#)?")


@dataclass(frozen=True, slots=True)
class Term:
    """A folded word to search: the last may be unfinished, an exact one is quoted."""

    word: str
    is_last: bool = False
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A parsed query; its texts are folded as those of posts."""

    terms: tuple[Term, ...]
    phrases: tuple[str, ...]
    """The quoted phrases."""
    runs: tuple[str, ...]
    """Words in scripts without spaces: searched as a whole first, then by their pairs."""
    excluded: tuple[str, ...]
    title: str
    """All words in order; a title with exactly this ranks highest."""


def parse_query(text: str) -> SearchQuery:
    """Parse a query. Quotes make a phrase, a minus excludes a word or phrase.

    Two dashes exclude nothing, and neither does a minus where everything would be excluded: ``-Wall`` is a word.
    """
    query = _parsed(text, excludes=True)
    return query if query.terms or not query.excluded else _parsed(text, excludes=False)


def _parsed(text: str, *, excludes: bool) -> SearchQuery:
    terms: list[Term] = []
    phrases: list[str] = []
    excluded: list[str] = []
    wanted: list[str] = []
    parts = list(_PART.finditer(text))
    for number, part in enumerate(parts, start=1):
        is_quoted = part["phrase"] is not None
        words = folded_words(part["phrase"] if is_quoted else part["word"])
        runs = words.split()
        if part["minus"] and excludes:
            excluded += [_as_phrase(words)] if runs else []
            continue
        wanted += runs
        if is_quoted:
            phrases += [_as_phrase(words)] if runs else []
            terms += [Term(run, is_exact=True) for run in runs]
        else:
            terms += [
                Term(run, is_last=number == len(parts) and place == len(runs)) for place, run in enumerate(runs, 1)
            ]
    meaningful = [term for term in terms if term.is_exact or term.word not in _FUNCTION_WORDS]
    asked = tuple(dict.fromkeys(meaningful or terms))[:MOST_TERMS]
    runs_asked = tuple(term.word for term in asked if is_spaceless(term.word) and len(term.word) > 2)
    return SearchQuery(asked, tuple(phrases), runs_asked, tuple(excluded), _as_phrase(" ".join(wanted)))


def _as_phrase(words: str) -> str:
    """Return the phrase as it occurs in folded texts.

    Scripts without spaces have no word borders.
    """
    runs = words.split()
    start = "" if runs and is_spaceless(runs[0]) else " "
    end = "" if runs and is_spaceless(runs[-1]) else " "
    return f"{start}{' '.join(runs)}{end}" if runs else ""


def most_slips(word: str) -> int:
    """Return how many slips to accept: none under 4 characters, 1 under 8, else 2."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


def slips_between(one: str, other: str, *, most: int) -> int:
    """Return the edit distance, at most ``most + 1``; swapped neighbours are one slip."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, start=1):
        earlier, before = before, row
        row = [place]
        for number, found in enumerate(other, start=1):
            least = min(before[number] + 1, row[-1] + 1, before[number - 1] + (letter != found))
            if place > 1 and number > 1 and letter == other[number - 2] and one[place - 2] == found:
                least = min(least, earlier[number - 2] + 1)
            row.append(least)
        if min(row) > most and (not before or min(before) > most):
            return most + 1
    return min(row[-1], most + 1)


class Piece(NamedTuple):
    """A part of a passage; a hit is one of the searched words."""

    text: str
    is_hit: bool


class _Hit(NamedTuple):
    start: int
    end: int
    word: str


def snippet(text: str, words: frozenset[str]) -> tuple[Piece, ...]:
    """Return about 240 characters of a text around the most of these folded words.

    A text without any of them gives nothing. The pieces are plain text, to be escaped by the template.
    """
    hits = _hits(text, words)
    if not hits:
        return ()
    passage = _densest(hits)
    start = _start(text, passage[0].start)
    end = _end(text, max(start + LENGTH, passage[-1].end))
    return tuple(_pieces(text, [hit for hit in hits if start <= hit.start and hit.end <= end], start, end))


def _hits(text: str, words: frozenset[str]) -> list[_Hit]:
    hits: list[_Hit] = []
    for found in _words_like(text, words):
        form = next((form for form in _forms_of(found[0]) if form in words), "")
        if form:
            hits.append(_Hit(found.start(), found.end(), form))
    spaceless = sorted((word for word in words if is_spaceless(word)), key=len, reverse=True)
    if spaceless:
        # Pairs overlap, so the pattern is tried at each position.
        pairs = re.compile(f"(?=({'|'.join(map(re.escape, spaceless))}))")
        hits += [_Hit(found.start(), found.start() + len(found[1]), found[1]) for found in pairs.finditer(text)]
    return sorted(hits)


def _words_like(text: str, words: frozenset[str]) -> Iterator[re.Match[str]]:
    """Yield the words of a text that may be one of these folded words.

    Comparing all words of a page of results would take longer than searching. Only words with an apostrophe or a
    character outside ASCII are folded to something that they do not contain.
    """
    small = text.lower()
    if len(small) != len(text):
        yield from _WORD.finditer(text)
        return
    wanted, places = set(words), list[int]()
    if small.isascii():
        # Only the apostrophe is left, which is found faster without the pattern.
        wanted.add("'")
    else:
        places += [found.start() for found in _FOLDED.finditer(small)]
    for word in wanted:
        place = small.find(word)
        while place >= 0:
            places.append(place)
            place = small.find(word, place + 1)
    end = 0
    for place in sorted(places):
        if place >= end:
            start, end = text.rfind(" ", 0, place) + 1, text.find(" ", place) % (len(text) + 1)
            yield from _WORD.finditer(text, start, end)


@lru_cache(maxsize=4096)
def _folded(word: str) -> tuple[str, ...]:
    return tuple(folded_words(word).split())


def _forms_of(word: str) -> tuple[str, ...]:
    """Return the folded words in a word of a text; ordinary ones are remembered."""
    return _folded(word) if len(word) <= LONGEST_WORD else _folded.__wrapped__(word)


def _densest(hits: list[_Hit]) -> list[_Hit]:
    """Return the first hits within one passage that have the most different words."""
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
    for begin, finish in _join_overlapping(hits):
        if shown := shown + text[opened:begin]:
            yield Piece(shown, is_hit=False)
        yield Piece(text[begin:finish], is_hit=True)
        shown, opened = "", finish
    if rest := shown + text[opened:end] + ("…" if end < len(text) else ""):
        yield Piece(rest, is_hit=False)


def _join_overlapping(hits: list[_Hit]) -> Iterator[tuple[int, int]]:
    """Yield the hits as spans that do not overlap."""
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
