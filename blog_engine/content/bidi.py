"""The order of characters of both writing directions on a line (Unicode Annex 9).

Embeddings, overrides and isolates are not supported: their control characters count as neutral.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

_STRONG: Final = {"L": 0, "R": 1, "AL": 1}
_NEUTRAL: Final = frozenset({"B", "S", "WS", "ON", "BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "〈": "〉"}
_MOST_OPEN: Final = 63


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction is written from right to left."""
    return next((_STRONG[kind] == 1 for kind in map(_kind, text) if kind in _STRONG), False)


def embedding_levels(text: str, *, base: int) -> list[int]:
    """Return the level of each character: even from left to right, odd from right to left.

    ``base`` is the level of the paragraph, 0 or 1.
    """
    kinds = _without_weak([_kind(character) for character in text], base=base)
    _resolve_brackets(text, kinds, base=base)
    _resolve_neutral(kinds, base=base)
    return [_level(kind, base=base) for kind in kinds]


def visual_order(levels: Sequence[int]) -> list[int]:
    """Return the positions of pieces of text from left to right, given the level of each."""
    order = list(range(len(levels)))
    lowest = min((level for level in levels if level % 2), default=None)
    if lowest is None:
        return order
    for level in range(max(levels), lowest - 1, -1):
        for start, end in _stretches([levels[position] >= level for position in order]):
            order[start:end] = reversed(order[start:end])
    return order


def _kind(character: str) -> str:
    return unicodedata.bidirectional(character) or "L"


def _without_weak(kinds: list[str], *, base: int) -> list[str]:
    """Return the kinds after the rules W1 to W7: only L, R, EN, AN and neutral ones are left."""
    strong = before = "R" if base else "L"
    result: list[str] = []
    for kind in kinds:
        # W1; characters without a direction of their own belong to the one before them.
        known = before if kind in {"NSM", "BN"} else kind
        before = known
        if known in _STRONG:
            strong = known
        # W2
        result.append("AN" if known == "EN" and strong == "AL" else known)
    result = ["R" if kind == "AL" else kind for kind in result]
    _join_numbers(result)
    strong = "R" if base else "L"
    for position, kind in enumerate(result):
        if kind in _STRONG:
            strong = kind
        elif kind == "EN" and strong == "L":
            result[position] = "L"
        elif kind in {"ES", "ET", "CS"}:
            result[position] = "ON"
    return result


def _join_numbers(kinds: list[str]) -> None:
    """Make one separator between two numbers, and signs beside a number, part of it (W4, W5)."""
    for position in range(1, len(kinds) - 1):
        before, kind, after = kinds[position - 1 : position + 2]
        if before == after and ((kind in {"ES", "CS"} and before == "EN") or (kind == "CS" and before == "AN")):
            kinds[position] = before
    for start, end in _stretches([kind == "ET" for kind in kinds]):
        if "EN" in {*kinds[max(0, start - 1) : start], *kinds[end : end + 1]}:
            kinds[start:end] = ["EN"] * (end - start)


def _resolve_brackets(text: str, kinds: list[str], *, base: int) -> None:
    """Give both brackets of a pair the direction of what they enclose (N0)."""
    own, other = ("R", "L") if base else ("L", "R")
    for opening, closing in sorted(_pairs(text, kinds)):
        inside = {_direction(kind) for kind in kinds[opening + 1 : closing]}
        if own in inside:
            direction = own
        elif other in inside:
            before = next((found for kind in reversed(kinds[:opening]) if (found := _direction(kind))), own)
            direction = before
        else:
            continue
        for position in (opening, closing):
            kinds[position] = direction
            _take_marks(text, kinds, after=position)


def _take_marks(text: str, kinds: list[str], *, after: int) -> None:
    """Give the marks right after a bracket its direction (N0)."""
    for position in range(after + 1, len(text)):
        if _kind(text[position]) not in {"NSM", "BN"}:
            return
        kinds[position] = kinds[after]


def _pairs(text: str, kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    opened: list[tuple[str, int]] = []
    for position, character in enumerate(text):
        if kinds[position] != "ON":
            continue
        if character in _BRACKETS:
            if len(opened) == _MOST_OPEN:
                return
            opened.append((_BRACKETS[character], position))
        else:
            at = next((index for index in range(len(opened) - 1, -1, -1) if opened[index][0] == character), None)
            if at is not None:
                yield opened[at][1], position
                del opened[at:]


def _resolve_neutral(kinds: list[str], *, base: int) -> None:
    """Give neutral characters the direction around them, or that of the paragraph (N1, N2)."""
    own = "R" if base else "L"
    for start, end in _stretches([kind in _NEUTRAL for kind in kinds]):
        before = _direction(kinds[start - 1]) if start else own
        after = _direction(kinds[end]) if end < len(kinds) else own
        kinds[start:end] = [before if before == after else own] * (end - start)


def _direction(kind: str) -> str:
    """Return ``L`` or ``R``, or nothing for a neutral kind; numbers count as R (N1)."""
    return {"L": "L", "R": "R", "EN": "R", "AN": "R"}.get(kind, "")


def _level(kind: str, *, base: int) -> int:
    """Return the level of a resolved kind (I1, I2)."""
    if kind == "L":
        return base * 2
    return 1 if kind == "R" else 2


def _stretches(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of true marks."""
    edges = [0, *(at for at, (one, other) in enumerate(pairwise(marks), start=1) if one != other), len(marks)]
    yield from ((start, end) for start, end in pairwise(edges) if start < end and marks[start])
