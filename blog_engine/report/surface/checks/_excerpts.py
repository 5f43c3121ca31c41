"""Short pieces of text for the sentences of a report."""

from typing import Final

_LONGEST: Final = 60
_BEFORE: Final = 20


def quoted(text: str) -> str:
    """The start of a text in quotation marks, or that there is none."""
    if not text:
        return "nothing"
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…"'


def quoted_around(text: str, position: int) -> str:
    """A piece of a text around a position."""
    start = max(0, position - _BEFORE)
    before = "…" if start else ""
    return quoted(before + text[start:]) if text[start:] else "nothing"


def first_difference(one: str, other: str) -> int:
    """The first position at which two texts differ; the length of the shorter one when that is the other's start."""
    for position, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return position
    return min(len(one), len(other))
