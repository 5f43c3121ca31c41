"""One page of a queryset."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypedDict, TypeVar

from django.db.models import Model, QuerySet

from blog_engine.inputs.reports import Paged

M = TypeVar("M", bound=Model)


class Place(TypedDict):
    """Which page of how many rows: what every list answers beside its entries (records.md 7)."""

    page: int
    per_page: int
    total: int


@dataclass(frozen=True, slots=True)
class Listed(Generic[M]):
    """The rows of a page, and its place in the list."""

    rows: Sequence[M]
    place: Place


def page_of(found: QuerySet[M], data: Paged) -> Listed[M]:
    """The page that was asked for, without rows when it is past the end; counts all that was found."""
    start = (data.page - 1) * data.per_page
    rows = list(found[start : start + data.per_page])
    return Listed(rows=rows, place=Place(page=data.page, per_page=data.per_page, total=found.count()))
