"""Pages of lists, by number or after the last row of the page before, whatever rows come and go (api.lists.cursor)."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypedDict, TypeVar

from django.db.models import Model

from blog_engine.errors import ValidationFailed
from blog_engine.inputs.reports import Paged

R = TypeVar("R")

_FORM: Final = re.compile(r"([1-9][0-9]{0,8})((?:_-?[0-9]{1,18}){1,2})_([0-9a-f]{8})")
_NO_FILTERS: Final = frozenset({"page", "per_page", "cursor", "fields", "images"})
"""Fields of lists that say which rows and keys an answer has, and which of a tool's lists it is."""
_REFUSED: Final = (
    "cursor must be the next_cursor of an answer of this list, sent with the same filters. Without cursor the list "
    "begins again."
)


class Place(TypedDict):
    """The page of a list, the number of rows on all its pages, and the cursor of the page behind it."""

    page: int
    per_page: int
    total: int
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class AskedPage:
    """The page of a list that a caller asks for."""

    number: int
    size: int
    after: tuple[int, ...]
    """The key of the row that it follows; empty for a page that is found by its number."""
    name: str
    """The list and its filters, to which a cursor belongs."""

    @classmethod
    def of(cls, data: Paged, model: type[Model], *, parts: int = 1) -> Self:
        """Return the page that an input asks for; ``parts`` is the number of integers in the key of a row.

        Raises ``ValidationFailed`` for a cursor of another list or with other filters (``cursor``), and for one that
        comes with a page (``page``).
        """
        filters = {name: str(value) for name, value in data if name not in _NO_FILTERS and value not in (None, False)}
        name = f"{model.__name__} {json.dumps(filters, sort_keys=True)}"
        if data.cursor is None:
            return cls(data.page, data.per_page, (), name)
        if data.page > 1:
            raise ValidationFailed(["page"], hint="Send cursor or page, not both.")
        found = _FORM.fullmatch(data.cursor)
        after = tuple(map(int, found[2].split("_")[1:])) if found else ()
        if found is None or len(after) != parts or _mark(name, int(found[1]), after) != found[3]:
            raise ValidationFailed(["cursor"], hint=_REFUSED)
        return cls(int(found[1]), data.per_page, after, name)

    @property
    def rows(self) -> slice:
        """The rows to read behind ``after``: those of the page, and one that says whether another page follows."""
        start = 0 if self.after else (self.number - 1) * self.size
        return slice(start, start + self.size + 1)

    def cut(self, rows: Sequence[R], *, key: Callable[[R], tuple[int, ...]], total: int) -> tuple[Sequence[R], Place]:
        """Return the rows of the page, and its place in the list."""
        own, cursor = rows[: self.size], None
        if len(rows) > self.size:
            last, number = key(own[-1]), self.number + 1
            cursor = "_".join(map(str, (number, *last, _mark(self.name, number, last))))
        return own, Place(page=self.number, per_page=self.size, total=total, next_cursor=cursor)


def _mark(name: str, number: int, key: tuple[int, ...]) -> str:
    """Return what shows that a cursor was given out for this list, which every caller with its scope can read."""
    return hashlib.sha256(f"{name}\0{number}\0{key}".encode()).hexdigest()[:8]
