"""Uploads through a real server: the largest image, and lengths that are missing or too large."""

import socket
from http.client import HTTPConnection
from io import BytesIO

import pytest
from PIL import Image as Picture

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import answer_on, make_secret, refusal_on, send_head

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]

IMAGES = "/blog/api/v1/images"
MEBIBYTE = 1024 * 1024
HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="wall.png"\r\nContent-Type: image/png\r\n\r\n'
END = b"\r\n--x--\r\n"


@pytest.fixture
def headers() -> dict[str, str]:
    return {"Authorization": f"Bearer {make_secret()}", "Content-Type": "multipart/form-data; boundary=x"}


def large_png() -> bytes:
    """A PNG without compression, of a little less than ten mebibytes."""
    buffer = BytesIO()
    Picture.new("RGB", (1868, 1868), "teal").save(buffer, "PNG", compress_level=0)
    return buffer.getvalue()


@requirement("images.bytes.size")
def test_an_image_of_ten_mebibytes_is_stored(server: HTTPConnection, headers: dict[str, str]) -> None:
    data = large_png()
    assert 9 * MEBIBYTE < len(data) <= 10 * MEBIBYTE

    server.request("POST", IMAGES, body=HEAD + data + END, headers=headers)

    status, image = answer_on(server)
    assert status == 201
    assert image["byte_size"] == Image.objects.get().byte_size == len(data)


@requirement("images.bytes.size")
def test_one_byte_too_many_is_not_permitted(server: HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", IMAGES, body=HEAD + b"x" * (10 * MEBIBYTE + 1) + END, headers=headers)

    assert refusal_on(server) == (422, "image_not_permitted", [])


@requirement("api.input.headers")
def test_a_form_in_chunks_needs_a_length(server: HTTPConnection, headers: dict[str, str]) -> None:
    server.request("POST", IMAGES, body=iter([HEAD, b"x", END]), headers=headers, encode_chunked=True)

    assert refusal_on(server) == (411, "length_required", [])


@requirement("images.upload.form-size")
def test_a_form_that_no_image_could_need_is_refused_before_it_is_sent(
    server: HTTPConnection, headers: dict[str, str]
) -> None:
    send_head(server, IMAGES, headers | {"Content-Length": str(21 * MEBIBYTE + 1)})
    # Nothing follows, for the middleware of a host that reads every form.
    server.sock.shutdown(socket.SHUT_WR)

    assert refusal_on(server) == (413, "payload_too_large", [])
