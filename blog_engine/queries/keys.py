"""Existing keys of several tables, in one query."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from django.db.models import CharField, F, IntegerField, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

K = TypeVar("K", bound=Hashable)


class Keyed(NamedTuple):
    """Rows, and the text column or expression that holds their keys."""

    rows: QuerySet[Any]
    key: str | Combinable


def existing_keys(asked: Mapping[K, Keyed]) -> Mapping[K, Collection[str]]:
    """Return the keys of the rows of each part; one query for all parts, and none without parts."""
    found: defaultdict[K, set[str]] = defaultdict(set)
    names = list(asked)
    if not names:
        return found
    first, *others = (_part(number, asked[name]) for number, name in enumerate(names))
    # A union of one query would be a query all the same, only slower to compile.
    rows = first.union(*others, all=True).order_by() if others else first
    for number, key in rows:
        found[names[number]].add(key)
    return found


def _part(number: int, part: Keyed) -> QuerySet[Any]:
    key = F(part.key) if isinstance(part.key, str) else part.key
    # The columns of a union need one type, which their lengths are part of.
    columns = {"part_number": Value(number, IntegerField()), "part_key": Cast(key, CharField())}
    rows: QuerySet[Any] = part.rows.order_by().annotate(**columns).values_list("part_number", "part_key")
    return rows
