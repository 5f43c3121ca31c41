"""Rate limits per client, counted in the shared cache."""

from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django_ratelimit.core import get_usage

from blog_engine.conf import get_settings
from blog_engine.errors import RateLimited, Unavailable

_CALLS = "blog_engine.calls"
_FAILED_ATTEMPTS = "blog_engine.failed_attempts"
_MOST_FAILED_ATTEMPTS = "20/m"

# The clients of Django's own and the usual other cache backends; what else a dead server causes is an OSError.
_CLIENT_ERRORS = (
    "redis.exceptions.RedisError",
    "valkey.exceptions.ValkeyError",
    "django_redis.exceptions.ConnectionInterrupted",
    "django_valkey.exceptions.ConnectionInterrupted",
    "pymemcache.exceptions.MemcacheError",
    "pylibmc.Error",
)


@dataclass(frozen=True, slots=True)
class Usage:
    """What an identity used of its limit: ``limit`` and ``remaining`` requests, ``reset`` in seconds from now."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool

    def headers(self) -> dict[str, str]:
        """The ``RateLimit-*`` headers of an answer (decisions.md 3.8)."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }

    @property
    def excess(self) -> RateLimited | None:
        """The refusal, with the seconds to wait, when this request was one too many."""
        return RateLimited(retry_after=max(1, self.reset)) if self.exceeded else None

    def refuse_excess(self) -> None:
        """Raise ``RateLimited`` when this request was one too many."""
        if self.excess is not None:
            raise self.excess


def count_call(request: HttpRequest, identity: str) -> tuple[Usage | None, Unavailable | None]:
    """Count a request of an authenticated actor to the API or the agent endpoint, which share one limit.

    Its usage, ``None`` when the host switched counting off (``RATELIMIT_ENABLE``); and why it could not be counted:
    what goes on when the cache is out of reach, the operations decide (decisions.md 9.12).
    """
    try:
        return count(request, group=_CALLS, key=identity, rate=get_settings().api_rate_limit), None
    except Unavailable as outage:
        return None, outage


def count_failed_attempt(request: HttpRequest, address: str) -> None:
    """Count a refused token of an address; raise ``RateLimited`` past 20 in a minute (decisions.md 3.9).

    Without a cache nothing is counted: the attempt is refused anyway.
    """
    try:
        usage = count(request, group=_FAILED_ATTEMPTS, key=address, rate=_MOST_FAILED_ATTEMPTS)
    except Unavailable:
        return
    if usage is not None:
        usage.refuse_excess()


def count(request: HttpRequest, *, group: str, key: str, rate: str) -> Usage | None:
    """Count one event of ``key`` in a fixed window; ``rate`` is written as in django-ratelimit, such as ``"120/m"``.

    ``None`` when the host switched counting off, ``Unavailable`` when the cache cannot count now.
    """
    try:
        usage = get_usage(request, group=group, key=lambda *_: key, rate=rate, increment=True)
    except cache_errors() as error:
        raise Unavailable from error
    if usage is None:
        return None
    if usage["limit"] == 0:
        # The library's sign for a cache that did not count; no rate that the settings accept has this limit.
        raise Unavailable
    return Usage(
        limit=usage["limit"],
        remaining=max(0, usage["limit"] - usage["count"]),
        # Below zero when the window ended while the library was counting.
        reset=max(0, usage["time_left"]),
        exceeded=usage["should_limit"],
    )


@cache
def cache_errors() -> tuple[type[Exception], ...]:
    """What a cache out of reach raises, as far as the clients for it are installed."""
    return (OSError, *(error for path in _CLIENT_ERRORS if (error := _installed(path)) is not None))


def _installed(path: str) -> type[Exception] | None:
    try:
        error: type[Exception] = import_string(path)
    except ImportError:
        return None
    return error


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


UNKNOWN_ADDRESS = "unknown"
"""The one bucket of all requests whose address nobody tells, such as those through a Unix socket."""

_IPV6_NETWORK = 64


def client_address(request: HttpRequest) -> str:
    """The address of the client as a key for counting.

    With ``trusted_proxies`` n, it is the n-th last value of ``X-Forwarded-For``, which the outermost of these
    proxies wrote; a value that is not an address falls back to ``REMOTE_ADDR``. An IPv6 address stands for its
    /64 network, which is what one client usually holds.
    """
    return (
        _counted(_forwarded(request, hops=get_settings().trusted_proxies))
        or _counted(request.META.get("REMOTE_ADDR", ""))
        or UNKNOWN_ADDRESS
    )


def _forwarded(request: HttpRequest, *, hops: int) -> str:
    values = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return values[-hops].strip() if 0 < hops <= len(values) else ""


def _counted(text: str) -> str | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((int(address), _IPV6_NETWORK), strict=False))
