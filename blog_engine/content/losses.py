"""The part of a text that another version takes away."""

from collections import Counter
from typing import Final

_FEW: Final = 20
_MUCH: Final = 500


def takes_much_away(old: str, new: str) -> bool:
    """Return whether much of a text is gone in the new one: words of 500 characters, or half of the text.

    Up to 20 characters are never much. Words that only moved are not gone.
    """
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    if not _is_much(len(old) - start - end, old):
        # Words cannot lose more than the one passage that differs.
        return False
    gone = Counter(old.split()) - Counter(new.split())
    return _is_much(sum(len(word) * number for word, number in gone.items()), "".join(old.split()))


def _is_much(gone: int, old: str) -> bool:
    return gone > _FEW and (gone >= _MUCH or 2 * gone >= len(old))


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with together; by halves, because comparing slices is fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
