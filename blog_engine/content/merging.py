"""Carrying the changes of a text over to a text that was changed meanwhile, line by line."""

from dataclasses import dataclass
from typing import Final

from blog_engine.content.differences import Steps, changed_lines

MOST_OVERLAPS: Final = 100
"""The passages in conflict that are named."""
_MOST_STEPS: Final = 200_000
"""Of both comparisons: lines past it, as in two orders of the same long list, count as changed."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """A passage that was changed on both sides, in its three versions."""

    base: str
    present: str
    proposed: str


class CannotMerge(Exception):
    """Both sides changed the same lines, or lines without another one between them."""

    def __init__(self, overlaps: list[Overlap], *, merged: str) -> None:
        super().__init__(f"{len(overlaps)} passages")
        self.overlaps = overlaps
        self.merged = merged
        """The present text with all changes of the proposed one, in these passages too."""


@dataclass(frozen=True, slots=True)
class _LineChange:
    """Lines of the base, and what is in their place in another text; each line has its end."""

    start: int
    """The index of the first line, which the change comes before if it only adds lines."""
    end: int
    """The index after the last line."""
    added: list[str]


def merged_text(base: str, proposed: str, present: str) -> str:
    """Return the present text with the changes that ``proposed`` made to ``base``.

    A change that both sides made alike is kept once. Raises ``CannotMerge`` with the passages in which they differ, at
    most a hundred of them.
    """
    steps = Steps(_MOST_STEPS)
    lines, proposed_changes = _changes(base, proposed, steps)
    _, present_changes = _changes(base, present, steps)
    made, overlaps, position = list[str](), list[Overlap](), 0
    for ours, theirs in _meetings(proposed_changes, present_changes):
        start = min(change.start for change in [*ours, *theirs])
        end = max(change.end for change in [*ours, *theirs])
        made += lines[position:start]
        mine, other = _changed(lines, ours, start, end), _changed(lines, theirs, start, end)
        if ours and theirs and mine != other:
            overlaps.append(Overlap("".join(lines[start:end]), present="".join(other), proposed="".join(mine)))
        made += mine if ours else other
        position = end
    merged = "".join([*made, *lines[position:]])
    if overlaps:
        raise CannotMerge(overlaps[:MOST_OVERLAPS], merged=merged)
    return merged


def _changes(old: str, new: str, steps: Steps) -> tuple[list[str], list[_LineChange]]:
    """Return the lines of the old text, and how the new one differs."""
    lines, found = list[str](), list[_LineChange]()
    for removed, added, kept in changed_lines(old, new, steps=steps):
        if removed or added:
            found.append(_LineChange(len(lines), len(lines) + len(removed), added))
        lines += [*removed, *kept]
    return lines, found


def _meetings(ours: list[_LineChange], theirs: list[_LineChange]) -> list[tuple[list[_LineChange], list[_LineChange]]]:
    """Return the changes of both sides in order, those that touch each other together."""
    found: list[tuple[list[_LineChange], list[_LineChange]]] = []
    end = -1
    for change, is_ours in sorted(
        [*((change, True) for change in ours), *((change, False) for change in theirs)], key=lambda one: one[0].start
    ):
        if not found or change.start > end:
            found.append(([], []))
        found[-1][0 if is_ours else 1].append(change)
        end = max(end, change.end)
    return found


def _changed(lines: list[str], changes: list[_LineChange], start: int, end: int) -> list[str]:
    """Return the lines from ``start`` to ``end`` with these changes."""
    made: list[str] = []
    for change in changes:
        made += [*lines[start : change.start], *change.added]
        start = change.end
    return made + lines[start:end]
