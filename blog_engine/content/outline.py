"""The table of contents of an article and the id of its FAQ section (reader.md 4.6, 4.7; decisions.md 7.7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Final

from blog_engine.content._headings import Heading

FEWEST_ITEMS: Final = 3


@dataclass(frozen=True, slots=True)
class TocItem:
    """One line of the table of contents; ``level`` is 2 or 3, ``id`` the target without ``#``."""

    level: int
    text: str
    id: str


def table_of_contents(headings: Iterable[Heading], *, faq_title: str | None, faq_id: str) -> tuple[TocItem, ...]:
    """The level 2 and 3 headings of the rendered body, then the FAQ section; empty below three items.

    ``faq_title`` is ``None`` for a post without FAQ records; ``faq_id`` is then not used.
    """
    items = [TocItem(heading.level, heading.text, heading.id) for heading in headings if heading.level in (2, 3)]
    if faq_title is not None:
        items.append(TocItem(2, faq_title, faq_id))
    return tuple(items) if len(items) >= FEWEST_ITEMS else ()


def faq_section_id(ids: Iterable[str]) -> str:
    """``faq``, or the first of ``faq-1``, ``faq-2``, … that none of the body's ids is."""
    taken = set(ids)
    names = (f"faq-{number}" if number else "faq" for number in count())
    return next(name for name in names if name not in taken)
