"""The cache that requests are counted in (dependencies.md 2.9)."""

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache

_MISCOUNTING = (DatabaseCache, DummyCache, FileBasedCache, LocMemCache)


def limits_cache() -> str:
    """The alias of the cache, as django-ratelimit finds it; ``CACHES`` need not have it."""
    alias: str = getattr(settings, "RATELIMIT_USE_CACHE", "default")
    return alias


def limits_cache_exists() -> bool:
    """Whether ``CACHES`` has that alias."""
    return limits_cache() in settings.CACHES


def inexact_cache() -> str | None:
    """The kind of the cache when it cannot count requests of several processes.

    ``None`` when it can, and with ``DEBUG``, where one process is usual. The alias must exist.
    """
    cache = caches[limits_cache()]
    return None if settings.DEBUG or not isinstance(cache, _MISCOUNTING) else type(cache).__name__
