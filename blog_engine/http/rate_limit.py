"""Rate limits per client, counted in the shared cache."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final, TypeGuard
from weakref import WeakKeyDictionary

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from blog_engine.conf import get_settings
from blog_engine.conf.caches import cache_errors
from blog_engine.errors import RateLimited, Unavailable

_CALLS = "blog_engine.calls"
_FAILED_ATTEMPTS = "blog_engine.failed_attempts"
FAILED_ATTEMPTS_RATE = "20/m"


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of a rate limit by one caller."""

    limit: int
    remaining: int
    reset: int
    """Seconds until the window ends."""
    exceeded: bool

    def headers(self) -> dict[str, str]:
        """Return the ``RateLimit-*`` headers (``access.rate.headers``)."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }

    @property
    def excess(self) -> RateLimited | None:
        """Return the refusal if this request exceeded the limit."""
        return RateLimited(retry_after=max(1, self.reset)) if self.exceeded else None

    def refuse_excess(self) -> None:
        """Raise ``RateLimited`` if this request exceeded the limit."""
        if self.excess is not None:
            raise self.excess


def count_call(request: HttpRequest, identity: str) -> tuple[Usage | None, Unavailable | None]:
    """Count a request to the API or the agent endpoint, which share one limit.

    Return its usage, ``None`` if ``RATELIMIT_ENABLE`` is ``False``, and the outage of the cache if it was not counted.
    Operations decide whether they run without counting (``access.rate.cache-gone``).
    """
    try:
        return count(request, group=_CALLS, key=identity, rate=get_settings().api_rate_limit), None
    except Unavailable as outage:
        return None, outage


def count_failed_attempt(request: HttpRequest) -> None:
    """Count a refused token; raise ``RateLimited`` past 20 per client and minute.

    While the cache is unavailable nothing is counted, as the attempt is refused anyway.
    """
    try:
        usage = count(request, group=_FAILED_ATTEMPTS, key=client_key(request), rate=FAILED_ATTEMPTS_RATE)
    except Unavailable:
        return
    if usage is not None:
        usage.refuse_excess()


def count(request: HttpRequest, *, group: str, key: str, rate: str) -> Usage | None:
    """Count one event of ``key`` in a fixed window, and return the usage of ``rate``.

    ``rate`` has the form of django-ratelimit, such as ``"120/m"``. Return ``None`` if ``RATELIMIT_ENABLE`` is
    ``False``. Raises ``Unavailable`` if the cache cannot count.
    """
    try:
        with _counting_at_once():
            usage = get_usage(request, group=group, key=lambda *_: key, rate=rate, increment=True)
    except cache_errors() as error:
        raise Unavailable from error
    if usage is None:
        return None
    if usage["limit"] == 0:
        # django-ratelimit reports a cache that did not count as limit 0, which no valid rate has.
        raise Unavailable
    return Usage(
        limit=usage["limit"],
        remaining=max(0, usage["limit"] - usage["count"]),
        # Negative if the window ended while django-ratelimit was counting.
        reset=max(0, usage["time_left"]),
        exceeded=usage["should_limit"],
    )


_MISCOUNTING = (DatabaseCache, DummyCache, FileBasedCache, LocMemCache)


def limits_cache() -> str:
    """Return the alias that django-ratelimit uses, which ``CACHES`` may lack."""
    alias: str = getattr(settings, "RATELIMIT_USE_CACHE", "default")
    return alias


def limits_cache_exists() -> bool:
    """Return whether ``CACHES`` has the alias of ``limits_cache``."""
    return limits_cache() in settings.CACHES


def inexact_cache() -> str | None:
    """Return the class of a cache that cannot count for several processes.

    ``None`` if it can, and with ``DEBUG``, where one process is usual. The alias must exist.
    """
    cache = caches[limits_cache()]
    return None if settings.DEBUG or not isinstance(cache, _MISCOUNTING) else type(cache).__name__


UNKNOWN_CLIENT = "unknown"
"""The key of all requests without an IP address, such as those through a Unix socket."""

_IPV6_PREFIX = 64


def client_key(request: HttpRequest) -> str:
    """Return the key under which a client is counted: its IP address or IPv6 network.

    With ``trusted_proxies`` n it is the n-th value of ``X-Forwarded-For`` from the right, which the outermost of these
    proxies wrote (``access.rate.proxies``). One client usually has a whole /64 network of IPv6.
    """
    return (
        _ip_key(_forwarded_for(request, hops=get_settings().trusted_proxies))
        or _ip_key(request.META.get("REMOTE_ADDR", ""))
        or UNKNOWN_CLIENT
    )


def _forwarded_for(request: HttpRequest, *, hops: int) -> str:
    values = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return values[-hops].strip() if 0 < hops <= len(values) else ""


def _ip_key(text: str) -> str | None:
    try:
        ip = ip_address(text)
    except ValueError:
        return None
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped or IPv6Network((int(ip), _IPV6_PREFIX), strict=False))


@contextmanager
def _counting_at_once() -> Iterator[None]:
    """Let django-ratelimit count in Redis with one round trip instead of three; other caches are used as they are.

    It offers no cache of its own choice, but takes that of the host from ``caches``, which has one for each thread: no
    other request sees the one that is there meanwhile.
    """
    alias = limits_cache()
    # Without the alias django-ratelimit decides, which asks for no cache when it is switched off.
    cache = caches[alias] if limits_cache_exists() else None
    if not _is_plain_redis(cache):
        yield
        return
    counter: Any = _RedisCounter(cache)
    caches[alias] = counter
    try:
        yield
    finally:
        caches[alias] = cache


class _RedisCounter:
    """The two methods of a cache that django-ratelimit calls: it adds 1 under a key, or increments the key.

    Django's cache sends ``SET NX``, ``EXISTS`` and ``INCR`` one after the other for that.
    """

    def __init__(self, cache: RedisCache) -> None:
        self._cache = cache
        self._count = 0

    def add(self, key: str, value: int, timeout: int) -> bool:
        """Count, and return whether this was the first time."""
        stored_key = self._cache.make_and_validate_key(key)
        client = _writer_of(_client_of(self._cache))
        # Not atomic: a key outlives its window by seconds, so it does not expire between the commands.
        pipeline = client.pipeline(transaction=False)
        pipeline.set(stored_key, 0, ex=self._cache.get_backend_timeout(timeout), nx=True)
        pipeline.incr(stored_key, value)
        self._count = pipeline.execute()[1]
        return self._count == value

    def incr(self, key: str) -> int:
        """Return what ``add`` counted."""
        return self._count


def _is_plain_redis(cache: object) -> TypeGuard[RedisCache]:
    """Return whether this is Django's cache for Redis; a host's subclass may count in its own way."""
    return (
        isinstance(cache, RedisCache)
        and type(_client_of(cache)) is RedisCacheClient
        and (type(cache).add, type(cache).incr) == (RedisCache.add, RedisCache.incr)
    )


_writers: Final[WeakKeyDictionary[RedisCacheClient, Any]] = WeakKeyDictionary()


def _writer_of(client: RedisCacheClient) -> Any:
    """Return the client of redis-py that writes for a cache, of which Django makes one for each call."""
    writer = _writers.get(client)
    if writer is None:
        # Whatever the key, Django writes to its first server.
        writer = _writers[client] = client.get_client(write=True)
    return writer


def _client_of(cache: RedisCache) -> RedisCacheClient:
    client: RedisCacheClient = cache._cache
    return client
