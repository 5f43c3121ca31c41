"""Unified diffs of texts, as ``patch`` reads them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from blog_engine.content.differences import changed_lines

_DIFF_CONTEXT: Final = 3
"""Unchanged lines before and after a change in a unified diff."""


def unified_diff(old: str, new: str, *, old_name: str, new_name: str) -> str:
    """Return the unified diff of two texts with three lines of context, as ``patch`` reads it; empty if they are equal.

    Only ``\\n`` ends a line. Two texts of 3 MiB take at most a few seconds; a comparison that would take longer shows
    more lines than necessary as removed and added.
    """
    if old == new:
        return ""
    changes = changed_lines(old, new)
    return "".join([f"--- {old_name}\n+++ {new_name}\n", *map(str, _hunks(changes))])


@dataclass(slots=True)
class _Hunk:
    """Changes of a unified diff that are near each other, and the unchanged lines around them."""

    old_start: int
    """The number of old lines before it."""
    new_start: int
    lines: list[tuple[str, str]] = field(default_factory=list)
    """Each line and its sign."""

    def add(self, sign: str, lines: Iterable[str]) -> None:
        self.lines += [(sign, line) for line in lines]

    def __str__(self) -> str:
        old = _line_range(self.old_start, sum(sign != "+" for sign, _ in self.lines))
        new = _line_range(self.new_start, sum(sign != "-" for sign, _ in self.lines))
        return "".join([f"@@ -{old} +{new} @@\n", *(sign + _ended(line) for sign, line in self.lines)])


def _hunks(changes: Iterable[tuple[list[str], list[str], list[str]]]) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    between: list[str] = []  # The unchanged lines since the last hunk.
    old_line, new_line = 0, 0
    for removed, added, kept in changes:
        if removed or added:
            if not hunks or len(between) > _DIFF_CONTEXT:
                between = between[-_DIFF_CONTEXT:]
                hunks.append(_Hunk(old_line - len(between), new_line - len(between)))
            hunks[-1].add(" ", between)
            hunks[-1].add("-", removed)
            hunks[-1].add("+", added)
            hunks[-1].add(" ", kept[:_DIFF_CONTEXT])
        between = kept[_DIFF_CONTEXT:] if hunks else kept
        old_line += len(removed) + len(kept)
        new_line += len(added) + len(kept)
    return hunks


def _line_range(start: int, lines: int) -> str:
    """Return the first line and the number of lines; an empty range is named by the line before it."""
    if lines == 1:
        return str(start + 1)
    return f"{start + 1 if lines else start},{lines}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
