"""Headings of a body: levels, ids, and the table of contents."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final
from urllib.parse import quote

from anyascii import anyascii

from blog_engine.content.html import HEADINGS, Element, Node, walk
from blog_engine.content.options import RenderLabels
from blog_engine.content.text import compose

PAGE_IDS: Final = frozenset({"blog-main"})
"""Ids of the article page itself, which no heading must get."""

_OTHERS: Final = re.compile(r"[^a-z0-9_]+")
_DASHES: Final = re.compile("-{2,}")
_SELECTORS: Final = frozenset({"\ufe0e", "\ufe0f", "\u20e3"})
"""Marks that choose or frame an emoji."""
_TOP: Final = 2
_DEEPEST: Final = 6
_FEWEST_ITEMS: Final = 3


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page: ``text`` without the anchor sign, ``id`` without ``#``."""

    level: int
    text: str
    id: str
    former_id: str = ""
    """Its id in Latin letters, as earlier versions had it, if that is another one and no other heading has it."""


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
    taken = [element.attrs["id"] for element in walk(tree) if "id" in element.attrs]
    texts = [heading_text(element) for element in elements]
    ids = ids_of(map(id_base, texts), taken)
    former_ids, known = ids_of(map(_former_id_base, texts), taken), {*ids}
    headings = tuple(
        Heading(
            min(_level(element) + shift, _DEEPEST),
            text,
            own,
            "" if former in known else former,
        )
        for element, text, own, former in zip(elements, texts, ids, former_ids, strict=True)
    )
    for element, heading in zip(elements, headings, strict=True):
        _dress(element, heading, labels=labels)
    return headings


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
    """Return the id of the first heading with a text; further ones have a number after it.

    Letters, digits and the marks on them are kept in every script, without signs for the choice of an emoji.
    """
    if text.isascii():
        return _former_id_base(text)
    kept = (sign if _is_of_word(sign) else "-" for sign in compose(text.lower()))
    return _DASHES.sub("-", "".join(kept)).strip("-") or "section"


def _former_id_base(text: str) -> str:
    return _OTHERS.sub("-", anyascii(text).lower()).strip("-") or "section"


def _is_of_word(sign: str) -> bool:
    return sign == "_" or (unicodedata.category(sign)[0] in "LMN" and sign not in _SELECTORS)


def ids_of(bases: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return the ids of headings with these bases, in their order."""
    ids = HeadingIds(taken)
    return [ids.take(base) for base in bases]


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


def _dress(element: Element, heading: Heading, *, labels: RenderLabels) -> None:
    element.name = f"h{heading.level}"
    element.attrs["id"] = heading.id
    if heading.former_id:
        element.children.insert(0, Element("span", {"id": heading.former_id}))
    label = labels.link_to % {"heading": heading.text}
    # Style sheets draw the sign, so that it is no text for programs that read the page.
    attrs = {"class": "blog-heading-anchor", "href": f"#{quote(heading.id)}", "aria-label": label}
    element.children += [" ", Element("a", attrs)]


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


def ids_on_page(headings: Iterable[Heading]) -> frozenset[str]:
    """Return the ids that the headings have, with their former ones."""
    return frozenset(id_ for heading in headings for id_ in (heading.id, heading.former_id) if id_)


def free_id(name: str, ids: Iterable[str]) -> str:
    """Return the id, or else the first of those with ``-1``, ``-2``, … after it that is not in ``ids``."""
    taken = set(ids)
    names = (f"{name}-{number}" if number else name for number in count())
    return next(one for one in names if one not in taken)
