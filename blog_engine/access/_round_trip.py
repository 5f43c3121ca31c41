"""Counting in Redis with one round trip."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeGuard

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class _CountingCache:
    """The part of a cache that django-ratelimit needs to count once.

    It adds 1 under a key, and increments the key if it was there. Django's cache sends ``SET NX``, ``EXISTS`` and
    ``INCR`` one after the other for that; here ``add`` sends all that counting takes.
    """

    def __init__(self, cache: RedisCache) -> None:
        self._cache = cache
        self._count = 0

    def add(self, key: str, value: int, timeout: int) -> bool:
        """Count, and return whether this was the first time."""
        stored_key = self._cache.make_and_validate_key(key)
        client: Any = _client_of(self._cache).get_client(stored_key, write=True)
        # Not atomic: a key outlives its window by seconds, so it does not expire between the commands.
        pipeline = client.pipeline(transaction=False)
        pipeline.set(stored_key, 0, ex=self._cache.get_backend_timeout(timeout), nx=True)
        pipeline.incr(stored_key, value)
        self._count = pipeline.execute()[1]
        return self._count == value

    def incr(self, key: str) -> int:
        """Return what ``add`` counted."""
        return self._count


@contextmanager
def counting_in_one_round_trip(alias: str) -> Iterator[None]:
    """Make django-ratelimit count once in Redis with one round trip; other caches are used as they are.

    It takes the cache from ``caches``, which has one for each thread, so that no other request sees this one.
    """
    # Without the alias django-ratelimit decides, which asks for no cache when it is switched off.
    cache = caches[alias] if alias in settings.CACHES else None
    if not _is_plain(cache):
        yield
        return
    counting: Any = _CountingCache(cache)
    caches[alias] = counting
    try:
        yield
    finally:
        caches[alias] = cache


def _is_plain(cache: object) -> TypeGuard[RedisCache]:
    """Return whether this is Django's cache for Redis; a host's subclass may count in its own way."""
    if not isinstance(cache, RedisCache) or type(_client_of(cache)) is not RedisCacheClient:
        return False
    return (type(cache).add, type(cache).incr) == (RedisCache.add, RedisCache.incr)


def _client_of(cache: RedisCache) -> RedisCacheClient:
    client: RedisCacheClient = cache._cache
    return client
