"""What a test client cannot send: bodies whose length or type is missing or wrong."""

import socket
from http.client import HTTPConnection

import pytest

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import Interface, answer_on, refusal_on, send_head

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_body_of_the_right_length_is_read(
    interface: Interface, server: HTTPConnection, headers: dict[str, str]
) -> None:
    server.request("POST", *interface.saving, headers=headers)

    assert answer_on(server)[0] in {200, 201}
    assert Post.objects.get().title == "Frost"


@requirement("api.input.headers")
def test_a_chunked_body_needs_a_length(interface: Interface, server: HTTPConnection, headers: dict[str, str]) -> None:
    path, body = interface.saving
    server.request("POST", path, body=iter([body]), headers=headers, encode_chunked=True)

    assert refusal_on(server) == (411, "length_required", [])


@requirement("api.input.size", "agents.body-size")
def test_a_body_too_large_is_refused_before_it_is_sent(
    interface: Interface, server: HTTPConnection, headers: dict[str, str]
) -> None:
    send_head(server, interface.saving.path, headers | {"Content-Length": str(interface.largest_body + 1)})

    assert refusal_on(server) == (413, "payload_too_large", [])


@requirement("api.input.headers", "agents.media-type")
def test_a_body_without_a_type_is_refused(
    interface: Interface, server: HTTPConnection, headers: dict[str, str]
) -> None:
    del headers["Content-Type"]

    server.request("POST", *interface.saving, headers=headers)

    assert refusal_on(server) == (415, "unsupported_media_type", [])


@requirement("api.input.short", "agents.messages.malformed")
def test_a_client_that_stops_in_the_middle_gets_an_error(
    interface: Interface, server: HTTPConnection, headers: dict[str, str]
) -> None:
    path, body = interface.saving
    send_head(server, path, headers | {"Content-Length": "1000"})
    server.send(body)
    server.sock.shutdown(socket.SHUT_WR)

    assert refusal_on(server) == (422, "validation_failed", ["body"])
    assert not Post.objects.exists()
