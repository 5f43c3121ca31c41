"""Slugs of names that may be misspellings of each other (taxonomy.names.near)."""

from typing import Final

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz-"
_LEAST: Final = 4
"""Shorter names have too many neighbours."""
_LEAST_REPLACED: Final = 6
"""As ``_LEAST``, where one letter stands for another: many short words differ in one letter."""
_MOST: Final = 60
"""Longer names have only those of the same slug: the number of neighbours grows with the length."""


def near_slugs(slug: str) -> set[str]:
    """Return the slug, and those with one letter more or less or other, or with two neighbours exchanged.

    The hyphen is one of the letters. Digits are kept: ``part-1`` and ``part-2`` are different on purpose.
    """
    near = {slug}
    if not _LEAST <= len(slug) <= _MOST:
        return near
    for place, letter in enumerate(slug):
        before, after = slug[:place], slug[place + 1 :]
        if letter not in _LETTERS:
            continue
        near.add(before + after)
        if after and after[0] in _LETTERS:
            near.add(before + after[0] + letter + after[1:])
        if len(slug) >= _LEAST_REPLACED:
            near.update(before + other + after for other in _LETTERS)
    near.update(slug[:place] + other + slug[place:] for place in range(len(slug) + 1) for other in _LETTERS)
    return near
