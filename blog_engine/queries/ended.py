"""Posts whose end has come and that could not be withdrawn yet: a page does not count them.

Lists leave out such posts by their ``expires_at``. Numbers are stored, so they are reduced by what is read here.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from blog_engine.enums import ListKind
from blog_engine.models import Coauthor, Post, PostTag, when_public
from blog_engine.models.reading import current_page


class EndedPost(NamedTuple):
    """A post whose end has come, public in the database."""

    id: int
    listed_at: datetime
    lists: frozenset[tuple[ListKind, str]]
    """The lists that count it: their kinds and the slugs of their records."""


def read_ended(*, now: datetime) -> tuple[EndedPost, ...]:
    """Return the public posts whose end has come; one query, and two more if there are any."""
    columns = ("pk", "listed_at", "category__slug", "series__slug", "author__slug")
    rows = Post.objects.filter(when_public(), expires_at__lte=now).order_by().values_list(*columns)
    lists = {
        (pk, listed_at): {(ListKind.CATEGORY, category), (ListKind.SERIES, series), (ListKind.AUTHOR, author)}
        for pk, listed_at, category, series, author in rows
    }
    if not lists:
        return ()
    ids = [pk for pk, _ in lists]
    tags = list(PostTag.objects.filter(post__in=ids).values_list("post", "tag__slug"))
    authors = list(Coauthor.objects.filter(post__in=ids).values_list("post", "author__slug"))
    return tuple(
        EndedPost(
            pk,
            listed_at,
            frozenset((kind, slug) for kind, slug in own if slug is not None)
            | {(ListKind.TAG, slug) for post, slug in tags if post == pk}
            | {(ListKind.AUTHOR, slug) for post, slug in authors if post == pk},
        )
        for (pk, listed_at), own in lists.items()
    )


def ended_posts() -> Sequence[EndedPost]:
    """Return the posts that the page that is being read does not count; none outside pages, and hardly ever any."""
    page = current_page()
    return page.ended if page else ()


def ended_ids() -> frozenset[int]:
    """Return the ids of these posts."""
    return frozenset(post.id for post in ended_posts())


def number_of_ended(kind: ListKind, slug: str) -> int:
    """Return how many of these posts a list counts."""
    return sum((kind, slug) in post.lists for post in ended_posts())
