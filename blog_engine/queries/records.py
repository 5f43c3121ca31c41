"""Categories, tags, series and authors, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypedDict, TypeVar

from django.db.models import Count, F, Model, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from blog_engine.errors import NotFound
from blog_engine.inputs.reports import Paged
from blog_engine.models import Author, Category, Post, PostTag, Series, Tag

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


def categories() -> QuerySet[Category]:
    """All categories with ``posts_count``: one query."""
    rows = Category.objects.order_by("id")
    return rows.annotate(posts_count=count_of(Post.objects.all(), by="category"))  # type: ignore[no-redef]  # declared for readers


def tags() -> QuerySet[Tag]:
    """All tags with ``posts_count``: one query."""
    rows = Tag.objects.order_by("id")
    return rows.annotate(posts_count=count_of(PostTag.objects.all(), by="tag"))  # type: ignore[no-redef]  # as above


def all_series() -> QuerySet[Series]:
    """All series with their posts of every state in reading order: two queries, whatever they hold.

    Posts without a position stand last, as on the page of the series (reader.md 4).
    """
    in_order = Post.objects.order_by(F("series_position").asc(nulls_last=True), "id")
    brief = in_order.only("slug", "title", "series_id", "series_position")
    return Series.objects.order_by("id").prefetch_related(Prefetch("posts", brief))


def authors() -> QuerySet[Author]:
    """All authors with their avatar and ``posts_count``: one query."""
    rows = Author.objects.select_related("avatar").order_by("id")
    return rows.annotate(posts_count=count_of(Post.objects.all(), by="author"))  # type: ignore[no-redef]  # declared for readers


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
