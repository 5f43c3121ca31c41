"""What a test client cannot send: bodies whose length is missing or wrong."""

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from tests.api.plumbing import BASE
from tests.callers import make_secret
from tests.requirements import requirement

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plumbing")]

NOTES = f"{BASE}/notes"


@pytest.fixture(autouse=True)
def counters_in_memory(settings: Settings) -> None:
    """The threads of the server would leave sockets to Redis behind."""
    settings.RATELIMIT_USE_CACHE = "memory"


@pytest.fixture
def headers() -> dict[str, str]:
    return {"Authorization": f"Bearer {make_secret()}", "Content-Type": "application/json"}


@pytest.fixture
def server(live_server: Any) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(live_server.thread.host, live_server.thread.port, timeout=10)
    yield connection
    connection.close()


def answer_of(server: http.client.HTTPConnection) -> tuple[int, str, list[str]]:
    response = server.getresponse()
    error = json.loads(response.read())["error"]
    return response.status, error["code"], error["details"]


@requirement("api:body-headers")
def test_a_chunked_body_needs_a_length(server: http.client.HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", NOTES, body=iter([b'{"text": "a"}']), headers=headers, encode_chunked=True)

    assert answer_of(server) == (411, "length_required", [])


@requirement("api:body-size")
def test_a_body_too_large_is_refused_before_it_is_sent(
    server: http.client.HTTPConnection, headers: dict[str, str]
) -> None:
    server.putrequest("POST", NOTES)
    for name, value in {**headers, "Content-Length": str(3 * 1024 * 1024 + 1)}.items():
        server.putheader(name, value)
    server.endheaders()

    assert answer_of(server) == (413, "payload_too_large", [])


def test_a_body_of_the_right_length_is_read(server: http.client.HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", NOTES, body='{"text": "é"}'.encode(), headers=headers)

    response = server.getresponse()

    assert (response.status, json.loads(response.read())["input"]) == (201, {"text": "é"})


def test_a_request_without_a_body_needs_no_length(server: http.client.HTTPConnection, headers: dict[str, str]) -> None:
    server.putrequest("POST", NOTES)
    for name, value in headers.items():
        server.putheader(name, value)
    server.endheaders()

    response = server.getresponse()

    assert (response.status, json.loads(response.read())["input"]) == (201, {})
