"""One page of a queryset."""

from typing import TypeVar

from django.db.models import Model, QuerySet

from blog_engine.inputs.paging import Paged

M = TypeVar("M", bound=Model)


def page_of(rows: QuerySet[M], data: Paged) -> QuerySet[M]:
    """The rows of the page that was asked for, none when it is past the end."""
    start = (data.page - 1) * data.per_page
    return rows[start : start + data.per_page]
