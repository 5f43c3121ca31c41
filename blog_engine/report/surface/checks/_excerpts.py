"""Short pieces of text for the sentences of a report."""

from typing import Final

from blog_engine.report.surface.quoting import quote

_LONGEST: Final = 60
_BEFORE: Final = 20


def quoted(text: str) -> str:
    """The start of a text in quotation marks, or that there is none."""
    return quote(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…") if text else "nothing"


def quoted_around(text: str, position: int) -> str:
    """A piece of a text around a position."""
    start = max(0, position - _BEFORE)
    return quoted(f"{'…' if start else ''}{text[start:]}") if text[start:] else "nothing"


def first_difference(one: str, other: str) -> int:
    """The first position at which two texts differ; the length of the shorter one when that is the other's start."""
    for position, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return position
    return min(len(one), len(other))
