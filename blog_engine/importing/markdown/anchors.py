"""Links to places of the same page, whose headings have other ids here."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote

from blog_engine.content.destinations import markdown_uses, with_destinations
from blog_engine.content.headings import dress_headings, heading_text, remove_empty_headings
from blog_engine.content.html import HEADINGS, Element, walk
from blog_engine.content.options import RenderLabels, RenderOptions
from blog_engine.content.rendering import sanitized
from blog_engine.enums import BodyFormat
from blog_engine.importing.source import Losses, LossKind

_OPTIONS: Final = RenderOptions(
    hard_breaks=True, site_origin=None, mount="", script_name="", footnote_prefix="fn-0-", images={}
)
_LABELS: Final = RenderLabels()
_MARK: Final = re.compile("\ue000([0-9]{1,6})\ue001")
_HAS_LINK: Final = re.compile(r"\(\s*<?#|\]:\s*<?#|<a\b")
_ALONE: Final = re.compile(
    r"(?m)^[ \t]*((?:\ue000[0-9]{1,6}\ue001[ \t]*)+)\n\s*(#{1,6}[ \t]+|(?=[^\n]+\n(?:=+|-+)[ \t]*$))"
)
"""Anchors in a paragraph of their own, directly before a heading."""
_OF_SOURCE: Final = str.maketrans(
    {"\u2013": "--", "\u2014": "---", "\u2026": "...", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
)
_ELSEWHERE: Final = re.compile(r"fn(?:ref)?[:-]|top$")
"""The beginnings of names that are no headings: footnotes, and the top of the page."""


class Anchors:
    """The ids that a body gives to places, marked in its text until the ids of the headings here are known."""

    def __init__(self) -> None:
        """Begin without any."""
        self._names: list[str] = []

    def mark(self, name: str) -> str:
        """Return a mark for a place with an id, which ``resolved`` takes out again."""
        self._names.append(name)
        return f"\ue000{len(self._names) - 1}\ue001"

    def resolved(self, text: str, losses: Losses, *, source: str) -> str:
        """Return the text without marks, whose links lead to the headings; one that leads nowhere is named.

        ``source`` is the text as it was before, whose lines count.
        """
        marked = _ALONE.sub(r"\2\1", text) if self._names else text
        text = _MARK.sub("", text) if self._names else text
        if not _HAS_LINK.search(text):
            return text
        links = [one for one in markdown_uses(text).destinations if one.url.startswith("#") and not one.is_image]
        links = [one for one in links if one.url[1:] and not _ELSEWHERE.match(one.url[1:])]
        if not links:
            return text
        ids = self._ids(text, marked)
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

    def _ids(self, text: str, marked: str) -> dict[str, str]:
        """Return the ids of headings here by all names that they have or had."""
        ids: dict[str, str] = {}
        tree = _tree(text)
        words = [heading_text(heading) for heading in _headings(tree)]
        shown = dress_headings(tree, labels=_LABELS)
        for heading in shown:
            ids |= {former: former for former in (heading.former_id,) if former} | {heading.id: heading.id}
        if self._names:
            for element, heading in zip(_headings(_tree(marked)), shown, strict=False):
                for found in _MARK.finditer(heading_text(element)):
                    ids.setdefault(self._names[int(found[1])], heading.id)
        for name, position in _generated(words):
            ids.setdefault(name, shown[position].id)
        return ids


def _tree(text: str) -> Element:
    tree = sanitized(text, body_format=BodyFormat.MARKDOWN, options=_OPTIONS)
    remove_empty_headings(tree)
    return tree


def _headings(tree: Element) -> list[Element]:
    return [element for element in walk(tree) if element.name in HEADINGS]


def _generated(headings: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the ids that programs make of headings, each with the place of its heading.

    Those of GitHub, which Goldmark, kramdown for GitHub and Astro have, of markdown-it-anchor, of kramdown itself, and
    of Python-Markdown; of equal ones the second has a number.
    """
    counts: dict[str, int] = {}
    for position, words in enumerate(headings):
        # They are made of the words of the source.
        words = words.translate(_OF_SOURCE)
        lower = words.lower()
        ascii_only = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
        bases = {
            re.sub(r"[^\w\- ]", "", lower).replace(" ", "-"),
            re.sub(r"\s+", "-", lower.strip()),
            re.sub(r"^[^a-z]+", "", re.sub(r"[^a-z0-9 -]", "", lower)).replace(" ", "-"),
            re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip()),
        }
        for base in sorted(bases):
            count = counts.get(base, 0)
            counts[base] = count + 1
            yield from (
                ((base, position),) if not count else ((f"{base}-{count}", position), (f"{base}_{count}", position))
            )
