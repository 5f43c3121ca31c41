"""Which bodies are read, and the order in which a request is checked."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.clients import MCP, Unread, call_of, client_with, error_of, post, refusal_in, request, result_of
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

MEBIBYTE = 1024 * 1024
LIMIT = 21 * MEBIBYTE
PING = json.dumps(request("ping")).encode()
SAVE = json.dumps(call_of("blog_save_draft", {"title": "Frost"})).encode()
JSON = "application/json"


def send(client: Client, body: bytes = SAVE, content_type: str = JSON, **extra: Any) -> HttpResponse:
    response: HttpResponse = client.generic("POST", MCP, body, content_type=content_type, **extra)
    return response


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
