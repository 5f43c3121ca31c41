"""Redis is killed, stopped and started again: reads work, writes are unavailable, and the site recovers."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.faults.crowd import Crowd
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.integrity import assert_nothing_is_half, rows
from tests.support.servers import API, RedisServer, Site, own_redis, served, tool

pytestmark = [pytest.mark.redis, pytest.mark.xdist_group("redis gone")]

LONGEST = 15
"""Seconds within which a busy machine answers; each request to a stopped Redis takes one."""


def at_once(*asks: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """Return the answers to simultaneous requests."""
    with ThreadPoolExecutor(max_workers=len(asks)) as pool:
        return [answer.result() for answer in [pool.submit(ask) for ask in asks]]


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with own_redis() as server:
        yield server


@pytest.fixture(scope="module")
def module_site(django_db_setup: None, server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("served"), CACHE_URL=server.url) as site:
        yield site


@pytest.fixture(params=["killed", "silent"])
def outage(server: RedisServer, request: pytest.FixtureRequest) -> Iterator[tuple[Any, Any]]:
    """How Redis goes away, and how it comes back."""
    if request.param == "killed":
        yield server.kill, server.start
    else:
        yield server.hang, server.go_on
        server.go_on()


@requirement("host.faults.cache", "access.rate.cache-gone")
def test_without_redis_reading_goes_on_and_writing_waits(
    site: Site, editor: httpx.Client, outage: tuple[Any, Any]
) -> None:
    go, come_back = outage
    assert editor.post(f"{API}/posts", json={"title": "Frost", "publish": True}).status_code == 201
    before = rows()

    go()
    start = time.monotonic()
    index, article, search, suggestions, posts, got, written, saved = at_once(
        lambda: editor.get("/blog/"),
        lambda: editor.get("/blog/frost"),
        lambda: editor.get("/blog/search?q=frost"),
        lambda: editor.get("/blog/search.json?q=frost"),
        lambda: editor.get(f"{API}/posts"),
        lambda: tool(editor, "blog_get_post", id="frost"),
        lambda: editor.patch(f"{API}/posts/frost", json={"title": "Ice", "change": "maintenance"}),
        lambda: tool(editor, "blog_save_draft", title="Ice"),
    )
    took = time.monotonic() - start

    assert [answer.status_code for answer in (index, article, search, suggestions, posts, got)] == [200] * 6
    assert {
        name for answer in (posts, got, written) for name in answer.headers if name.startswith("ratelimit")
    } == set()
    assert (written.status_code, written.json()["error"]["code"]) == (503, "unavailable")
    assert written.headers["Retry-After"] == "1"
    assert saved.json()["result"]["structuredContent"]["error"]["code"] == "unavailable"
    assert rows() == before
    assert took < LONGEST

    come_back()
    again = editor.patch(f"{API}/posts/frost", json={"title": "Ice", "change": "maintenance"})
    assert again.status_code == 200
    assert "RateLimit-Remaining" in again.headers


@requirement("host.faults.cache")
def test_a_crowd_goes_through_a_crash_of_redis(site: Site, server: RedisServer) -> None:
    secret, crowd = make_secret(), Crowd()

    with crowd.at_work(lambda: site.client(secret), writers=2, readers=2):
        crowd.wait_for_writes(4)
        server.kill()
        crowd.wait_for(lambda: crowd.statuses["api", 503, "unavailable"] >= 5)
        server.start()
        crowd.wait_for_writes(4)

    assert crowd.codes() == {("api", 503, "unavailable")}
    assert crowd.odd == []
    assert_nothing_is_half()
