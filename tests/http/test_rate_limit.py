"""Rate limits and the keys of clients."""

import os
import uuid
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import django
import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.cache import caches
from django.test import RequestFactory
from django_ratelimit import core
from pytest_django import Settings

from blog_engine.errors import RateLimited
from blog_engine.http.rate_limit import UNKNOWN_CLIENT, Usage, client_key, count, count_call
from tests.requirements import requirement
from tests.support.hosts import blog_settings, noting_what_is_sent

ANY_REQUEST = RequestFactory().get("/")
CALLERS = 4
CALLS_EACH = 50


@pytest.fixture(autouse=True)
def own_counts(settings: Settings) -> None:
    """Count apart from other tests, also in those that need no database."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex


@pytest.fixture
def rate(settings: Settings) -> Callable[[str], None]:
    def set_rate(rate: str) -> None:
        settings.BLOG_ENGINE = blog_settings(api_rate_limit=rate)

    return set_rate


@requirement("access.rate.limit")
def test_a_window_is_counted_down_and_then_refuses(rate: Callable[[str], None]) -> None:
    rate("2/h")

    with time_machine.travel("2030-01-01T12:00:00Z", tick=False):
        usages = [count_call(ANY_REQUEST, "token:1")[0] for _ in range(3)]

    reset = usages[0].reset if usages[0] else 0
    assert 0 <= reset <= 3600
    assert usages == [
        Usage(limit=2, remaining=1, reset=reset, exceeded=False),
        Usage(limit=2, remaining=0, reset=reset, exceeded=False),
        Usage(limit=2, remaining=0, reset=reset, exceeded=True),
    ]


def test_the_next_window_starts_anew(rate: Callable[[str], None]) -> None:
    rate("1/m")
    with time_machine.travel("2030-01-01T12:00:00Z", tick=False):
        count_call(ANY_REQUEST, "token:1")

    with time_machine.travel("2030-01-01T12:01:01Z", tick=False):
        usage, _ = count_call(ANY_REQUEST, "token:1")

    assert usage is not None
    assert not usage.exceeded


def test_a_window_that_ends_while_counting_is_no_outage(
    rate: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    rate("2/m")
    minute = 60 * 30_000_000
    end = minute + zlib.crc32(b"token:1") % 60
    # django-ratelimit reads the time before and after it counts.
    ticks = iter([end + 0.9999, end + 1.0001])
    monkeypatch.setattr(core.time, "time", lambda: next(ticks, end + 2.0))

    usage, _ = count_call(ANY_REQUEST, "token:1")

    assert usage == Usage(limit=2, remaining=1, reset=0, exceeded=False)


def test_identities_do_not_share_a_counter(rate: Callable[[str], None]) -> None:
    rate("1/h")
    count_call(ANY_REQUEST, "token:1")

    usage, _ = count_call(ANY_REQUEST, "hook:1")

    assert usage is not None
    assert not usage.exceeded


def test_the_wait_is_at_least_a_second() -> None:
    with pytest.raises(RateLimited) as refusal:
        Usage(limit=1, remaining=0, reset=0, exceeded=True).refuse_excess()

    assert refusal.value.retry_after == 1


def counted(prefix: str) -> list[int]:
    """Return what one caller sees of a counter that others use at the same time."""
    return [count_once(prefix) for _ in range(CALLS_EACH)]


def count_once(group: str) -> int:
    usage = count(ANY_REQUEST, group=group, key="shared", rate="1000000/d")
    assert usage is not None
    return usage.limit - usage.remaining


def test_threads_lose_no_count(settings: Settings) -> None:
    settings.RATELIMIT_USE_CACHE = "memory"

    with ThreadPoolExecutor(CALLERS) as pool:
        seen = [number for numbers in pool.map(counted, ["threads"] * CALLERS) for number in numbers]

    assert sorted(seen) == list(range(1, CALLERS * CALLS_EACH + 1))


@requirement("access.rate.limit")
@pytest.mark.redis
def test_processes_lose_no_count() -> None:
    group = os.urandom(8).hex()

    with ProcessPoolExecutor(CALLERS, mp_context=get_context("spawn"), initializer=django.setup) as pool:
        seen = [number for numbers in pool.map(counted, [group] * CALLERS) for number in numbers]

    assert sorted(seen) == list(range(1, CALLERS * CALLS_EACH + 1))


def test_a_missing_cache_is_not_asked_when_counting_is_off(settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = False
    settings.RATELIMIT_USE_CACHE = "missing"

    assert count_call(ANY_REQUEST, "token:1") == (None, None)


@pytest.fixture
def sent_to_redis(settings: Settings, request: pytest.FixtureRequest) -> Iterator[list[bytes]]:
    """What a cache of the limits sends to Redis, an item for each round trip."""
    settings.RATELIMIT_USE_CACHE = alias = getattr(request, "param", "default")
    cache: Any = caches[alias]
    with noting_what_is_sent(cache._cache.get_client(write=True)) as sent:
        yield sent


@pytest.mark.redis
def test_each_call_is_counted_in_one_round_trip(sent_to_redis: list[bytes], rate: Callable[[str], None]) -> None:
    rate("2/h")

    usages = [count_call(ANY_REQUEST, "token:1")[0] for _ in range(3)]

    assert [usage and usage.exceeded for usage in usages] == [False, False, True]
    assert [(trip.count(b"SET"), trip.count(b"INCRBY")) for trip in sent_to_redis] == [(1, 1)] * 3


@pytest.mark.redis
def test_counts_go_on_from_those_of_django_ratelimit_and_expire_as_they_do(sent_to_redis: list[bytes]) -> None:
    with time_machine.travel("2030-01-01T12:00:00Z", tick=False):
        core.get_usage(ANY_REQUEST, group="shared", key=lambda *_: "one", rate="9/h", increment=True)
        first = count(ANY_REQUEST, group="shared", key="one", rate="9/h")
        other = core.get_usage(ANY_REQUEST, group="shared", key=lambda *_: "one", rate="9/h", increment=True)
        count(ANY_REQUEST, group="shared", key="two", rate="9/h")
    cache: Any = caches["default"]
    client = cache._cache.get_client(write=True)
    times = [client.ttl(key) for key in client.scan_iter(f"*{django_settings.RATELIMIT_CACHE_PREFIX}*")]

    assert first is not None
    assert (first.remaining, other["count"]) == (7, 3)
    assert [3600 < seconds <= 3605 for seconds in times] == [True, True]


@pytest.mark.redis
def test_the_host_keeps_its_cache(sent_to_redis: list[bytes]) -> None:
    cache = caches["default"]

    count(ANY_REQUEST, group="shared", key="one", rate="9/h")

    assert caches["default"] is cache


@pytest.mark.redis
@pytest.mark.parametrize("sent_to_redis", ["patient"], indirect=True)
def test_a_cache_of_the_host_counts_in_its_own_way(sent_to_redis: list[bytes]) -> None:
    usages = [count(ANY_REQUEST, group="shared", key="one", rate="9/h") for _ in range(2)]

    assert [usage and usage.remaining for usage in usages] == [8, 7]
    assert len([trip for trip in sent_to_redis if b"EXISTS" in trip]) == 1


@requirement("access.rate.proxies")
@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:9::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", UNKNOWN_CLIENT),
        ("unix:", UNKNOWN_CLIENT),
    ],
)
def test_without_proxies_the_peer_is_the_client(remote: str, expected: str) -> None:
    request = RequestFactory(REMOTE_ADDR=remote).get("/", headers={"X-Forwarded-For": "198.51.100.1"})

    assert client_key(request) == expected


@requirement("access.rate.proxies")
@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "203.0.113.5, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.5,198.51.100.1", "203.0.113.5"),
        (2, "10.0.0.1, 203.0.113.5 , 198.51.100.1", "203.0.113.5"),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        (2, "198.51.100.1", "192.0.2.7"),
        (1, "", "192.0.2.7"),
        (1, "unknown", "192.0.2.7"),
        (1, "[2001:db8::1]:4711", "192.0.2.7"),
        (1, "198.51.100.1,", "192.0.2.7"),
        (1, "198.51.100.1\x00", "192.0.2.7"),
    ],
)
def test_trusted_proxies_name_the_client(settings: Settings, proxies: int, forwarded: str, expected: str) -> None:
    settings.BLOG_ENGINE = blog_settings(trusted_proxies=proxies)
    request = RequestFactory(REMOTE_ADDR="192.0.2.7").get("/", headers={"X-Forwarded-For": forwarded})

    assert client_key(request) == expected
