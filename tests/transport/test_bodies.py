"""Which bodies are read: their media type, encoding, length, and strict JSON."""

from io import BytesIO
from typing import Any, NoReturn

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import Interface, Unread, refusal_in

pytestmark = pytest.mark.django_db


class CutOff:
    """The body of a client that disconnects."""

    def read(self, *args: object) -> NoReturn:
        raise OSError

    readline = read


UNREAD: dict[str, Any] = {"wsgi.input": Unread()}


@requirement("agents.media-type")
@pytest.mark.parametrize(
    "content_type",
    [
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json; charset=nonsense",
        "application/json; charset=utf-16",
        "application/json; profile=x; charset=utf-8",
        "application/json;",
        "Application/JSON",
        " application/json ",
    ],
)
def test_json_is_read_as_utf_8_with_any_parameters(interface: Interface, writer: Client, content_type: str) -> None:
    body = interface.saving.body.replace(b"Frost", "Été".encode())

    interface.assert_done(interface.save(writer, data=body, content_type=content_type))
    assert Post.objects.get().title == "Été"


@requirement("api.input.headers", "agents.media-type")
@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/json-rpc",
        "application/jsonrequest",
        "application/vnd.api+json",
        "application/json, application/json",
        "application/json/x",
        "application",
        "json",
        "application/*",
        "*/*",
    ],
)
def test_another_media_type_is_refused(interface: Interface, writer: Client, content_type: str) -> None:
    response = interface.save(writer, data=b"{}", content_type=content_type)

    assert refusal_in(response) == (415, "unsupported_media_type", [])


@requirement("api.input.headers", "agents.media-type")
@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "identity, gzip", "GZIP", "utf-8"])
def test_a_compressed_body_is_refused_unread(interface: Interface, writer: Client, encoding: str) -> None:
    response = interface.save(writer, headers={"Content-Encoding": encoding}, **UNREAD)

    assert refusal_in(response) == (415, "unsupported_media_type", [])


@requirement("api.input.headers")
@pytest.mark.parametrize("encoding", ["identity", "Identity", ""])
def test_a_body_with_the_encoding_identity_is_read(interface: Interface, writer: Client, encoding: str) -> None:
    interface.assert_done(interface.save(writer, headers={"Content-Encoding": encoding}))


@requirement("api.input.size", "agents.body-size")
@pytest.mark.parametrize("excess", [1, 10**9, 2**64, int("9" * 4000)], ids=lambda number: str(number)[:12])
def test_a_body_over_the_limit_is_refused_unread(interface: Interface, writer: Client, excess: int) -> None:
    response = interface.save(writer, CONTENT_LENGTH=str(interface.largest_body + excess), **UNREAD)

    assert refusal_in(response) == (413, "payload_too_large", [])


@requirement("api.input.size", "agents.body-size")
def test_a_body_of_the_limit_is_read_whatever_the_host_limits(
    interface: Interface, writer: Client, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10

    interface.assert_done(interface.read(writer, data=interface.reading.body.ljust(interface.largest_body)))


@requirement("api.input.headers")
@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
def test_a_chunked_body_needs_a_length(interface: Interface, writer: Client, content_type: str) -> None:
    chunked = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked", "content_type": content_type}

    response = interface.save(writer, **chunked, **UNREAD)

    assert refusal_in(response) == (411, "length_required", [])


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "+5", "0x10", "5, 5", "5 5", "1_0", "\u0665"])
def test_a_length_that_is_not_a_number_is_refused(interface: Interface, writer: Client, length: str) -> None:
    response = interface.save(writer, CONTENT_LENGTH=length, **UNREAD)

    assert refusal_in(response) == (422, "validation_failed", ["body"])


@requirement("api.input.short", "agents.messages.malformed")
@pytest.mark.parametrize("kind", ["shorter", "empty", "cut off"])
def test_a_body_that_ends_before_its_length_is_refused(interface: Interface, writer: Client, kind: str) -> None:
    body = interface.saving.body
    streams = {"shorter": BytesIO(body), "empty": BytesIO(), "cut off": CutOff()}

    response = interface.save(writer, **{"CONTENT_LENGTH": str(len(body) + 1), "wsgi.input": streams[kind]})

    assert refusal_in(response) == (422, "validation_failed", ["body"])
    assert not Post.objects.exists()


@requirement("agents.messages.malformed")
def test_nothing_beyond_the_length_is_read(interface: Interface, writer: Client) -> None:
    body = interface.saving.body

    response = interface.save(writer, **{"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body * 2)})

    interface.assert_done(response)
    assert Post.objects.count() == 1


TITLES = {
    "a control character in a text": b'"\n"',
    "an invalid escape": rb'"\x41"',
    "half a Unicode escape": rb'"\u00"',
    "Latin-1": b'"\xe9"',
    "a surrogate in UTF-8": b'"\xed\xa0\x80"',
    "an overlong byte": b'"\xc0\xaf"',
    "NaN": b"NaN",
    "Infinity": b"-Infinity",
    "an infinite number": b"1e999",
    "a number with a leading zero": b"01",
    "a number of 5,000 digits": b"9" * 5000,
    "a number beyond 64 bits": b"9223372036854775808",
    "a trailing comma": b'"Frost",',
    "single quotes": b"'Frost'",
    "a key twice": b'"Frost", "title": "Frost"',
    "an escaped key twice": rb'"Frost", "\u0074itle": "Frost"',
    "an inner key twice": b'{"x": 1, "x": 1}',
    "a key of a lone surrogate": rb'{"\ud800": 1}',
    "100,000 levels": b"[" * 100_000 + b"]" * 100_000,
}


@requirement("api.input.strict-json", "agents.messages.malformed")
@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_a_value_that_is_not_strict_json_is_refused(interface: Interface, writer: Client, title: bytes) -> None:
    interface.assert_unparsable(interface.save(writer, data=interface.saving.body.replace(b'"Frost"', title)))
    assert not Post.objects.exists()


BODIES = {
    "white space": b" \n\t",
    "a word": b"ping",
    "truncated": b"{",
    "cut within a text": b'{"title": "',
    "a form": b"title=Frost",
    "HTML": b"<!doctype html>",
    "NUL": b"\x00",
    "100,000 open brackets": b"[" * 100_000,
    "100,000 objects": b'{"a":' * 100_000,
}


@requirement("api.input.strict-json", "agents.messages.malformed")
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_not_json_is_refused(interface: Interface, writer: Client, body: bytes) -> None:
    interface.assert_unparsable(interface.save(writer, data=body))


@requirement("api.input.strict-json", "agents.messages.malformed")
@pytest.mark.parametrize("suffix", [b"{}", b"\n{}", b" x", b" // comment", b"\x00"])
def test_anything_after_the_value_is_refused(interface: Interface, writer: Client, suffix: bytes) -> None:
    interface.assert_unparsable(interface.save(writer, data=interface.saving.body + suffix))
    assert not Post.objects.exists()


@requirement("api.input.strict-json", "agents.messages.malformed")
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
def test_json_is_utf_8_without_a_byte_order_mark(interface: Interface, writer: Client, encoding: str) -> None:
    interface.assert_unparsable(interface.save(writer, data=interface.saving.body.decode().encode(encoding)))
    assert not Post.objects.exists()


@requirement("api.input.strict-json", "agents.messages.malformed")
def test_json_is_read_64_levels_deep(interface: Interface, writer: Client) -> None:
    inside = 64 - interface.saving.body.count(b"{")

    deepest, deeper = (
        interface.save(writer, data=interface.saving.body.replace(b'"Frost"', b"[" * depth + b"]" * depth))
        for depth in (inside, inside + 1)
    )

    interface.assert_refused(deepest, (422, "validation_failed", ["title"]))
    interface.assert_unparsable(deeper)


@requirement("api.input.unstorable")
def test_a_lone_surrogate_in_a_text_is_a_fault_of_its_field(interface: Interface, writer: Client) -> None:
    response = interface.save(writer, data=interface.saving.body.replace(b"Frost", rb"\ud800"))

    interface.assert_refused(response, (422, "validation_failed", ["title"]))
