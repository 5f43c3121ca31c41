"""Lines and ranges of a text."""

import re
from bisect import bisect_right
from collections.abc import Iterable


class LineStarts:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        """Find where they begin."""
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._length = len(text)

    def start_of(self, index: int) -> int:
        """Return where the line with this index, counted from 0, begins; after the last one, the end of the text."""
        return self._starts[index] if index < len(self._starts) else self._length

    def number_at(self, position: int) -> int:
        """Return the number of the line, counted from 1, that a place is in."""
        return bisect_right(self._starts, position)


class Ranges:
    """Ranges of a text that do not overlap."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Take starts and ends; a range that begins in another one is left out."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(ranges):
            if not self._ends or start >= self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)

    def end_at(self, position: int) -> int | None:
        """Return where the range ends that this place is in; ``None`` if it is in none."""
        found = bisect_right(self._starts, position) - 1
        return self._ends[found] if found >= 0 and position < self._ends[found] else None


def padded(text: str, replaced: str) -> str:
    """Return a text on one line, followed by as many line ends as the text that it replaces has."""
    return " ".join(text.split("\n")) + "\n" * replaced.count("\n")
