"""One deadline covers the whole fetch."""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from threading import Event
from time import monotonic

import pytest

from blog_engine.fetching import FetchRefused, any_address, fetch, fetch_headers
from blog_engine.fetching.urls import NOTHING_FETCHED
from tests.fetching.conftest import Serve
from tests.requirements import requirement
from tests.support.web import Names, Say, Server, answer, drips, is_silent, says

ENOUGH = 0.3
"""Seconds for each fetch in these tests."""

LONG_OVER = 5.0
"""Seconds that a fetch must not take even on a busy machine."""


@contextlib.contextmanager
def cut(*, after: float = ENOUGH) -> Iterator[None]:
    """Expect a refusal, not before its time and not long after."""
    start = monotonic()
    with pytest.raises(FetchRefused) as caught:
        yield
    assert after <= monotonic() - start < LONG_OVER
    assert caught.value.reason == NOTHING_FETCHED


def head(server: Server, *, seconds: float, step_seconds: float) -> None:
    url = f"http://127.0.0.1:{server.port}/"
    fetch_headers(url, permits=any_address, seconds=seconds, step_seconds=step_seconds, user_agent="Me")


@requirement("images.fetch.deadline")
@pytest.mark.parametrize(
    "say",
    [
        is_silent,
        drips(b"", b"H"),
        drips(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        drips(b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        drips(b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
        drips(answer(), b"x"),
        drips(answer(Transfer_Encoding="chunked"), b"1\r\nx\r\n"),
        drips(answer(status="302 Found", Location="/"), b"x"),
    ],
    ids=["silence", "status", "headers", "header", "interim", "body", "chunks", "redirect"],
)
def test_a_server_that_takes_its_time_is_cut_off(serve: Serve, say: Say) -> None:
    server = serve(say)

    with cut():
        fetch(f"http://127.0.0.1:{server.port}/", limit=100_000, permits=any_address, seconds=ENOUGH)


@requirement("images.fetch.deadline")
def test_redirects_share_the_time(serve: Serve) -> None:
    def say(server: Server, connection: socket.socket, path: str) -> None:
        server.over.wait(ENOUGH / 2)
        connection.sendall(answer(status="302 Found", Location="/"))

    server = serve(say)

    with cut():
        fetch(f"http://127.0.0.1:{server.port}/", limit=10, permits=any_address, seconds=ENOUGH)


def test_a_handshake_that_never_comes_is_cut_off(serve: Serve) -> None:
    server = serve(is_silent)

    with cut():
        fetch(f"https://127.0.0.1:{server.port}/", limit=10, permits=any_address, seconds=ENOUGH)


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Never answers while the test runs."""
    over, ended = Event(), Event()

    def hang(*args: object, **kwargs: object) -> list[object]:
        over.wait()
        ended.set()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    yield
    over.set()
    assert ended.wait(LONG_OVER)


@requirement("images.fetch.deadline")
@pytest.mark.usefixtures("resolver")
def test_a_resolver_that_hangs_is_left_behind() -> None:
    with cut():
        fetch("http://example.com/", limit=10, seconds=ENOUGH)


def test_a_resolver_that_hangs_does_not_keep_the_process_alive() -> None:
    program = f"""
import socket, threading
socket.getaddrinfo = lambda *args, **kwargs: threading.Event().wait()
from blog_engine.fetching import FetchRefused, fetch
try:
    fetch("http://example.com/", limit=10, seconds={ENOUGH})
except FetchRefused:
    print("refused")
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert (done.stdout, done.stderr) == ("refused\n", "")


@pytest.fixture
def unanswered() -> Iterator[int]:
    """Return a port of 127.0.0.2 whose queue is full: it neither accepts nor refuses."""
    with contextlib.ExitStack() as sockets:
        listening = sockets.enter_context(socket.create_server(("127.0.0.2", 0), backlog=0))
        for _ in range(4):
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        yield listening.getsockname()[1]


def test_a_connection_that_is_not_answered_is_given_up(unanswered: int) -> None:
    with cut():
        fetch(f"http://127.0.0.2:{unanswered}/", limit=10, permits=any_address, seconds=ENOUGH)


def test_an_address_that_does_not_answer_leaves_time_for_the_next(serve: Serve, names: Names, unanswered: int) -> None:
    names.lead("two.example", ["127.0.0.2", "127.0.0.1"])
    serve(says(answer(b"abc")), port=unanswered)

    fetched = fetch(f"http://two.example:{unanswered}/", limit=10, permits=any_address, seconds=2)

    assert fetched.body == b"abc"


def test_no_single_wait_for_headers_is_longer_than_a_step(serve: Serve) -> None:
    server = serve(is_silent)

    with cut():
        head(server, seconds=60, step_seconds=ENOUGH)


def test_headers_that_drip_are_cut_off(serve: Serve) -> None:
    server = serve(drips(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"))

    with cut():
        head(server, seconds=ENOUGH, step_seconds=60)


def test_nothing_is_requested_when_no_time_is_left(names: Names) -> None:
    with pytest.raises(FetchRefused):
        fetch("http://example.com/", limit=10, seconds=0)

    assert names.asked == []
