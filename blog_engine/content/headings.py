"""Headings of a body: levels, ids, and the table of contents."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from anyascii import anyascii

from blog_engine.content.html import HEADINGS, Element, Node, walk
from blog_engine.content.options import RenderLabels

PAGE_IDS: Final = frozenset({"blog-main"})
"""Ids of the article page itself, which no heading must get."""

_OTHERS: Final = re.compile(r"[^a-z0-9_]+")
_TOP: Final = 2
_DEEPEST: Final = 6
_FEWEST_ITEMS: Final = 3


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page: ``text`` without the anchor sign, ``id`` without ``#``."""

    level: int
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class SourceHeading:
    """A heading with the level that the author gave it."""

    level: int
    text: str


def read_headings(tree: Element) -> tuple[SourceHeading, ...]:
    """Return the headings of a sanitised tree in document order."""
    return tuple(SourceHeading(_level(element), heading_text(element)) for element in _headings(tree))


def dress_headings(tree: Element, *, labels: RenderLabels) -> tuple[Heading, ...]:
    """Shift levels, add ids and anchors, in place; return the headings.

    The highest level of the body becomes 2. A heading without text is removed.
    """
    remove_empty_headings(tree)
    elements = _headings(tree)
    shift = _TOP - min(map(_level, elements), default=_TOP)
    ids = HeadingIds(element.attrs["id"] for element in walk(tree) if "id" in element.attrs)
    return tuple(_dress(element, shift=shift, ids=ids, labels=labels) for element in elements)


def heading_text(element: Element) -> str:
    """Return the visible text: with image texts, without footnote marks."""
    return " ".join("".join(_texts(element)).split())


def remove_empty_headings(element: Element) -> None:
    """Remove the headings that have no text, in place."""
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            if child.name in HEADINGS and not heading_text(child):
                continue
            remove_empty_headings(child)
        children.append(child)
    element.children = children


def id_base(text: str) -> str:
    """Return the id of the first heading with a text; further ones have a number after it."""
    return _OTHERS.sub("-", anyascii(text).lower()).strip("-") or "section"


class HeadingIds:
    """Hands out ids that are unique in the body."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {*taken, *PAGE_IDS}
        self._repeats: Counter[str] = Counter()

    def take(self, base: str) -> str:
        """Return the id of the next heading with this ``id_base``."""
        name = base
        while name in self._taken:
            self._repeats[base] += 1
            name = f"{base}-{self._repeats[base]}"
        self._taken.add(name)
        return name


def _dress(element: Element, *, shift: int, ids: HeadingIds, labels: RenderLabels) -> Heading:
    text = heading_text(element)
    heading = Heading(min(_level(element) + shift, _DEEPEST), text, ids.take(id_base(text)))
    element.name = f"h{heading.level}"
    element.attrs["id"] = heading.id
    label = labels.link_to % {"heading": text}
    attrs = {"class": "blog-heading-anchor", "href": f"#{heading.id}", "aria-label": label}
    element.children += [" ", Element("a", attrs, ["#"])]
    return heading


def _headings(tree: Element) -> list[Element]:
    return [element for element in walk(tree) if element.name in HEADINGS]


def _level(element: Element) -> int:
    return int(element.name[1])


def _texts(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.name in {"img", "br"}:
            yield child.attrs.get("alt", "") or " "
        elif child.attrs.get("class") != "blog-footnote-ref":
            yield from _texts(child)


@dataclass(frozen=True, slots=True)
class TocItem:
    """A line of the table of contents: ``level`` 2 or 3, target ``id`` without ``#``."""

    level: int
    text: str
    id: str


def table_of_contents(headings: Iterable[Heading], *, faq_title: str | None, faq_id: str) -> tuple[TocItem, ...]:
    """Return the level 2 and 3 headings, then the FAQ; nothing below three entries.

    ``faq_title`` is ``None`` for a post without FAQ, and ``faq_id`` is then unused.
    """
    items = [TocItem(heading.level, heading.text, heading.id) for heading in headings if heading.level in (2, 3)]
    if faq_title is not None:
        items.append(TocItem(2, faq_title, faq_id))
    return tuple(items) if len(items) >= _FEWEST_ITEMS else ()


def free_id(name: str, ids: Iterable[str]) -> str:
    """Return the id, or else the first of those with ``-1``, ``-2``, … after it that is not in ``ids``."""
    taken = set(ids)
    names = (f"{name}-{number}" if number else name for number in count())
    return next(one for one in names if one not in taken)
