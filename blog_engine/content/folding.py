"""Unicode normalisation of texts that are compared; each bounds the runs of combining marks first."""

import unicodedata

from blog_engine.content.characters import without_long_mark_runs


def fold(text: str) -> str:
    """The text case-folded and in Unicode NFC, so that ``ÉTÉ`` and ``été`` become equal on every database."""
    folded = unicodedata.normalize("NFD", without_long_mark_runs(text)).casefold()
    return unicodedata.normalize("NFC", folded)


def composed(text: str) -> str:
    """The text in Unicode NFC, for texts that no input checked: entities can spell any run of marks."""
    return unicodedata.normalize("NFC", without_long_mark_runs(text))
