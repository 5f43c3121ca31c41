"""The posts that readers opened most, kept in the host's cache for an hour (reader.md 18)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, cast

from django.core.cache import cache

from blog_engine.access.rate_limit import cache_errors
from blog_engine.conf import get_settings
from blog_engine.conf.groups import PopularPosts
from blog_engine.queries.listings import public_titles
from blog_engine.queries.page_views import counted_day, popular_ids

_SECONDS: Final = 3600


def popular_posts(*, now: datetime) -> Sequence[tuple[str, str]]:
    """Slug and title of the most read posts that are public at this moment; empty where the host shows no list.

    At most two queries. Without the cache the list is counted anew.
    """
    wanted = get_settings().popular_posts
    if not wanted.enabled:
        return ()
    return public_titles(_ids(wanted, now=now))


def _ids(wanted: PopularPosts, *, now: datetime) -> Sequence[int]:
    def count() -> list[int]:
        return list(popular_ids(days=wanted.days, today=counted_day(now), limit=wanted.limit))

    key = f"blog_engine.popular.{wanted.days}.{wanted.limit}"
    try:
        return cast(list[int], cache.get_or_set(key, count, _SECONDS))
    except cache_errors():
        return count()
