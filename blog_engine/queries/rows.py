"""Reading rows: one by its id, and what refers to each."""

from typing import TypeVar

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from blog_engine.errors import NotFound

M = TypeVar("M", bound=Model)


def row_of(rows: QuerySet[M], row_id: int) -> M:
    """The one of the rows with this id; raises ``NotFound``."""
    row = rows.filter(pk=row_id).first()
    if row is None:
        raise NotFound(hint=f"No {rows.model._meta.model_name} has that id: list them all to find it.")
    return row


def count_of(rows: QuerySet[M], *, by: str) -> Coalesce:
    """How many of ``rows`` refer by this foreign key to the row that is annotated.

    A subquery and no join: of a page of records, only those of the page are counted.
    """
    counts = rows.order_by().filter(**{by: OuterRef("pk")}).values(by).annotate(total=Count("pk")).values("total")
    return Coalesce(Subquery(counts), 0)
