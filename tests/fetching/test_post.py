"""POST requests of the guarded client."""

import pytest

from blog_engine.fetching import FetchRefused, any_address, post
from tests.fetching.conftest import Serve
from tests.requirements import requirement
from tests.support.web import answer, is_silent, pours, says


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
