"""Caches with a fault; ``tests.settings`` gives each an alias."""

from django.core.cache.backends.locmem import LocMemCache


class UncountingCache(LocMemCache):
    """A cache that is there but cannot increment, as memcached when its server is gone."""

    def add(self, *args: object, **kwargs: object) -> bool:
        return False

    def incr(self, *args: object, **kwargs: object) -> int:
        raise ValueError


class DoubleCountingCache(LocMemCache):
    """A cache whose clients try a call again that has succeeded."""

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        return super().incr(key, 2 * delta, version)
