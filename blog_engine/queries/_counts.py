"""Counting what refers to a row, in the query that reads the row."""

from typing import TypeVar

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

M = TypeVar("M", bound=Model)


def count_of(rows: QuerySet[M], *, by: str) -> Coalesce:
    """How many of ``rows`` refer by this foreign key to the row that is annotated.

    A subquery and no join: of a page of records, only those of the page are counted.
    """
    counts = rows.order_by().filter(**{by: OuterRef("pk")}).values(by).annotate(total=Count("pk")).values("total")
    return Coalesce(Subquery(counts), 0)
