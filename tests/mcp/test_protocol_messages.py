"""Faulty messages get a code and a status in both version families, never 500."""

import json
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    STATELESS,
    call_of,
    error_of,
    notification,
    post,
    request,
    result_of,
)

pytestmark = pytest.mark.django_db

NEWER = {"MCP-Protocol-Version": STATELESS}
HEADERS = {"handshake": {}, "handshake by name": {"MCP-Protocol-Version": "2025-06-18"}, "stateless": NEWER}
PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


@pytest.fixture(params=HEADERS)
def headers(request: pytest.FixtureRequest) -> dict[str, str]:
    return HEADERS[request.param]


def status_of(headers: dict[str, str], *, code: int, one_way: bool = False) -> int:
    """Return the status of an error; ``one_way`` is for a message that expects no answer."""
    if headers is not NEWER:
        return 400 if one_way else 200
    return 404 if code == METHOD_NOT_FOUND else 400


UNPARSABLE = {
    "nothing": b"",
    "truncated": PING[:-1].encode(),
    "two messages": f"{PING}{PING}".encode(),
    "lines of messages": f"{PING}\n{PING}".encode(),
    "utf-16": PING.encode("utf-16"),
    "NaN": b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}',
    "an id of 5,000 digits": b'{"jsonrpc": "2.0", "id": %s, "method": "ping"}' % (b"9" * 5000),
    "an id beyond 64 bits": b'{"jsonrpc": "2.0", "id": 9223372036854775808, "method": "ping"}',
    "method twice": b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "tools/list"}',
    "id twice": b'{"jsonrpc": "2.0", "id": 1, "id": 1, "method": "ping"}',
    "an escaped key twice": rb'{"jsonrpc": "2.0", "id": 1, "method": "ping", "\u006dethod": "tools/list"}',
}


@requirement(
    "agents.messages.malformed",
    "agents.versions.unreadable",
    "agents.messages.handshake-status",
    "agents.messages.stateless-status",
)
@pytest.mark.parametrize("body", UNPARSABLE.values(), ids=UNPARSABLE)
def test_what_is_not_strictly_json_is_a_parse_error_without_id(
    agent: Client, headers: dict[str, str], body: bytes
) -> None:
    answer = post(agent, body, headers)

    assert error_of(answer, id=None) == (status_of(headers, code=PARSE_ERROR), PARSE_ERROR, None)


@requirement("agents.messages.batch")
@pytest.mark.parametrize("headers", [*HEADERS.values(), {"MCP-Protocol-Version": "2025-03-26"}])
@pytest.mark.parametrize(
    "batch",
    [[], [[]], [1], [None], [request("ping")], [request("ping"), request("ping", id=2)], [notification("ping")]],
    ids=json.dumps,
)
def test_a_batch_is_refused_as_a_whole(agent: Client, headers: dict[str, str], batch: list[Any]) -> None:
    assert error_of(post(agent, batch, headers), id=None) == (400, INVALID_REQUEST, None)


@requirement("agents.messages.batch", "agents.messages.notification")
def test_nothing_in_a_batch_is_run(agent: Client) -> None:
    save = call_of("blog_save_draft", {"title": "Frost"})

    answers = [post(agent, [save]), post(agent, [notification("tools/call", save["params"])]), post(agent, [[save]])]

    assert [error_of(answer, id=None) for answer in answers] == [(400, INVALID_REQUEST, None)] * 3
    assert not Post.objects.exists()


NO_REQUEST: dict[str, tuple[Any, Any]] = {
    "a number": (1, None),
    "a text": ("ping", None),
    "null": (None, None),
    "true": (True, None),
    "no version of json-rpc": ({"id": 1, "method": "ping"}, 1),
    "another version of json-rpc": (request("ping") | {"jsonrpc": "1.0"}, 1),
    "a number as version": (request("ping") | {"jsonrpc": 2.0}, 1),
    "no text as version": (request("ping") | {"jsonrpc": ["2.0"]}, 1),
    "a version with a space": (request("ping") | {"jsonrpc": "2.0 "}, 1),
    "an id of null": (request("ping", id=None), None),
    "an id of true": (request("ping", id=True), None),
    "a broken number as id": (request("ping", id=1.5), None),
    "a whole float as id": ('{"jsonrpc": "2.0", "id": 1.0, "method": "ping"}', None),
    "an exponent as id": ('{"jsonrpc": "2.0", "id": 1e0, "method": "ping"}', None),
    "an object as id": (request("ping", id={}), None),
    "a list as id": (request("ping", id=[1]), None),
    "no method": ({"jsonrpc": "2.0", "id": "a"}, "a"),
    "a number as method": (request("ping") | {"method": 1}, 1),
    "null as method": (request("ping") | {"method": None}, 1),
    "a list as method": (request("ping") | {"method": ["ping"]}, 1),
    "a method of json-rpc itself": (request("rpc.discover"), 1),
    "the prefix of json-rpc itself": (request("rpc."), 1),
}
ONE_WAY: dict[str, tuple[Any, Any]] = {
    "an empty object": ({}, None),
    "a result": ({"jsonrpc": "2.0", "id": 1, "result": {}}, 1),
    "an error": ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": "x"}}, 1),
    "an error without id": ({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "x"}}, None),
    "keys in capitals": ({"JSONRPC": "2.0", "ID": 1, "METHOD": "ping"}, None),
}
"""Responses and faulty notifications, which get no id with handshake versions."""


@requirement("agents.messages.malformed", "agents.messages.ids")
@pytest.mark.parametrize(("message", "id"), NO_REQUEST.values(), ids=NO_REQUEST)
def test_what_is_no_request_is_invalid(agent: Client, headers: dict[str, str], message: object, id: object) -> None:
    body = message if isinstance(message, str) and message.startswith("{") else json.dumps(message)

    answer = post(agent, body, headers)

    assert error_of(answer, id=id) == (status_of(headers, code=INVALID_REQUEST), INVALID_REQUEST, None)


@requirement("agents.messages.malformed", "agents.messages.one-way")
@pytest.mark.parametrize(("message", "id"), ONE_WAY.values(), ids=ONE_WAY)
def test_what_expects_no_answer_is_a_bad_request(
    agent: Client, headers: dict[str, str], message: object, id: object
) -> None:
    answer = post(agent, message, headers)

    status = status_of(headers, code=INVALID_REQUEST, one_way=True)
    assert error_of(answer, id=id if headers is NEWER else None) == (status, INVALID_REQUEST, None)


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("method", ["ping", "tools/list", "tools/call", "initialize", "no/such"])
def test_parameters_that_are_no_object_are_invalid(agent: Client, headers: dict[str, str], method: str) -> None:
    sent: list[object] = [[], [1], "x", "", 1, 0, True, False]

    answers = [(params, error_of(post(agent, request(method) | {"params": params}, headers))) for params in sent]

    # Only the handshake has this method, whatever the header says.
    is_handshake = headers is not NEWER or method == "initialize"
    assert answers == [(params, (200 if is_handshake else 400, INVALID_PARAMS, None)) for params in sent]


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("message", [request("ping"), request("ping") | {"params": None}, request("ping", {})])
def test_params_can_be_null_or_missing(agent: Client, message: object) -> None:
    assert result_of(post(agent, message)) == {}


def test_keys_that_mean_nothing_are_ignored(agent: Client) -> None:
    message = request("ping", {"x": {"y": [1]}, "_meta": {"progressToken": 1}}) | {"auth": "x", "": None, "error": {}}

    assert result_of(post(agent, message)) == {}
