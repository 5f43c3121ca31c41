"""Which bodies are read, and the order in which a request is checked."""

import json
from io import BytesIO
from typing import Any, NoReturn

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import MCP, call_of, client_with, error_of, post, refusal_in, request, result_of
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

MEBIBYTE = 1024 * 1024
LIMIT = 21 * MEBIBYTE
PING = json.dumps(request("ping")).encode()
SAVE = json.dumps(call_of("blog_save_draft", {"title": "Frost"})).encode()
JSON = "application/json"
MULTIPART = "multipart/form-data; boundary=x"


class Unread:
    """A body that must not be read."""

    def read(self, *args: object) -> NoReturn:
        raise AssertionError("the body was read")

    readline = read


class CutOff:
    """The body of a client that disconnects."""

    def read(self, *args: object) -> NoReturn:
        raise OSError

    readline = read


def send(client: Client, body: bytes = SAVE, content_type: str = JSON, **extra: Any) -> HttpResponse:
    response: HttpResponse = client.generic("POST", MCP, body, content_type=content_type, **extra)
    return response


@requirement("agents.media-type")
@pytest.mark.parametrize(
    "content_type",
    [
        JSON,
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
def test_json_is_read_as_utf_8_whatever_its_parameters(agent: Client, content_type: str) -> None:
    body = json.dumps(request("ping", id="é"), ensure_ascii=False).encode()

    assert result_of(send(agent, body, content_type), id="é") == {}


@requirement("agents.media-type")
@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        MULTIPART,
        "multipart/form-data",
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
def test_a_body_that_is_not_called_json_is_refused(agent: Client, content_type: str) -> None:
    answer = send(agent, SAVE, content_type)

    assert refusal_in(answer) == (415, "unsupported_media_type", [])
    assert not Post.objects.exists()


@requirement("agents.media-type")
@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "identity, gzip", "GZIP", "utf-8"])
def test_a_compressed_body_is_refused(agent: Client, encoding: str) -> None:
    answer = send(agent, headers={"Content-Encoding": encoding}, **{"wsgi.input": Unread()})

    assert refusal_in(answer) == (415, "unsupported_media_type", [])


@pytest.mark.parametrize("encoding", ["identity", "Identity", ""])
def test_a_body_that_says_that_it_is_not_compressed_is_read(agent: Client, encoding: str) -> None:
    assert result_of(send(agent, PING, headers={"Content-Encoding": encoding})) == {}


@requirement("agents.body-size")
@pytest.mark.parametrize("length", [LIMIT + 1, 10**9, 2**64, int("9" * 4000)], ids=lambda length: str(length)[:12])
def test_a_body_over_the_limit_is_not_read(agent: Client, length: int) -> None:
    answer = send(agent, CONTENT_LENGTH=str(length), **{"wsgi.input": Unread()})

    assert refusal_in(answer) == (413, "payload_too_large", [])


@requirement("agents.body-size")
def test_a_body_of_exactly_the_limit_is_read(agent: Client) -> None:
    assert result_of(send(agent, PING + b" " * (LIMIT - len(PING)))) == {}


@requirement("agents.body-size")
def test_the_limit_follows_the_largest_image(agent: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=1000)
    limit = MEBIBYTE + 2000

    read, refusal = (send(agent, PING + b" " * (length - len(PING))) for length in (limit, limit + 1))

    assert result_of(read) == {}
    assert refusal_in(refusal) == (413, "payload_too_large", [])


@requirement("agents.body-size")
@pytest.mark.parametrize("values", ["[],", "0,", '"",', "{},"])
def test_more_values_than_any_call_has_are_too_large(agent: Client, values: str) -> None:
    body = "[" + values * (4 * MEBIBYTE) + "0]"

    assert refusal_in(send(agent, body.encode())) == (413, "payload_too_large", [])


@requirement("agents.body-size")
def test_what_an_image_does_not_need_is_limited_as_in_the_api(agent: Client) -> None:
    texts = ["x" * 60_000] * 54

    read, refusal = (send(agent, json.dumps(request("ping", {"texts": texts[:count]})).encode()) for count in (52, 54))

    assert result_of(read) == {}
    assert refusal_in(refusal) == (413, "payload_too_large", [])


@requirement("agents.body-size")
def test_what_a_host_lets_its_own_views_read_does_not_count(agent: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1

    assert result_of(send(agent, PING + b" " * 5 * MEBIBYTE)) == {}


@pytest.mark.parametrize("content_type", [JSON, "application/json; charset=utf-8"])
def test_a_body_in_chunks_needs_a_length(agent: Client, content_type: str) -> None:
    chunked: dict[str, Any] = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": Unread()}

    answer = send(agent, content_type=content_type, **chunked)

    assert refusal_in(answer) == (411, "length_required", [])


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "+5", "0x10", "5, 5", "5 5", "1_0", "\u0665"])
def test_a_length_that_is_no_number_is_refused(agent: Client, length: str) -> None:
    answer = send(agent, CONTENT_LENGTH=length, **{"wsgi.input": Unread()})

    assert refusal_in(answer) == (422, "validation_failed", ["body"])


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("stream", [BytesIO(SAVE), BytesIO(b""), CutOff()], ids=["shorter", "nothing", "cut off"])
def test_a_body_that_ends_before_its_length_is_refused(agent: Client, stream: object) -> None:
    answer = send(agent, CONTENT_LENGTH=str(len(SAVE) + 1), **{"wsgi.input": stream})

    assert refusal_in(answer) == (422, "validation_failed", ["body"])
    assert not Post.objects.exists()


@requirement("agents.messages.malformed")
def test_nothing_beyond_the_length_is_read(agent: Client) -> None:
    extra: dict[str, Any] = {"CONTENT_LENGTH": str(len(PING)), "wsgi.input": BytesIO(PING + SAVE)}

    assert result_of(send(agent, **extra)) == {}
    assert not Post.objects.exists()


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("content_type", [JSON, "", "text/plain"])
def test_a_request_without_a_body_holds_no_message(agent: Client, content_type: str) -> None:
    assert error_of(send(agent, b"", content_type), id=None) == (200, -32700, None)


TOO_LARGE = {"CONTENT_LENGTH": str(LIMIT + 1)}
CHUNKED = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
GZIP = {"HTTP_CONTENT_ENCODING": "gzip"}
NO_ORIGIN = {"HTTP_ORIGIN": "null"}
UNKNOWN_ID = {"HTTP_AUTHORIZATION": "Bearer be_wrong"}
TEXT = {"CONTENT_TYPE": "text/plain"}


@requirement("agents.order")
@pytest.mark.parametrize(
    ("faults", "status"),
    [
        (NO_ORIGIN | UNKNOWN_ID | TEXT | TOO_LARGE | GZIP, 403),
        (UNKNOWN_ID | TEXT | TOO_LARGE | GZIP, 401),
        (UNKNOWN_ID | CHUNKED, 401),
        (TEXT | TOO_LARGE, 415),
        (TEXT | CHUNKED, 415),
        (GZIP | TOO_LARGE, 415),
        (TOO_LARGE, 413),
        (TOO_LARGE | CHUNKED, 411),
        (CHUNKED, 411),
        ({}, 200),
    ],
)
def test_of_several_faults_the_first_check_answers(agent: Client, faults: dict[str, str], status: int) -> None:
    answer = send(agent, PING, **faults)

    assert answer.status_code == status


@requirement("agents.order")
def test_a_faulty_body_is_not_read_past_the_limit(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(api_rate_limit="1/h")
    client = client_with("read")
    assert send(client, PING).status_code == 200

    answers = [send(client, **faults, **{"wsgi.input": Unread()}) for faults in (TEXT, TOO_LARGE, CHUNKED, GZIP)]
    others = [send(client, PING, **faults).status_code for faults in (NO_ORIGIN, UNKNOWN_ID)]

    assert [refusal_in(answer) for answer in answers] == [(429, "rate_limited", [])] * 4
    assert others == [403, 401]
    assert client.get(MCP).status_code == 405


@requirement("agents.order")
def test_the_message_is_read_before_the_scope_is_asked() -> None:
    client = client_with()

    assert error_of(post(client, "{"), id=None) == (200, -32700, None)
    assert error_of(post(client, call_of("blog_none"))) == (200, -32602, {"name": "blog_none"})
