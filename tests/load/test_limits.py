"""Rate limits apply to all processes together: exactly the allowed number of requests pass."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.load.clients import BROWSER
from tests.load.conftest import THREADS, WORKERS, Place
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.servers import free_port, gunicorn, origin_at

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

_CALLS = 40
_SEARCHES = 30
_FAILED_ATTEMPTS = 20
_TOO_MANY = 20
_WINDOW = 60
_MARGIN = 3
"""Seconds by which the reported end of a window can be wrong."""
_TRIES = 8
_PATIENCE = 60

_PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

Ask = Callable[[int], httpx.Response]


@pytest.fixture
def http(place: Place) -> Iterator[httpx.Client]:
    """A client of a site on four processes that opens a connection for each request."""
    with free_port() as listener:
        origin = origin_at(listener)
        environment = place.at(origin, CALLS=f"{_CALLS}/m", SEARCHES=f"{_SEARCHES}/m")
        with (
            (place.folder / "gunicorn.log").open("wb") as log,
            gunicorn(listener, environment, workers=WORKERS, threads=THREADS, log=log),
            httpx.Client(
                base_url=origin,
                headers={"User-Agent": BROWSER},
                limits=httpx.Limits(max_keepalive_connections=0),
                timeout=_PATIENCE,
            ) as client,
        ):
            yield client


@requirement("access.rate.limit", "agents.rate", "host.concurrency.limits")
def test_calls_are_counted_over_all_processes_and_both_endpoints(http: httpx.Client) -> None:
    def caller(number: int) -> Ask:
        headers = {"Authorization": f"Bearer {make_secret(name=f'Caller {number}')}"}

        def ask(turn: int) -> httpx.Response:
            if turn % 2:
                return http.post("/blog/mcp", json=_PING, headers=headers)
            return http.get("/blog/api/v1/tags", headers=headers)

        return ask

    assert _in_one_window(caller, _CALLS + _TOO_MANY) == {200: _CALLS, 429: _TOO_MANY}


@requirement("search.rate-limit", "host.concurrency.limits")
def test_searches_of_an_ip_address_are_counted_over_all_processes(http: httpx.Client) -> None:
    def searcher(number: int) -> Ask:
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        return lambda turn: http.get(f"/blog/{['search', 'search.json'][turn % 2]}?q=quay", headers=headers)

    assert _in_one_window(searcher, _SEARCHES + _TOO_MANY) == {200: _SEARCHES, 429: _TOO_MANY}


@requirement("host.concurrency.limits")
def test_refused_tokens_of_an_ip_address_are_counted_over_all_processes(http: httpx.Client) -> None:
    def guesser(number: int) -> Ask:
        headers = {"X-Forwarded-For": f"198.51.100.{number}", "Authorization": "Bearer be_guessed"}
        return lambda _: http.get("/blog/api/v1/tags", headers=headers)

    assert _in_one_window(guesser, _FAILED_ATTEMPTS + _TOO_MANY) == {401: _FAILED_ATTEMPTS, 429: _TOO_MANY}


def _in_one_window(somebody: Callable[[int], Ask], number: int) -> Counter[int]:
    """Return how often each status was answered to this many simultaneous requests of a new client in one window.

    If the window ended meanwhile, another client tries again.
    """
    for attempt in range(1, _TRIES + 1):
        ask = somebody(attempt)
        begin = time.time()
        with ThreadPoolExecutor(max_workers=2 * WORKERS) as pool:
            answers = list(pool.map(ask, range(number)))
        end = time.time()
        waits = [int(answer.headers["Retry-After"]) for answer in answers if answer.status_code == 429]
        # The last refusal is recent and reports the end of the window.
        window_ends = end + min(waits, default=0)
        if window_ends - _WINDOW + _MARGIN < begin and end < window_ends - _MARGIN:
            return Counter(answer.status_code for answer in answers)
    raise AssertionError("no window was long enough")
