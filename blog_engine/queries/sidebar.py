"""What leads readers from a list to other lists, with numbers of public posts (reader.md 1.6)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db.models import Count

from blog_engine.models import Post, PostTag
from blog_engine.vocabulary import PostStatus

TAGS_IN_SIDEBAR: Final = 20


class Counted(NamedTuple):
    """A category or tag with how many public posts it has, at least one."""

    name: str
    slug: str
    posts: int


def public_categories() -> Sequence[Counted]:
    """The categories of public posts by position, then name; one query."""
    filed = Post.objects.filter(status=PostStatus.PUBLISHED.value, category__isnull=False)
    totals = filed.order_by("category__position", "category__name").values("category__name", "category__slug")
    rows = totals.annotate(posts=Count("pk")).values_list("category__name", "category__slug", "posts")
    return [Counted(*row) for row in rows]


def frequent_tags() -> Sequence[Counted]:
    """The first 20 tags of public posts, those of most posts first, then by name and id; one query."""
    given = PostTag.objects.filter(post__status=PostStatus.PUBLISHED.value)
    totals = given.order_by().values("tag__name", "tag__slug", "tag_id").annotate(posts=Count("pk"))
    rows = totals.order_by("-posts", "tag__name", "tag_id").values_list("tag__name", "tag__slug", "posts")
    return [Counted(*row) for row in rows[:TAGS_IN_SIDEBAR]]
