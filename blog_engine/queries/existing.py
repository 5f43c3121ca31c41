"""Rows of several kinds that are looked up by their keys, in one query."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Final

from django.db.models import CharField, F, IntegerField, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from blog_engine.queries.compiled import CompiledValues

_numbers: Final = count()
_STATEMENTS: Final = 256
"""Statements that are kept; a page of posts asks for one of a few."""


@dataclass(frozen=True, eq=False)
class RowsByKey:
    """Rows of one kind, and the text column or expression that is read of them."""

    rows: Callable[[str], QuerySet[Any]]
    """Returns the rows for a parameter of this name, such as ``among_texts("slug", name)``."""
    key: str | Combinable
    number: int

    @classmethod
    def of(cls, rows: Callable[[str], QuerySet[Any]], key: str | Combinable) -> "RowsByKey":
        """Return a kind of rows. Make it once: each has statements of its own."""
        return cls(rows, key, next(_numbers))


def existing_keys(asked: Mapping[RowsByKey, Collection[Any]]) -> Mapping[RowsByKey, Collection[str]]:
    """Return the keys of the rows that there are of each kind; one query for all kinds, and none without any."""
    found: dict[RowsByKey, set[str]] = {kind: set() for kind in asked}
    if not asked:
        return found
    kinds = tuple(sorted(asked, key=lambda kind: kind.number))
    for place, key in _statement(kinds).all(**{f"keys_{place}": [*asked[kind]] for place, kind in enumerate(kinds)}):
        found[kinds[place]].add(key)
    return found


@lru_cache(maxsize=_STATEMENTS)
def _statement(kinds: tuple[RowsByKey, ...]) -> CompiledValues[tuple[int, str]]:
    return CompiledValues(lambda: _union(kinds), lambda place, key: (place, key))


def _union(kinds: Sequence[RowsByKey]) -> QuerySet[Any]:
    first, *others = (_part(place, kind) for place, kind in enumerate(kinds))
    return first.union(*others, all=True).order_by() if others else first


def _part(place: int, kind: RowsByKey) -> QuerySet[Any]:
    key = F(kind.key) if isinstance(kind.key, str) else kind.key
    # The columns of a union need one type, which their lengths are part of.
    columns = {"part_number": Value(place, IntegerField()), "part_key": Cast(key, CharField())}
    rows: QuerySet[Any] = kind.rows(f"keys_{place}").order_by().annotate(**columns)
    return rows.values_list("part_number", "part_key")
