"""Differences of texts in answers."""

from typing import Final

from blog_engine.content.differences import changed_words, unified_diff

MOST_DIFFERENCE: Final = 20_000
"""Characters of a difference in an answer."""


def shown_difference(old: str, new: str, *, names: tuple[str, str], by_words: bool = False) -> tuple[str, bool]:
    """Return the difference of two texts under these names, and whether it was cut off.

    It is a unified diff, or with ``by_words`` the changed words, which need no names.
    """
    whole = changed_words(old, new) if by_words else unified_diff(old, new, old_name=names[0], new_name=names[1])
    difference = whole[:MOST_DIFFERENCE]
    is_cut = len(difference) < len(whole)
    if is_cut:
        # Whole lines, as far as there are any.
        difference = difference[: difference.rfind("\n") + 1] or difference
    return difference, is_cut
