"""What a test client cannot send: bodies whose length is missing or wrong."""

from http.client import HTTPConnection

import pytest

from tests.requirements import requirement
from tests.support.clients import answer_on, make_secret, refusal_on, send_head
from tests.support.urlconfs.plumbing import BASE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plumbing")]

NOTES = f"{BASE}/notes"


@pytest.fixture
def headers() -> dict[str, str]:
    return {"Authorization": f"Bearer {make_secret()}", "Content-Type": "application/json"}


@requirement("api.input.headers")
def test_a_chunked_body_needs_a_length(server: HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", NOTES, body=iter([b'{"text": "a"}']), headers=headers, encode_chunked=True)

    assert refusal_on(server) == (411, "length_required", [])


@requirement("api.input.size")
def test_a_body_too_large_is_refused_before_it_is_sent(server: HTTPConnection, headers: dict[str, str]) -> None:
    send_head(server, NOTES, headers | {"Content-Length": str(3 * 1024 * 1024 + 1)})

    assert refusal_on(server) == (413, "payload_too_large", [])


def test_a_body_of_the_right_length_is_read(server: HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", NOTES, body='{"text": "é"}'.encode(), headers=headers)

    status, said = answer_on(server)
    assert (status, said["input"]) == (201, {"text": "é"})


def test_a_request_without_a_body_needs_no_length(server: HTTPConnection, headers: dict[str, str]) -> None:
    send_head(server, NOTES, headers)

    status, said = answer_on(server)
    assert (status, said["input"]) == (201, {})
