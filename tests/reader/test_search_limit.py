"""The rate limit of searches."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from typing import Any

import pytest
from django.db import connections
from django.test import Client, override_settings
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, meta, parse, text_of

PER_MINUTE = 30
ONCE = blog_settings(search_rate_limit="1/h")
ONCE_BEHIND_A_PROXY = blog_settings(search_rate_limit="1/h", trusted_proxies=1)


def statuses(client: Client, *requests: dict[str, Any], path: str = "/blog/search.json") -> list[int]:
    return [client.get(path, **request).status_code for request in requests]


@requirement("search.rate-limit")
def test_the_page_and_the_suggestions_share_30_searches_a_minute(visitor: Visitor) -> None:
    paths: Iterator[str] = cycle(["/search?q=orchard", "/search.json?q=orchard", "/search?q=orchard&format=json"])

    answers = [visitor.get(path).status_code for path in islice(paths, PER_MINUTE)]

    assert answers == [200] * PER_MINUTE
    assert [visitor.get(path).status_code for path in islice(paths, 3)] == [429] * 3


@requirement("search.rate-limit")
@override_settings(BLOG_ENGINE=ONCE)
def test_past_the_limit_the_page_says_so(visitor: Visitor) -> None:
    visitor.get("/search?q=orchard")

    response = visitor.get("/search?q=orchard")

    page = parse(text_of(response))
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 3600
    assert response["Cache-Control"] == "no-store"
    assert response["X-Robots-Tag"] == "noindex"
    assert "ETag" not in response
    assert meta(page, "robots") == "noindex, nofollow"
    assert page.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/search"
    missing = visitor.page("/none", status=404)
    for part in ("h1", "title"):
        assert page.one(part).text != missing.one(part).text
    assert page.one("p", class_="blog-message__text").text != missing.one("p", class_="blog-message__text").text
    assert not page.has("section", class_="blog-recent")


@requirement("search.rate-limit")
@override_settings(BLOG_ENGINE=ONCE)
@pytest.mark.parametrize("path", ["/search.json?q=orchard", "/search?q=orchard&format=json"])
def test_past_the_limit_suggestions_are_the_error_envelope(visitor: Visitor, path: str) -> None:
    visitor.get(path)

    response = visitor.get(path)

    assert response.status_code == 429
    assert response["Content-Type"] == "application/json"
    assert 0 < int(response["Retry-After"]) <= 3600
    assert response["Cache-Control"] == "no-store"
    assert response["X-Robots-Tag"] == "noindex"
    error = response.json().pop("error")
    assert (error["code"], error["details"], set(error)) == ("rate_limited", [], {"code", "message", "details"})


@requirement("search.rate-limit.every-request")
@override_settings(BLOG_ENGINE=ONCE)
@pytest.mark.parametrize("query", ["", "?q=a", "?page=x", "?q=orchard&page=9"])
def test_every_search_counts(visitor: Visitor, query: str) -> None:
    visitor.get(f"/search{query}")

    assert visitor.get("/search.json").status_code == 429


@override_settings(BLOG_ENGINE=ONCE)
@pytest.mark.parametrize("path", ["/search?format=xml", "/search/", "/", "/search.txt"])
def test_what_is_no_search_does_not_count(visitor: Visitor, path: str) -> None:
    visitor.get(path)

    assert visitor.get("/search.json").status_code == 200


@requirement("search.rate-limit.every-request")
@override_settings(BLOG_ENGINE=ONCE)
def test_a_304_counts_as_a_search(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(search_rate_limit="2/h")):
        tag = visitor.get("/search.json?q=orchard")["ETag"]
        assert visitor.get("/search.json?q=orchard", if_none_match=tag).status_code == 304
        assert visitor.get("/search.json?q=orchard", if_none_match=tag).status_code == 429


@requirement("search.rate-limit", "access.rate.proxies")
@override_settings(BLOG_ENGINE=ONCE)
def test_each_ip_address_has_its_own_count(client: Client, db: None) -> None:
    near, far = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "192.0.2.2"}

    assert statuses(client, near, far, near, far) == [200, 200, 429, 429]


@requirement("search.rate-limit.ipv6")
@override_settings(BLOG_ENGINE=ONCE)
def test_an_ipv6_network_counts_as_one_address(client: Client, db: None) -> None:
    clients = [{"REMOTE_ADDR": ip} for ip in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")]

    assert statuses(client, *clients) == [200, 429, 200]


@requirement("search.rate-limit.proxies")
@override_settings(BLOG_ENGINE=ONCE)
def test_x_forwarded_for_of_a_client_is_ignored(client: Client, db: None) -> None:
    told = [{"HTTP_X_FORWARDED_FOR": ip} for ip in ("192.0.2.1", "192.0.2.2")]

    assert statuses(client, *told) == [200, 429]


@requirement("search.rate-limit.proxies")
@override_settings(BLOG_ENGINE=ONCE_BEHIND_A_PROXY)
def test_x_forwarded_for_of_a_trusted_proxy_is_used(client: Client, db: None) -> None:
    told = [
        {"HTTP_X_FORWARDED_FOR": addresses} for addresses in ("192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1", "none")
    ]

    assert statuses(client, *told) == [200, 200, 429, 200]


@override_settings(BLOG_ENGINE=ONCE, RATELIMIT_ENABLE=False)
@pytest.mark.parametrize("path", ["/search", "/search.json"])
def test_a_host_can_switch_counting_off(visitor: Visitor, path: str) -> None:
    assert [visitor.get(path).status_code for _ in range(3)] == [200] * 3


@requirement("search.rate-limit")
@override_settings(BLOG_ENGINE=ONCE)
@pytest.mark.parametrize("cache", ["dead", "uncounting"])
@pytest.mark.parametrize("path", ["/search?q=orchard", "/search.json?q=orchard"])
def test_without_a_cache_searching_goes_on(visitor: Visitor, settings: Settings, cache: str, path: str) -> None:
    settings.RATELIMIT_USE_CACHE = cache

    assert [visitor.get(path).status_code for _ in range(3)] == [200] * 3


def search_at_once() -> list[int]:
    """Return the statuses of forty empty searches from one IP address at the same time."""

    def search(_: int) -> Any:
        try:
            return Client().get("/blog/search.json").status_code
        finally:
            # Each thread has a connection of its own.
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        return sorted(pool.map(search, range(PER_MINUTE + 10)))


@pytest.mark.django_db(transaction=True)
def test_threads_lose_no_search(settings: Settings) -> None:
    settings.RATELIMIT_USE_CACHE = "memory"

    assert search_at_once() == [200] * PER_MINUTE + [429] * 10


@requirement("search.rate-limit")
@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_redis_counts_searches_exactly() -> None:
    assert search_at_once() == [200] * PER_MINUTE + [429] * 10
