"""One spelling for texts that are compared without regard to case (decisions.md 4)."""

import unicodedata


def fold(text: str) -> str:
    """The text case-folded and in Unicode NFC, so that ``ÉTÉ`` and ``été`` become equal on every database."""
    folded = unicodedata.normalize("NFD", text).casefold()
    return unicodedata.normalize("NFC", folded)
