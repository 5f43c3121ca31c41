"""What stands beside a list of posts (reader.md 2, Sidebar)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from blog_engine.addresses import Addresses
from blog_engine.queries.listings import Counted, frequent_tags, public_categories
from blog_engine.reader.popular import popular_posts
from blog_engine.vocabulary import ListKind


class ListLink(NamedTuple):
    """A list that readers can open, and the number of its posts."""

    name: str
    path: str
    posts: int
    is_current: bool


class PostLink(NamedTuple):
    """A post that readers can open."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Sidebar:
    """Ways to other posts."""

    categories: tuple[ListLink, ...]
    tags: tuple[ListLink, ...]
    popular: tuple[PostLink, ...]


def describe_sidebar(here: Addresses, *, now: datetime, current: str) -> Sidebar:
    """The sidebar of the list at the path ``current``; at most four queries."""
    return Sidebar(
        categories=tuple(_links(public_categories(), ListKind.CATEGORY, here=here, current=current)),
        tags=tuple(_links(frequent_tags(), ListKind.TAG, here=here, current=current)),
        popular=tuple(PostLink(title, here.post_path(slug)) for slug, title in popular_posts(now=now)),
    )


def _links(rows: Iterable[Counted], kind: ListKind, *, here: Addresses, current: str) -> Iterable[ListLink]:
    for row in rows:
        path = here.list_path(kind, row.slug)
        yield ListLink(row.name, path, row.posts, path == current)
