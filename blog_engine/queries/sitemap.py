"""The pages in the sitemap."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice
from typing import Final, NamedTuple

from django.db.models import F, Max

from blog_engine.blog_urls import BlogURLs, origin_parts, page_path
from blog_engine.conf import get_settings
from blog_engine.enums import ListKind
from blog_engine.models import Category, PolicyPage, Post, Tag
from blog_engine.queries.listings import number_on_index, page_count, public_posts
from blog_engine.queries.policies import served_pages
from blog_engine.rules.dates import known_date

ENTRIES_OF_A_PART: Final = 50_000
"""The limit of the sitemap protocol. With the longest possible URLs a document stays below its other limit, 50 MB."""


class SitemapPage(NamedTuple):
    """The path of a page, as browsers request it, and when it last changed, if known."""

    path: str
    changed_at: datetime | None = None


def sitemap_pages(urls: BlogURLs, *, now: datetime) -> Iterator[SitemapPage]:
    """Return the pages of index, posts, policies and primary lists; four queries."""
    return chain(_index_pages(urls), _posts(urls, now=now), _policies(urls), _primary_lists(urls))


def sitemap_parts(entries: Iterable[SitemapPage]) -> Iterator[tuple[SitemapPage, ...]]:
    """Split the entries into documents."""
    rest = iter(entries)
    while part := tuple(islice(rest, ENTRIES_OF_A_PART)):
        yield part


def sitemap_changed_at() -> datetime | None:
    """Return when anything that is or was in the sitemap last changed; three queries."""
    # A withdrawn post keeps its public revision; a post that was never public does not count.
    records = (Post.objects.filter(public_revision__isnull=False), PolicyPage.objects.all(), Category.objects.all())
    moments = [record.aggregate(last=Max("updated_at"))["last"] for record in records]
    return max((moment for moment in moments if moment), default=None)


def _index_pages(urls: BlogURLs) -> Iterator[SitemapPage]:
    return _pages(urls.index_path(), number_on_index())


def _posts(urls: BlogURLs, *, now: datetime) -> Iterator[SitemapPage]:
    changed_last = public_posts().order_by(F("modified_at").desc(nulls_last=True), "-id")
    # Not iterator(): its cursors do not work with connection poolers such as PgBouncer.
    for slug, modified_at, canonical_url in changed_last.values_list("slug", "modified_at", "canonical_url"):
        if canonical_url is None or is_on_site(canonical_url, urls=urls):
            yield SitemapPage(urls.post_path(slug), known_date(modified_at, now=now))


def is_on_site(url: str, *, urls: BlogURLs) -> bool:
    """Return whether a URL has the host and port of the site; those of http and https differ."""
    try:
        return origin_parts(url)[1:] == origin_parts(urls.origin)[1:]
    except ValueError:
        # Not a valid URL.
        return False


def _policies(urls: BlogURLs) -> Iterator[SitemapPage]:
    for slug, updated_at in served_pages().values_list("slug", "updated_at"):
        yield SitemapPage(urls.policy_path(slug), updated_at)


def _primary_lists(urls: BlogURLs) -> Iterator[SitemapPage]:
    kind = get_settings().primary_list
    model: type[Category | Tag] = Tag if kind is ListKind.TAG else Category
    counted = model._default_manager.filter(list_count__posts__gt=0).order_by("id")
    for slug, total in counted.values_list("slug", "list_count__posts"):
        yield from _pages(urls.list_path(kind, slug), total)


def _pages(path: str, total: int) -> Iterator[SitemapPage]:
    count = page_count(total, per_page=get_settings().posts_per_page)
    return (SitemapPage(page_path(path, number)) for number in range(1, count + 1))
