"""Texts of pages in the sentences and the evidence of a report."""

from typing import Final

LONGEST: Final = 200
"""Characters of a text that are shown."""


def quote(text: str) -> str:
    """A text between quotation marks, as ``cut`` shows it."""
    return f"“{cut(text)}”"


def cut(text: str) -> str:
    """The text on one line and not too long; every encoding can carry it."""
    # JSON on a page may write half a surrogate pair, which no answer could be encoded with.
    line = " ".join(text[: LONGEST * 10].split()).encode("utf-8", "replace").decode()
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def folded(text: str) -> str:
    """The text for comparing: without regard to case and to how it is spaced."""
    return " ".join(text.split()).casefold()
