"""Which page of a list was asked for, and the links to the others (reader.md 1.4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from blog_engine.addresses import page_path

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class PageLink:
    """One entry of the page navigation."""

    number: int
    path: str
    is_current: bool


def page_number(sent: Sequence[str]) -> int | None:
    """The page that the values of ``page`` in the query string ask for; ``None`` when there can be no such page."""
    if not sent:
        return 1
    if len(sent) > 1 or not _NUMBER.fullmatch(sent[0]):
        return None
    return int(sent[0])


def page_links(path: str, *, current: int, count: int) -> tuple[PageLink, ...]:
    """A link for every page; empty when there is only one."""
    if count == 1:
        return ()
    return tuple(PageLink(number, page_path(path, number), number == current) for number in range(1, count + 1))
