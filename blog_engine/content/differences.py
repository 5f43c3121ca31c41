"""The difference between two texts, word by word or as a unified diff, with a bound on its cost.

Lines are compared first, then the words of the lines that changed. ``difflib`` may need cubic time, so each comparison
counts its steps: from the limit on, what is left is shown as removed and added whole. Nothing depends on the clock.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import Match, SequenceMatcher
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

_MOST_STEPS: Final = 2_000_000
"""The most steps of the comparison of lines, and of all comparisons of words together: each takes up to 0.4 s."""
_MOST_OF_A_PAGE: Final = 1_000_000
"""The most steps of all comparisons of a page that shows several."""
_MOST_GROUPS: Final = 2_000
"""The most places of change that are shown one by one."""
_SHORT: Final = 30
"""Characters: shorter unchanged text between two changes that are at least as long joins them."""
_CONTEXT_LINES: Final = 3
_CONTEXT: Final = 300
"""Characters of unchanged text that stay visible beside a change, at most."""
_FOLDED_LINES: Final = 4
_FOLDED: Final = 400
"""Unchanged text is folded from this many line ends or characters on."""

_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")

_Block: TypeAlias = tuple[int, int, int]
"""The first index of equal items in the old and in the new sequence, and their number."""

_AROUND: Final = 8
"""Words that are shown before and after a change, at most."""
_SPACED_WORD: Final = re.compile(r"\s*\S+\s*")
_LONGEST_AROUND: Final = 160
"""Characters of these words: some scripts have no spaces."""
_LINE_END: Final = re.compile(r"\s*\n\s*")

_DIFF_CONTEXT: Final = 3
"""Unchanged lines before and after a change in a unified diff."""


class PieceKind(StrEnum):
    """The change of a piece of text."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A run of text that was kept, removed or added."""

    kind: PieceKind
    """`kept`, `removed` or `added`."""
    text: str
    is_folded: bool = False
    """Whether it is a long unchanged passage, which a page can fold."""

    @property
    def is_white_space(self) -> bool:
        """Whether nothing but white space was removed or added."""
        return self.kind is not PieceKind.KEPT and self.text.isspace()

    @property
    def marks(self) -> str:
        """The white space as signs that can be seen."""
        return self.text.replace(" ", "\u00b7").replace("\t", "\u2192").replace("\n", "\u00b6\n")

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class TextDifference:
    """The pieces of an old and a new text in reading order; what was removed is before what was added there."""

    pieces: tuple[TextPiece, ...]

    @property
    def is_changed(self) -> bool:
        """Whether anything was removed or added."""
        return any(piece.kind is not PieceKind.KEPT for piece in self.pieces)

    @property
    def old(self) -> str:
        """The old text."""
        return "".join(piece.text for piece in self.pieces if piece.kind is not PieceKind.ADDED)

    @property
    def new(self) -> str:
        """The new text."""
        return "".join(piece.text for piece in self.pieces if piece.kind is not PieceKind.REMOVED)


class Steps:
    """The steps that are left to the comparisons that share them, by default those of a page."""

    def __init__(self, most: int = _MOST_OF_A_PAGE) -> None:
        self.left = most

    def spend(self, steps: int) -> bool:
        """Take the steps, and return whether there were as many."""
        if steps > self.left:
            return False
        self.left -= steps
        return True


def text_difference(old: str, new: str, *, steps: Steps | None = None) -> TextDifference:
    """Return what was kept, removed and added between two texts; two bodies of 256 KiB take at most about a second.

    The texts of a page share their ``steps``.
    """
    lines, words = (steps, steps) if steps else (Steps(_MOST_STEPS), Steps(_MOST_STEPS))
    return TextDifference(tuple(_folded(_readable(_groups(old, new, lines, words)))))


def changed_lines(old: str, new: str, *, steps: Steps | None = None) -> list[tuple[list[str], list[str], list[str]]]:
    """Return the lines that were removed, those that were added and the equal ones after that, for each change."""
    return list(_changes(_lines(old), _lines(new), steps or Steps(_MOST_STEPS)))


@dataclass(slots=True)
class _Group:
    """A change and the unchanged text after it; at the beginning of a text, the change is empty."""

    removed: list[str]
    added: list[str]
    kept: list[str]
    length: int = field(init=False)
    """The characters of the longer side of the change."""

    def __post_init__(self) -> None:
        self.length = max(sum(map(len, self.removed)), sum(map(len, self.added)))

    def take(self, following: "_Group") -> None:
        """Make one change of this one, the following one and what is between them."""
        self.removed += [*self.kept, *following.removed]
        self.added += [*self.kept, *following.added]
        self.length += sum(map(len, self.kept)) + following.length
        self.kept = following.kept


class _Matcher(SequenceMatcher[str]):
    """Finds equal items as long as there are steps left; white space counts only beside other equal items."""

    def __init__(self, old: Sequence[str], new: Sequence[str], budget: Steps) -> None:
        super().__init__(str.isspace, old, new, autojunk=False)
        places = Counter(item for item in new if not item.isspace())
        self._budget = budget
        self._steps = [0, *accumulate(1 + places[item] for item in old)]

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        if not self._budget.spend(self._steps[-1 if ahi is None else ahi] - self._steps[alo]):
            return Match(alo, blo, 0)
        return super().find_longest_match(alo, ahi, blo, bhi)


def _groups(old: str, new: str, lines: Steps, words: Steps) -> Iterator[_Group]:
    old_lines, new_lines = _lines(old), _lines(new)
    for removed, added, kept in _changes(old_lines, new_lines, lines):
        if not removed or not added:
            yield _Group(removed, added, kept)
            continue
        old_words, new_words = _WORDS.findall("".join(removed)), _WORDS.findall("".join(added))
        groups = [_Group(*change) for change in _changes(old_words, new_words, words)]
        groups[-1].kept += kept
        yield from groups


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; only ``\\n`` ends a line."""
    *whole, last = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([last] if last else [])]


def _changes(old: Sequence[str], new: Sequence[str], budget: Steps) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Yield what was removed, what was added, and what is equal after that; the last has no end of its own."""
    start, other = 0, 0
    for first, second, size in [*_joined(_equal_blocks(old, new, budget)), (len(old), len(new), 0)]:
        yield list(old[start:first]), list(new[other:second]), list(old[first : first + size])
        start, other = first + size, second + size


def _joined(blocks: Iterable[_Block]) -> list[_Block]:
    joined: list[_Block] = []
    for first, second, size in blocks:
        if joined and (sum(joined[-1][::2]), joined[-1][1] + joined[-1][2]) == (first, second):
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
        elif size:
            joined.append((first, second, size))
    return joined


def _equal_blocks(old: Sequence[str], new: Sequence[str], budget: Steps) -> Iterator[_Block]:
    """Yield the blocks of equal items in order: the beginning, what is between anchors, and the end.

    Anchors make long texts cheap, and keep ``difflib`` from matching a long passage at a wrong place.
    """
    head, tail = _equal_ends(old, new)
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    yield 0, 0, head
    for (first, second), (end, other_end) in pairwise([(-1, -1), *_anchors(*middle), (len(middle[0]), len(middle[1]))]):
        if first >= 0:
            yield head + first, head + second, 1
        between = middle[0][first + 1 : end], middle[1][second + 1 : other_end]
        # Blank lines beside a change, which the matcher passes over.
        start, rest = _equal_ends(*between)
        yield head + first + 1, head + second + 1, start
        inner = between[0][start : len(between[0]) - rest], between[1][start : len(between[1]) - rest]
        if all(inner):
            for block in _Matcher(*inner, budget).get_matching_blocks():
                yield head + first + 1 + start + block.a, head + second + 1 + start + block.b, block.size
        yield head + end - rest, head + other_end - rest, rest
    yield len(old) - tail, len(new) - tail, tail


def _equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many items are equal at the beginning, and how many of the others at the end."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    return head, next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of items that occur once in both sequences, in the order of both."""
    in_old, in_new = Counter(old), Counter(new)
    places = {item: place for place, item in enumerate(new) if in_new[item] == 1 and not item.isspace()}
    pairs = [(place, places[item]) for place, item in enumerate(old) if in_old[item] == 1 and item in places]
    return _longest_rise(pairs)


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second numbers rise, by patience sorting."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int | None] = []
    for index, (_, second) in enumerate(pairs):
        pile = bisect_left(tops, second)
        before.append(ends[pile - 1] if pile else None)
        tops[pile : pile + 1] = [second]
        ends[pile : pile + 1] = [index]
    rising: list[tuple[int, int]] = []
    at = ends[-1] if ends else None
    while at is not None:
        rising.append(pairs[at])
        at = before[at]
    return rising[::-1]


def _readable(groups: Iterable[_Group]) -> Iterator[TextPiece]:
    """Join changes that only a few characters separate, and those beyond the limit."""
    joined: list[_Group] = []
    for group in groups:
        last = joined[-1] if joined else _Group([], [], [])
        if joined and not group.length:
            last.kept += group.kept
        elif joined and (len(joined) == _MOST_GROUPS or _belong_together(last, group)):
            last.take(group)
        else:
            joined.append(group)
    for group in joined:
        parts = (PieceKind.REMOVED, group.removed), (PieceKind.ADDED, group.added), (PieceKind.KEPT, group.kept)
        yield from (TextPiece(kind, text) for kind, texts in parts if (text := "".join(texts)))


def _belong_together(group: _Group, following: _Group) -> bool:
    kept = "".join(group.kept[: _SHORT + 1])
    if "\n" in kept or len(kept) > _SHORT:
        return False
    return len(kept.strip()) <= min(group.length, following.length)


def _folded(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """Fold the long unchanged passages, and leave some of their text visible beside a change."""
    every = list(pieces)
    for index, piece in enumerate(every):
        if piece.kind is not PieceKind.KEPT:
            yield piece
            continue
        start = _length_of_head(piece.text) if index else 0
        end = len(piece.text) - (_length_of_tail(piece.text[start:]) if index < len(every) - 1 else 0)
        middle = piece.text[start:end]
        if len(middle) < _FOLDED and middle.count("\n") < _FOLDED_LINES:
            yield piece
            continue
        parts = (piece.text[:start], False), (middle, True), (piece.text[end:], False)
        yield from (TextPiece(PieceKind.KEPT, text, is_folded) for text, is_folded in parts if text)


def _length_of_head(text: str) -> int:
    head = "".join(_lines(text[: _CONTEXT + 1])[:_CONTEXT_LINES])
    return len(head) if len(head) <= _CONTEXT else head.rfind(" ", 0, _CONTEXT) + 1 or _CONTEXT


def _length_of_tail(text: str) -> int:
    tail = "".join(_lines(text[-_CONTEXT - 1 :])[-_CONTEXT_LINES:])
    if len(tail) <= _CONTEXT:
        return len(tail)
    space = tail.find(" ")
    return len(tail) - space - 1 if 0 <= space < len(tail) - 1 else _CONTEXT


def changed_words(old: str, new: str) -> str:
    """Return a line for each change, ``[-removed-]{+added+}`` with at most eight words before and after it.

    Of the unchanged text the ends of lines are shown as ``¶``, and what is left out as ``…``. Empty if the texts are
    equal. Two bodies of 256 KiB take at most about a second.
    """
    if old == new:
        return ""
    lines, shown = [], ""
    pieces = list(_readable(_groups(old, new, Steps(_MOST_STEPS), Steps(_MOST_STEPS))))
    for index, piece in enumerate(pieces):
        if piece.kind is not PieceKind.KEPT:
            shown += f"[-{piece.text}-]" if piece.kind is PieceKind.REMOVED else f"{{+{piece.text}+}}"
            continue
        words = _SPACED_WORD.findall(piece.text[:_LONGEST_AROUND]) if index else []
        head = "".join(words[:_AROUND])
        words = _SPACED_WORD.findall(piece.text[-_LONGEST_AROUND:]) if index < len(pieces) - 1 else []
        tail = "".join(words[-_AROUND:])
        if len(head) + len(tail) >= len(piece.text):
            shown += _in_one_line(piece.text)
            continue
        if index:
            lines.append(f"{shown}{_in_one_line(head).rstrip()}…\n")
        shown = f"…{_in_one_line(tail).lstrip()}" if tail else ""
    return "".join([*lines, *([f"{shown.rstrip(' ¶')}\n"] if shown else [])])


def _in_one_line(text: str) -> str:
    return _LINE_END.sub(" ¶ ", text)


def unified_diff(old: str, new: str, *, old_name: str, new_name: str) -> str:
    """Return the unified diff of two texts with three lines of context, as ``patch`` reads it; empty if they are equal.

    Only ``\\n`` ends a line. Two texts of 3 MiB take at most a few seconds; a comparison that would take longer shows
    more lines than necessary as removed and added.
    """
    if old == new:
        return ""
    changes = changed_lines(old, new)
    return "".join([f"--- {old_name}\n+++ {new_name}\n", *map(str, _hunks(changes))])


@dataclass(slots=True)
class _Hunk:
    """Changes of a unified diff that are near each other, and the unchanged lines around them."""

    old_start: int
    """The number of old lines before it."""
    new_start: int
    lines: list[tuple[str, str]] = field(default_factory=list)
    """Each line and its sign."""

    def add(self, sign: str, lines: Iterable[str]) -> None:
        self.lines += [(sign, line) for line in lines]

    def __str__(self) -> str:
        old = _line_range(self.old_start, sum(sign != "+" for sign, _ in self.lines))
        new = _line_range(self.new_start, sum(sign != "-" for sign, _ in self.lines))
        return "".join([f"@@ -{old} +{new} @@\n", *(sign + _ended(line) for sign, line in self.lines)])


def _hunks(changes: Iterable[tuple[list[str], list[str], list[str]]]) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    between: list[str] = []  # The unchanged lines since the last hunk.
    old_line, new_line = 0, 0
    for removed, added, kept in changes:
        if removed or added:
            if not hunks or len(between) > _DIFF_CONTEXT:
                between = between[-_DIFF_CONTEXT:]
                hunks.append(_Hunk(old_line - len(between), new_line - len(between)))
            hunks[-1].add(" ", between)
            hunks[-1].add("-", removed)
            hunks[-1].add("+", added)
            hunks[-1].add(" ", kept[:_DIFF_CONTEXT])
        between = kept[_DIFF_CONTEXT:] if hunks else kept
        old_line += len(removed) + len(kept)
        new_line += len(added) + len(kept)
    return hunks


def _line_range(start: int, lines: int) -> str:
    """Return the first line and the number of lines; an empty range is named by the line before it."""
    if lines == 1:
        return str(start + 1)
    return f"{start + 1 if lines else start},{lines}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
