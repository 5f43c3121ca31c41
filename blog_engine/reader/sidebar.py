"""The sidebar of list pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, cast

from django.core.cache import cache

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.conf.caches import cache_errors
from blog_engine.conf.groups import PopularPosts
from blog_engine.enums import ListKind
from blog_engine.queries.listings import LinkedPost, PostCount, frequent_tags, linked_posts, public_categories
from blog_engine.queries.page_views import popular_ids, utc_day
from blog_engine.queries.remembered import remembered
from blog_engine.reader.cards import PostLink, shown_language

_SECONDS: Final = 3600


class ListLink(NamedTuple):
    """The link to a list with the number of its posts."""

    name: str
    path: str
    posts: int
    is_current: bool
    """Whether this list is the page."""


@dataclass(frozen=True, slots=True)
class Sidebar:
    """Links to lists and popular posts."""

    categories: tuple[ListLink, ...]
    tags: tuple[ListLink, ...]
    popular: tuple[PostLink, ...]


def describe_sidebar(urls: BlogURLs, *, now: datetime, current: str) -> Sidebar | None:
    """Return the sidebar of the page at the path ``current``, or ``None`` without ``brand.sidebar``.

    At most four queries.
    """
    if not get_settings().brand.sidebar:
        return None
    categories, tags = remembered(("links of the sidebar", urls.prefix), lambda: _list_links(urls))
    return Sidebar(
        categories=_marked(categories, current=current),
        tags=_marked(tags, current=current),
        popular=tuple(
            PostLink(post.title, urls.post_path(post.slug), shown_language(post.language))
            for post in popular_posts(now=now)
        ),
    )


def _list_links(urls: BlogURLs) -> tuple[tuple[ListLink, ...], tuple[ListLink, ...]]:
    categories = tuple(_link(row, ListKind.CATEGORY, urls=urls) for row in public_categories())
    return categories, tuple(_link(row, ListKind.TAG, urls=urls) for row in frequent_tags())


def _link(row: PostCount, kind: ListKind, *, urls: BlogURLs) -> ListLink:
    return ListLink(row.name, urls.list_path(kind, row.slug), row.posts, is_current=False)


def _marked(links: tuple[ListLink, ...], *, current: str) -> tuple[ListLink, ...]:
    return tuple(link._replace(is_current=True) if link.path == current else link for link in links)


def popular_posts(*, now: datetime) -> Sequence[LinkedPost]:
    """Return the most read posts, if ``popular_posts`` is enabled.

    At most two queries. While the cache is unavailable, views are counted for each request.
    """
    wanted = get_settings().popular_posts
    if not wanted.enabled:
        return ()
    ids = tuple(_ids(wanted, now=now))
    return remembered(("popular posts", ids), lambda: linked_posts(ids))


def _ids(wanted: PopularPosts, *, now: datetime) -> Sequence[int]:
    def count() -> list[int]:
        return list(popular_ids(days=wanted.days, today=utc_day(now), limit=wanted.limit))

    key = f"blog_engine.popular.{wanted.days}.{wanted.limit}"
    try:
        return cast(list[int], cache.get_or_set(key, count, _SECONDS))
    except cache_errors():
        return count()
