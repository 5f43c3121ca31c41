"""Conditional and range requests of media (RFC 9110)."""

import pytest
from django.core.files.storage import Storage
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import Visitor

FOREVER = "max-age=31536000, public, immutable"


@pytest.fixture(autouse=True)
def proxy(settings: Settings, storage: Storage) -> None:
    """Use a storage whose files the server streams."""
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")


@requirement("media.proxy.conditional")
@pytest.mark.parametrize("sent", ['"{tag}"', 'W/"{tag}"', '"x", "{tag}"', "*"])
def test_a_browser_that_has_the_bytes_gets_304(visitor: Visitor, sent: str) -> None:
    image = store_image()

    answer = visitor.get(f"/media/{image.sha256}/quay.png", if_none_match=sent.format(tag=image.sha256))

    assert (answer.status_code, answer.content) == (304, b"")
    assert (answer.headers["ETag"], answer.headers["Cache-Control"]) == (f'"{image.sha256}"', FOREVER)
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"


def test_other_bytes_that_a_browser_has_change_nothing(visitor: Visitor) -> None:
    image = store_image()

    answer = visitor.get(f"/media/{image.sha256}/quay.png", if_none_match='"other"')

    assert (answer.status_code, answer.getvalue()) == (200, plain())


@requirement("media.proxy.conditional")
@pytest.mark.parametrize(
    ("sent", "first", "last"), [("bytes=3-9", 3, 9), ("bytes=50-", 50, None), ("bytes=-4", -4, None)]
)
def test_a_range_is_streamed(visitor: Visitor, sent: str, first: int, last: int | None) -> None:
    image, data = store_image(), plain()

    answer = visitor.get(f"/media/{image.sha256}/quay.png", range=sent)

    expected = data[first : None if last is None else last + 1]
    start = data.index(expected)
    assert (answer.status_code, answer.getvalue()) == (206, expected)
    assert answer.headers["Content-Range"] == f"bytes {start}-{start + len(expected) - 1}/{len(data)}"
    assert answer.headers["Content-Length"] == str(len(expected))
    assert (answer.headers["ETag"], answer.headers["Cache-Control"]) == (f'"{image.sha256}"', FOREVER)


@requirement("media.proxy.conditional")
@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ('"{tag}"', 206),
        ('W/"{tag}"', 200),
        ('"other"', 200),
        ("Sat, 21 Nov 2026 12:00:00 GMT", 200),
        ("", 200),
    ],
)
def test_if_range_must_name_the_bytes(visitor: Visitor, condition: str, status: int) -> None:
    image = store_image()

    answer = visitor.get(
        f"/media/{image.sha256}/quay.png", range="bytes=0-1", if_range=condition.format(tag=image.sha256)
    )

    assert answer.status_code == status
    answer.getvalue()


@requirement("media.proxy.conditional")
def test_an_unsatisfiable_range_is_416(visitor: Visitor) -> None:
    image = store_image()

    answer = visitor.get(f"/media/{image.sha256}/quay.png", range="bytes=99999-")

    assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{len(plain())}")
    assert "immutable" not in answer.headers.get("Cache-Control", "")


@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-1"}])
def test_head_has_the_headers_of_get(visitor: Visitor, headers: dict[str, str]) -> None:
    url = f"/blog/media/{store_image().sha256}/quay.png"
    get = visitor.client.get(url)
    get.getvalue()

    head = visitor.client.head(url, headers=headers)

    assert (head.status_code, head.content) == (200, b"")
    assert dict(head.headers) == dict(get.headers)


@requirement("media.proxy.conditional")
def test_images_are_not_compressed_by_the_host(visitor: Visitor, settings: Settings) -> None:
    image, data = store_image(), plain()
    settings.MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *settings.MIDDLEWARE]
    path = f"/media/{image.sha256}/quay.png"

    whole = visitor.get(path, accept_encoding="gzip")
    part = visitor.get(path, accept_encoding="gzip", range="bytes=0-9")

    assert whole.getvalue() == data
    assert part.getvalue() == data[:10]
    assert whole.headers["ETag"] == f'"{image.sha256}"'
