"""Public posts whose shared links have no image of their own."""

from collections.abc import Collection
from itertools import islice
from typing import Final

from django.db.models import Q

from blog_engine.models import Post, when_public

_HAS_NO_IMAGE: Final = Q(cover_image=None, social_image=None)


def post_without_image(slug: str) -> Post | None:
    """Return what is drawn of the public post with a slug, or ``None`` if it has an image; one query."""
    return Post.objects.filter(when_public(), _HAS_NO_IMAGE, slug=slug).only("title", "author_name", "language").first()


def ids_without_image(ids: Collection[int]) -> set[int]:
    """Return those of some posts that are public and have no image; one query for each 500 of them."""
    wanted = iter(ids)
    found = set[int]()
    while batch := list(islice(wanted, 500)):
        found.update(Post.objects.filter(when_public(), _HAS_NO_IMAGE, pk__in=batch).values_list("pk", flat=True))
    return found


def newest_without_image(limit: int) -> list[Post]:
    """Return id, title and author of the newest public posts that have no image; one query."""
    posts = Post.objects.filter(when_public(), _HAS_NO_IMAGE).only("title", "author_name")
    return list(posts.order_by("-pk")[:limit])
