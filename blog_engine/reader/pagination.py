"""Which page of a list was asked for, and the links to other pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from blog_engine.addresses import page_path

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_AROUND: Final = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """One entry of the page navigation; ``follows_gap`` means that pages before it are left out."""

    number: int
    path: str
    is_current: bool
    follows_gap: bool = False


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The page navigation of a list of several pages; iterating gives the numbered links."""

    links: tuple[PageLink, ...]
    """The first page, the last page, the current page and two pages on either side of it."""
    previous: PageLink | None
    next: PageLink | None

    def __iter__(self) -> Iterator[PageLink]:
        return iter(self.links)


def page_number(sent: Sequence[str]) -> int | None:
    """The page that the values of ``page`` in the query string ask for; ``None`` when there can be no such page."""
    if not sent:
        return 1
    if len(sent) > 1 or not _NUMBER.fullmatch(sent[0]):
        return None
    return int(sent[0])


def page_links(path: str, *, current: int, count: int) -> PageLinks | None:
    """Return at most seven numbered links, however many pages there are, or ``None`` for a single page.

    ``path`` is the path of page 1, ``count`` the number of pages.
    """
    if count == 1:
        return None
    around = range(max(1, current - _AROUND), min(count, current + _AROUND) + 1)
    links = {
        number: PageLink(number, page_path(path, number), number == current, follows_gap=number - before > 1)
        for before, number in pairwise([0, *sorted({1, *around, count})])
    }
    return PageLinks(tuple(links.values()), previous=links.get(current - 1), next=links.get(current + 1))
