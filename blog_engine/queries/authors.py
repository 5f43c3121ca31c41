"""Authors as the API lists them: by id, with what they wrote (records.md 7 and 10)."""

from django.db.models import QuerySet

from blog_engine.models import Author, Post
from blog_engine.queries.rows import count_of


def authors() -> QuerySet[Author]:
    """All authors with their avatar and ``posts_count``: one query."""
    rows = Author.objects.select_related("avatar").order_by("id")
    return rows.annotate(posts_count=count_of(Post.objects.all(), by="author"))  # type: ignore[no-redef]  # declared for readers
