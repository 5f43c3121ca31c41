"""Links to places of the same page, whose headings have other ids here."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import quote, unquote

from blog_engine.content.destinations import markdown_uses, with_destinations
from blog_engine.content.headings import heading_text
from blog_engine.importing.heading_ids import FormerIds, headings_of, ids_of_markdown, is_of_heading
from blog_engine.importing.source import Losses, LossKind

_MARK: Final = re.compile("\ue000([0-9]{1,6})\ue001")
_HAS_LINK: Final = re.compile(r"\(\s*<?#|\]:\s*<?#|<a\b")
_ALONE: Final = re.compile(
    r"(?m)^[ \t]*((?:\ue000[0-9]{1,6}\ue001[ \t]*)+)\n\s*(#{1,6}[ \t]+|(?=[^\n]+\n(?:=+|-+)[ \t]*$))"
)
"""Anchors in a paragraph of their own, directly before a heading."""


class Anchors:
    """The ids that a body gives to places, marked in its text until the ids of the headings here are known."""

    def __init__(self, made: FormerIds) -> None:
        """Take the rule of the program for headings without an id."""
        self._made = made
        self._names: list[str] = []

    def mark(self, name: str) -> str:
        """Return a mark for a place with an id, which ``resolved`` takes out again."""
        self._names.append(name)
        return f"\ue000{len(self._names) - 1}\ue001"

    def resolved(self, text: str, losses: Losses, *, source: str) -> tuple[str, FormerIds]:
        """Return the text without marks, whose links lead to the headings, and the ids that these had.

        A link that leads nowhere is named. ``source`` is the text as it was before, whose lines count.
        """
        given = dict(self._given(_ALONE.sub(r"\2\1", text))) if self._names else {}
        former = replace(self._made, given=tuple(given.items()))
        text = _MARK.sub("", text) if self._names else text
        return self._led(text, former, losses, source), former

    def _given(self, marked: str) -> Iterator[tuple[str, int]]:
        """Yield the ids that the body gives to headings, with the places of these; the first of a name comes last."""
        found = [
            (self._names[int(one[1])], place)
            for place, heading in enumerate(headings_of(marked))
            for one in _MARK.finditer(heading_text(heading))
        ]
        yield from reversed(found)

    def _led(self, text: str, former: FormerIds, losses: Losses, source: str) -> str:
        """Return the text with other fragments in the links to its headings."""
        if not _HAS_LINK.search(text):
            return text
        links = [one for one in markdown_uses(text).destinations if one.url.startswith("#") and not one.is_image]
        links = [one for one in links if is_of_heading(one.url[1:])]
        if not links:
            return text
        ids = ids_of_markdown(text, former)
        new: dict[str, str] = {}
        for link in links:
            target = ids.get(unquote(link.url[1:]))
            if target is None:
                message = f"The link {unquote(link.url)} to a place of the page leads nowhere now"
                place = max(source.find(link.url), source.find(unquote(link.url)))
                losses.add(LossKind.LINK, message, source.count("\n", 0, place) + 1 if place >= 0 else link.line)
            elif target != unquote(link.url[1:]):
                new[link.url] = f"#{quote(target)}"
        return with_destinations(text, new) if new else text
