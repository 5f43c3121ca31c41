"""Requests that are sent, and the handling of responses."""

import contextlib
import logging
import socket
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blog_engine.fetching import Fetched, FetchRefused, any_address, fetch, fetch_headers, post
from blog_engine.fetching.urls import ENCODED, NOTHING_FETCHED, TOO_LARGE, UNUSABLE_REDIRECT
from tests.fetching.conftest import Serve
from tests.requirements import requirement
from tests.support.web import Names, Server, answer, by_path, is_silent, pours, says, serving


def get(server: Server, path: str = "/", *, limit: int = 1000, seconds: float = 5, redirects: int = 3) -> Fetched:
    url = f"http://127.0.0.1:{server.port}{path}"
    return fetch(url, limit=limit, permits=any_address, seconds=seconds, redirects=redirects)


def refusal(server: Server, path: str = "/", *, limit: int = 1000, seconds: float = 5) -> str:
    with pytest.raises(FetchRefused) as caught:
        get(server, path, limit=limit, seconds=seconds)
    return caught.value.reason


@requirement("images.fetch.direct")
def test_a_request_carries_what_it_must_and_nothing_else(serve: Serve, names: Names) -> None:
    names.lead("images.example", ["127.0.0.1"])
    server = serve(says(answer(b"bytes")))

    fetch(f"http://Images.example:{server.port}/a%2Fb/ü?q=é#f", limit=10, permits=any_address, user_agent="Me")

    assert server.requests == [
        "GET /a%2Fb/%C3%BC?q=%C3%A9 HTTP/1.1\n"
        f"Host: images.example:{server.port}\n"
        "User-Agent: Me\n"
        "Accept: */*\n"
        "Accept-Encoding: identity\n"
        "Connection: close\n\n"
    ]


@pytest.mark.parametrize(
    "status", ["200 OK", "204 No Content", "304 Not Modified", "300 Choices", "404 Gone", "599 Odd"]
)
def test_an_answer_of_any_status_is_handed_over(serve: Serve, status: str) -> None:
    server = serve(says(answer(status=status, X_One="1", X_TWO="é")))

    fetched = get(server, "/a?b#c")

    assert fetched == Fetched(
        url=f"http://127.0.0.1:{server.port}/a?b",
        status=int(status[:3]),
        headers={"x-one": "1", "x-two": "é"},
        body=b"",
    )


def test_a_header_that_comes_twice_is_one_list(serve: Serve) -> None:
    server = serve(says(b"HTTP/1.1 200 OK\r\nX-Robots-Tag: none\r\nx-robots-tag: all\r\n\r\n"))

    assert get(server).headers == {"x-robots-tag": "none, all"}


def test_chunks_are_joined(serve: Serve) -> None:
    server = serve(says(answer(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", Transfer_Encoding="chunked")))

    assert get(server).body == b"abcde"


def test_interim_answers_are_passed_over(serve: Serve) -> None:
    server = serve(says(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer(b"abc")))

    assert get(server).body == b"abc"


@requirement("images.fetch.redirects")
@pytest.mark.parametrize("status", ["301 A", "302 B", "303 C", "307 D", "308 E"])
def test_a_redirect_is_followed(serve: Serve, status: str) -> None:
    server = serve(by_path({"/a": answer(b"moved", status=status, Location="b/c#d"), "/b/c": answer(b"here")}))

    fetched = get(server, "/a")

    assert (fetched.url, fetched.status, fetched.body) == (f"http://127.0.0.1:{server.port}/b/c", 200, b"here")


@requirement("images.fetch.redirects")
def test_three_redirects_are_followed_and_the_fourth_is_the_answer(serve: Serve) -> None:
    server = serve(by_path({f"/{n}": answer(b"%d" % n, status="302 Found", Location=f"/{n + 1}") for n in range(9)}))

    fetched = get(server, "/0")

    assert (fetched.url, fetched.status, fetched.headers) == (
        f"http://127.0.0.1:{server.port}/3",
        302,
        {"location": "/4"},
    )


def test_a_loop_of_redirects_ends(serve: Serve) -> None:
    server = serve(says(answer(status="302 Found", Location="/")))

    assert (get(server).status, len(server.requests)) == (302, 4)


def test_no_redirect_is_followed_when_none_is_wanted(serve: Serve) -> None:
    server = serve(says(answer(status="301 Moved", Location="javascript:alert(1)")))

    fetched = get(server, redirects=0)

    assert (fetched.status, fetched.headers, len(server.requests)) == (301, {"location": "javascript:alert(1)"}, 1)


@requirement("images.fetch.redirects")
@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"Location:\r\n",
        b"Location: http://user@127.0.0.1/\r\n",
        b"Location: ftp://127.0.0.1/\r\n",
        b"Location: http://127.1/\r\n",
        b"Location: /a\r\nLocation: /b\r\n",
    ],
)
def test_a_redirect_that_leads_nowhere_is_refused(serve: Serve, head: bytes) -> None:
    server = serve(says(b"HTTP/1.1 302 Found\r\n" + head + b"\r\n"))

    assert (refusal(server), len(server.requests)) == (UNUSABLE_REDIRECT, 1)


def test_cookies_are_not_sent_back(serve: Serve) -> None:
    redirect = answer(status="302 Found", Location="/b", Set_Cookie="session=1; Path=/")
    server = serve(by_path({"/a": redirect, "/b": answer()}))

    get(server, "/a")

    assert [line for head in server.requests for line in head.splitlines() if line.startswith("Cookie")] == []


def test_a_body_of_the_limit_is_read(serve: Serve) -> None:
    server = serve(says(answer(b"x" * 100_000)))

    assert get(server, limit=100_000).body == b"x" * 100_000


@requirement("images.fetch.size")
@pytest.mark.parametrize(
    "raw",
    [
        answer(b"x" * 11),
        answer(b"x" * 11, Content_Length="11"),
        answer(b"b\r\nxxxxxxxxxxx\r\n0\r\n\r\n", Transfer_Encoding="chunked"),
        answer(b"x" * 11, status="302 Found", Location="/small"),
    ],
)
def test_a_body_over_the_limit_is_refused(serve: Serve, raw: bytes) -> None:
    server = serve(by_path({"/": raw, "/small": answer(b"x")}))

    assert (refusal(server, limit=10), len(server.requests)) == (TOO_LARGE, 1)


@requirement("images.fetch.size")
@pytest.mark.parametrize("status", ["200 OK", "302 Found"])
def test_an_endless_body_is_cut_off(serve: Serve, status: str) -> None:
    server = serve(pours(answer(status=status, Location="/"), b"x" * 65_536))

    assert refusal(server, limit=1_000_000) == TOO_LARGE


@requirement("images.fetch.size")
def test_a_length_over_the_limit_is_refused_before_the_body_comes(serve: Serve) -> None:
    def say(server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(Content_Length="11"))
        is_silent(server, connection, path)

    assert refusal(serve(say), limit=10) == TOO_LARGE


@requirement("images.fetch.direct")
@pytest.mark.parametrize("coding", ["gzip", "GZIP", "br", "deflate", "identity, gzip", "gzip, identity", "x"])
def test_compressed_answers_are_refused_unread(serve: Serve, coding: str) -> None:
    def say(server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(Content_Encoding=coding, Content_Length="3"))
        is_silent(server, connection, path)

    assert refusal(serve(say)) == ENCODED


@pytest.mark.parametrize("coding", ["", "identity", "Identity", "identity, identity"])
def test_answers_that_say_they_are_not_compressed_are_read(serve: Serve, coding: str) -> None:
    assert get(serve(says(answer(b"abc", Content_Encoding=coding)))).body == b"abc"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"hello",
        b"<html>as in HTTP/0.9</html>\n",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 099 Low\r\n\r\n",
        b"HTTP/1.1 2000 High\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxxxx",
        b"HTTP/1.1 200 OK\r\nNo colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 30 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_whole_answer_is_refused(serve: Serve, raw: bytes) -> None:
    assert refusal(serve(says(raw))) == NOTHING_FETCHED


@requirement("images.fetch.direct")
@pytest.mark.parametrize(
    "raw", [b"", b"hello", answer(b"x", Content_Length="9"), answer(status="503 Busy", Retry_After="0")]
)
def test_a_request_to_a_server_that_fails_is_not_repeated(serve: Serve, raw: bytes) -> None:
    server = serve(says(raw))

    with contextlib.suppress(FetchRefused):
        get(server)

    assert server.hits() == 1


def test_endless_headers_are_cut_off(serve: Serve) -> None:
    server = serve(pours(b"HTTP/1.1 200 OK\r\n", b"X: " + b"x" * 10_000 + b"\r\n"))

    assert refusal(server) == NOTHING_FETCHED


def test_a_closed_port_is_refused() -> None:
    with serving(is_silent) as server:
        pass

    assert refusal(server) == NOTHING_FETCHED


class Babble:
    """The next responses of a server."""

    raw = b""

    def __call__(self, server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(self.raw)


@pytest.fixture(scope="module")
def babble() -> Babble:
    return Babble()


@pytest.fixture(scope="module")
def babbling(babble: Babble) -> Iterator[Server]:
    with serving(babble) as server:
        yield server


_LINES = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 302 Found\r\n",
        b"HTTP/1.1 101 Switching\r\n",
        b"HTTP/1.0 204 \r\n",
        b"Location: /\r\n",
        b"Location: //[\r\n",
        b"Content-Length: 3\r\n",
        b"Content-Length: +3\r\n",
        b"Content-Encoding: \xff\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"\xff\x00: x\r\n",
        b"\r\n",
        b"3\r\nabc\r\n",
        b"0\r\n",
    ]
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(raw=st.one_of(st.binary(), st.lists(_LINES, max_size=8).map(b"".join)))
def test_no_answer_raises_anything_but_a_refusal(babbling: Server, babble: Babble, raw: bytes) -> None:
    babble.raw = raw

    try:
        fetched = get(babbling, limit=10)
    except FetchRefused:
        return

    assert len(fetched.body) <= 10


def test_headers_are_fetched_without_the_body(serve: Serve) -> None:
    def say(server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(status="302 Found", Location="/b", Content_Length="9", Content_Encoding="br"))
        is_silent(server, connection, path)

    server = serve(say)
    url = f"http://127.0.0.1:{server.port}/a"

    fetched = fetch_headers(url, permits=any_address, seconds=5, step_seconds=5, user_agent="Me")

    assert "User-Agent: Me\n" in server.requests[0]
    assert (fetched, len(server.requests)) == (
        Fetched(
            url=url,
            status=302,
            headers={"location": "/b", "content-length": "9", "content-encoding": "br"},
            body=b"",
        ),
        1,
    )


@requirement("images.fetch.discreet")
def test_no_address_is_logged(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    server = serve(says(answer(b"abc")))

    get(server, "/a?signature=secret")

    assert caplog.text == ""


def send(url: str, *, seconds: float = 5) -> int:
    return post(url, b"a=b", headers={"X-One": "1"}, seconds=seconds, user_agent="Me", permits=any_address).status


@requirement("webhooks.request")
def test_a_request_carries_the_body_and_the_headers(serve: Serve) -> None:
    server = serve(says(answer(status="202 Accepted")))

    status = send(f"http://127.0.0.1:{server.port}/in?x=1")

    assert status == 202
    assert server.requests[0].partition("\n\n")[0].splitlines() == [
        "POST /in?x=1 HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "User-Agent: Me",
        "Accept: */*",
        "Accept-Encoding: identity",
        "Connection: close",
        "X-One: 1",
        "Content-Length: 3",
    ]


@requirement("webhooks.request")
def test_a_redirect_is_the_answer(serve: Serve) -> None:
    server = serve(says(answer(status="307 Temporary Redirect", Location="/elsewhere")))

    assert send(f"http://127.0.0.1:{server.port}/in") == 307
    assert len(server.requests) == 1


@requirement("webhooks.request")
def test_an_endless_body_is_not_read(serve: Serve) -> None:
    server = serve(pours(answer(), b"x" * 65_536))

    assert send(f"http://127.0.0.1:{server.port}/in") == 200


@requirement("webhooks.request")
def test_a_receiver_that_says_nothing_is_left_in_time(serve: Serve) -> None:
    server = serve(is_silent)

    with pytest.raises(FetchRefused):
        send(f"http://127.0.0.1:{server.port}/in", seconds=0.2)


@requirement("webhooks.request")
def test_an_ip_address_that_is_not_public_gets_nothing(serve: Serve) -> None:
    server = serve(says(answer()))

    with pytest.raises(FetchRefused):
        post(f"http://127.0.0.1:{server.port}/", b"", headers={}, user_agent="Me")

    assert server.hits() == 0
