"""Categories, tags and series as the API lists them: by id, with what they count or hold (records.md 7 and 10)."""

from django.db.models import F, Prefetch, QuerySet

from blog_engine.models import Category, Post, PostTag, Series, Tag
from blog_engine.queries.rows import count_of


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
