"""What a test client cannot send: large images and persistent connections."""

import json
import zlib
from base64 import b64encode
from hashlib import sha256
from http.client import HTTPConnection
from typing import Any

import pytest
from pytest_django import Settings

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import (
    MCP,
    answer_on,
    call_of,
    notification,
    refusal_on,
    request,
    send_head,
    stateless,
)
from tests.support.hosts import blog_settings
from tests.support.images import png

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]

MEBIBYTE = 1024 * 1024
LARGEST = 10 * MEBIBYTE
PONG = (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
PING = json.dumps(request("ping"))


def png_of(size: int) -> bytes:
    """Return a small picture of this many bytes, most of them in a chunk that has no meaning."""
    picture = png()
    at = picture.rindex(b"IEND") - 4
    inside = b"prVt" + b"\x5a" * (size - len(picture) - 12)
    chunk = (len(inside) - 4).to_bytes(4) + inside + zlib.crc32(inside).to_bytes(4)
    return picture[:at] + chunk + picture[at:]


def upload_of(data: bytes) -> dict[str, Any]:
    content = {"base64": b64encode(data).decode(), "filename": "wall.png", "content_type": "image/png"}
    return call_of("blog_upload_image", content)


def send(server: HTTPConnection, body: object, headers: dict[str, str]) -> tuple[int, Any]:
    server.request("POST", MCP, body=body if isinstance(body, str) else json.dumps(body), headers=headers)
    return answer_on(server)


@requirement("agents.body-size")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.heavy
def test_an_image_of_ten_mebibytes_passes_on_a_default_host(
    server: HTTPConnection, headers: dict[str, str], settings: Settings, described: bool
) -> None:
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == 2_621_440
    data = png_of(LARGEST)
    assert len(data) == LARGEST
    message, more = stateless(upload_of(data)) if described else (upload_of(data), {})

    status, answer = send(server, message, headers | more)

    image = Image.objects.get()
    assert status == 200
    assert answer["result"]["isError"] is False
    assert answer["result"]["structuredContent"] == {
        "image_id": image.pk,
        "url": f"/blog/media/{image.sha256}/wall.png",
        "sha256": sha256(data).hexdigest(),
        "filename": "wall.png",
        "content_type": "image/png",
        "byte_size": LARGEST,
        "width": 4,
        "height": 3,
        "credit": "",
        "digital_source_type": None,
        "source_type_from": None,
    }
    assert (image.sha256, image.byte_size) == (sha256(data).hexdigest(), LARGEST)


@requirement("agents.body-size")
def test_one_byte_too_many_is_not_permitted(server: HTTPConnection, headers: dict[str, str]) -> None:
    status, answer = send(server, upload_of(png_of(LARGEST + 1)), headers)

    assert (status, answer["result"]["isError"]) == (200, True)
    assert answer["result"]["structuredContent"]["error"]["code"] == "image_not_permitted"
    assert not Image.objects.exists()


@requirement("agents.body-size")
def test_a_body_over_the_limit_that_is_sent_all_the_same_leaves_the_connection_usable(
    server: HTTPConnection, headers: dict[str, str], settings: Settings
) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=1000)
    server.request("POST", MCP, body=b" " * (MEBIBYTE + 2001), headers=headers)
    connection = server.sock

    assert refusal_on(server) == (413, "payload_too_large", [])
    assert send(server, PING, headers) == PONG
    assert server.sock is connection


@requirement("agents.messages.malformed")
def test_a_post_without_a_body_holds_no_message(server: HTTPConnection, headers: dict[str, str]) -> None:
    send_head(server, MCP, headers)

    status, answer = answer_on(server)

    assert (status, answer["error"]["code"], answer["id"]) == (200, -32700, None)


@requirement("agents.method")
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("body", [None, PING])
def test_another_method_leaves_the_connection_usable(
    server: HTTPConnection, headers: dict[str, str], method: str, body: str | None
) -> None:
    server.request(method, MCP, body=body, headers=headers)
    connection = server.sock
    response = server.getresponse()

    assert (response.status, response.headers["Allow"], response.read()) == (405, "POST", b"")
    assert send(server, PING, headers) == PONG
    assert server.sock is connection


@requirement("agents.messages.notification")
def test_a_notification_leaves_the_connection_usable(server: HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", MCP, body=json.dumps(notification("notifications/initialized")), headers=headers)
    connection = server.sock
    response = server.getresponse()

    assert (response.status, response.headers["Content-Length"], response.read()) == (202, "0", b"")
    assert send(server, PING, headers) == PONG
    assert server.sock is connection


@requirement("agents.stateless.headers", "agents.versions.unknown")
@pytest.mark.parametrize(("described", "code"), [(False, -32022), (True, -32020)])
def test_a_header_that_comes_twice_is_none_of_both(
    server: HTTPConnection, headers: dict[str, str], described: bool, code: int
) -> None:
    version = "2026-07-28" if described else "2025-06-18"
    message, more = stateless(request("tools/list")) if described else (request("tools/list"), {})
    body = json.dumps(message).encode()
    server.putrequest("POST", MCP)
    for name, value in (headers | more | {"Content-Length": str(len(body))}).items():
        server.putheader(name, value)
    for _ in range(1 if described else 2):
        server.putheader("MCP-Protocol-Version", version)
    server.endheaders(body)

    status, answer = answer_on(server)

    assert (status, answer["error"]["code"]) == (400, code)
