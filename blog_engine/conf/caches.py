"""Faults of Django's caches."""

from functools import cache

from django.utils.module_loading import import_string

# Exceptions of the clients of common cache backends. Other faults of a cache server are OSErrors.
_CLIENT_ERRORS = (
    "redis.exceptions.RedisError",
    "valkey.exceptions.ValkeyError",
    "django_redis.exceptions.ConnectionInterrupted",
    "django_valkey.exceptions.ConnectionInterrupted",
    "pymemcache.exceptions.MemcacheError",
    "pylibmc.Error",
)


@cache
def cache_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of an unavailable cache, by installed clients."""
    return (OSError, *(error for path in _CLIENT_ERRORS if (error := _installed(path)) is not None))


def _installed(path: str) -> type[Exception] | None:
    try:
        error: type[Exception] = import_string(path)
    except ImportError:
        return None
    return error
