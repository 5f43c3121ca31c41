"""Characters that no document may have, and runs of combining marks that cost too much to normalise."""

import re
from typing import Final
from unicodedata import category

MOST_MARKS: Final = 30
"""Combining marks in a row. Unicode normalisation sorts a run in quadratic time: 40,000 marks take eight seconds."""

# Said by what is allowed, because that is forty times as fast. Allowed are all but controls (tab and line ends are) and
# what Unicode keeps free in the basic plane.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")

_FIRST_MARK: Final = "\u0300"
_MAY_BE_MARKS: Final = re.compile(rf"[{_FIRST_MARK}-\U0010ffff]{{{MOST_MARKS + 1},}}")
_COMPATIBLE: Final = frozenset("\uff9e\uff9f")
"""Letters to Unicode, of which NFKC and NFKD make marks."""


def with_allowed_characters(text: str) -> str:
    """The text with a space for each character that HTML and XML forbid; word processors write some as line ends."""
    return _FORBIDDEN.sub(" ", text)


def has_long_mark_run(text: str) -> bool:
    """Return whether the text has more than 30 combining marks in a row."""
    return any(_without_long_runs(found) != found[0] for found in _MAY_BE_MARKS.finditer(text))


def without_long_mark_runs(text: str) -> str:
    """Return the text without the combining marks that follow 30 others in a row."""
    return _MAY_BE_MARKS.sub(_without_long_runs, text)


def _without_long_runs(found: re.Match[str]) -> str:
    kept: list[str] = []
    length = 0
    for character in found[0]:
        length = length + 1 if category(character)[0] == "M" or character in _COMPATIBLE else 0
        if length <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)
