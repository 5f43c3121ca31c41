"""Every page of the index and of the lists, as the surface report opens them (records.md 16: T21)."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q

from blog_engine.addresses import Addresses, page_path
from blog_engine.conf import get_settings
from blog_engine.queries.listings import SUBJECTS, index_listing, page_count
from blog_engine.vocabulary import ListKind, PostStatus


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list; ``is_primary`` for those of the index and of the lists that search engines may show."""

    path: str
    is_primary: bool


def list_pages(here: Addresses) -> Iterator[ListPage]:
    """The index, the primary lists, then all others, each with all its pages; also lists without a public post."""
    settings = get_settings()
    index = index_listing(1, per_page=settings.posts_per_page)
    yield from _pages(here.index_path(), index.ordinary.page_count if index else 1, is_primary=True)
    for kind in sorted(SUBJECTS, key=lambda kind: kind is not settings.primary_list):
        for path, total in _lists(kind, here=here):
            count = page_count(total, per_page=settings.posts_per_page)
            yield from _pages(path, count, is_primary=kind is settings.primary_list)


def _lists(kind: ListKind, *, here: Addresses) -> Iterator[tuple[str, int]]:
    public = Count("posts", filter=Q(posts__status=PostStatus.PUBLISHED.value))
    counted = SUBJECTS[kind]._default_manager.order_by("id").annotate(total=public).values_list("slug", "total")
    return ((here.list_path(kind, slug), total) for slug, total in counted)


def _pages(path: str, count: int, *, is_primary: bool) -> Iterator[ListPage]:
    return (ListPage(page_path(path, number), is_primary) for number in range(1, count + 1))
