"""Small edits of a text: passages that are replaced, and text that is added (posts.edits)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blog_engine.content._nearest_passage import around, nearest_passage
from blog_engine.content._placed_headings import PlacedHeading, PlacedHeadings, ReadTooOften
from blog_engine.content.options import MarkdownPlugin
from blog_engine.enums import BodyFormat

_MOST_SHOWN: Final = 3
"""Occurrences of a passage that is there several times."""
_MOST_HEADINGS: Final = 20


@dataclass(frozen=True, slots=True)
class Replacement:
    """A passage and what replaces it; ``occurrence`` counts from 1, ``None`` if the passage must be there once."""

    old: str
    new: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class Addition:
    """Text that comes after the end, or directly after the heading with this id or text."""

    text: str
    heading: str | None = None


TextEdit = Replacement | Addition


class EditDoesNotApply(Exception):
    """An edit does not fit the text; as text, why, and the passage of the text that is nearest to a missing one."""

    def __init__(self, reason: str, *, text: str = "", missing: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = ""
        """The number of the edit, if it is one of several."""
        self._text, self._missing = text, missing

    def __str__(self) -> str:
        # Looked for only now: a proposal that does not fit is compared line by line instead.
        nearest = f" {nearest_passage(self._text, self._missing)}" if self._missing else ""
        return f"{self.place}{self.reason}{nearest}"


class EditedTextTooLong(Exception):
    """An edit makes the text longer than a body can be."""

    def __str__(self) -> str:
        return "The body would be longer than a body can be."


def edited(
    text: str,
    edits: Sequence[TextEdit],
    *,
    body_format: BodyFormat,
    most_bytes: int,
    plugins: tuple[MarkdownPlugin, ...] = (),
) -> str:
    """Return the text after all edits, each of which is applied to what the one before it left.

    Headings are those of the page, which the ``plugins`` of the host may change. Raises ``EditDoesNotApply``, which
    names the edit by its number if there are several, ``EditedTextTooLong`` for one that makes more than ``most_bytes``
    of UTF-8 of a text, and ``TooMuchMarkup`` for a text whose headings cannot be found.
    """
    most_bytes = max(most_bytes, len(text.encode()))
    editor = _Editor(text, body_format, plugins)
    for number, edit in enumerate(edits, start=1):
        try:
            editor.apply(edit)
        except EditDoesNotApply as fault:
            if len(edits) > 1:
                fault.place = f"Edit {number} of {len(edits)}: "
            raise
        if len(editor.text.encode()) > most_bytes:
            raise EditedTextTooLong
    return editor.text


class _Editor:
    """A text, and its headings once one of them is named."""

    def __init__(self, text: str, body_format: BodyFormat, plugins: tuple[MarkdownPlugin, ...]) -> None:
        self.text = text
        self._format, self._plugins = body_format, plugins
        self._headings: PlacedHeadings | None = None

    def apply(self, edit: TextEdit) -> None:
        """Change the text; raises ``EditDoesNotApply``."""
        try:
            if isinstance(edit, Replacement):
                self._replace(edit)
            else:
                self._add(edit.text, len(self.text) if edit.heading is None else self._end_of_heading(edit.heading))
        except ReadTooOften as excess:
            raise EditDoesNotApply(
                "After the edits before it, too much of the body has to be read again to find a heading: "
                "send fewer edits at once, or the whole body."
            ) from excess

    def _change(self, start: int, end: int, new: str) -> None:
        self.text = f"{self.text[:start]}{new}{self.text[end:]}"
        if self._headings is not None:
            self._headings.change(start, end, new)

    def _replace(self, edit: Replacement) -> None:
        old, new = (self._with_line_ends(part) for part in (edit.old, edit.new))
        start = _start_of(self.text, old, edit.occurrence)
        self._change(start, start + len(old), new)

    def _add(self, added: str, place: int) -> None:
        """Add a text with blank lines around it, so that it is a paragraph of its own."""
        end = "\r\n" if "\r\n" in self.text else "\n"
        added = self._with_line_ends(added)
        before, after = self.text[:place].rstrip(), self.text[place:]
        head = f"{end}{end}" if before else ""
        if not after.strip():
            tail = "" if added.endswith("\n") else end
            self._change(len(before), len(self.text), f"{head}{added}{tail}")
            return
        following = len(self.text) - len(after.lstrip("\r\n"))
        self._change(len(before), following, f"{head}{added.rstrip()}{end}{end}")

    def _with_line_ends(self, part: str) -> str:
        """Return a part with the line ends of the text, which a model does not see."""
        if "\r\n" in self.text and "\r" not in part:
            return part.replace("\n", "\r\n")
        return part

    def _end_of_heading(self, name: str) -> int:
        if self._headings is None:
            self._headings = PlacedHeadings(self.text, body_format=self._format, plugins=self._plugins)
        found = self._headings.named(name)
        if not found:
            raise EditDoesNotApply(f"The body has no such heading. {_known(self._headings.all())}")
        if len(found) > 1:
            ids = _some([one.id for one in found])
            raise EditDoesNotApply(f"Several headings have that text: send the id of one of them, {ids}.")
        if found[0].content_start is None:
            raise EditDoesNotApply("The headings of this body have no place in its source: edit it by old and new.")
        return found[0].content_start


def _start_of(text: str, old: str, occurrence: int | None) -> int:
    """Return where a passage starts; raises ``EditDoesNotApply``."""
    if occurrence is not None:
        # In one step: the next one from each would be as many steps as there are occurrences.
        *before, rest = text.split(old, occurrence)
        if len(before) == occurrence:
            return len(text) - len(rest) - len(old)
    start = text.find(old)
    if start < 0:
        raise EditDoesNotApply("old is not in the body.", text=text, missing=old)
    number = text.count(old)
    if occurrence is not None:
        raise EditDoesNotApply(f"occurrence is too large: old is in the body {number} time{'s' * (number > 1)}.")
    if number > 1:
        raise EditDoesNotApply(
            f"old is in the body {number} times: send occurrence from 1 to {number}, or a longer passage as old. "
            f"{_places(text, old, number)}"
        )
    return start


def _places(text: str, old: str, number: int) -> str:
    """Return the first occurrences of a passage: their numbers and lines, and the words around them."""
    found: list[str] = []
    start = text.find(old)
    while start >= 0 and len(found) < _MOST_SHOWN:
        line = text.count("\n", 0, start) + 1
        found.append(f"{len(found) + 1} (line {line}): {around(text, start, start + len(old))}")
        start = text.find(old, start + len(old))
    return f"Occurrence {'; '.join(found)}{'; …' if number > len(found) else '.'}"


def _known(headings: Sequence[PlacedHeading]) -> str:
    if not headings:
        return "It has no headings: edit it by old and new, or by append."
    return f"Its headings are {_some([one.text for one in headings])}."


def _some(names: Sequence[str]) -> str:
    return f"{', '.join(names[:_MOST_HEADINGS])}{', …' * (len(names) > _MOST_HEADINGS)}"
