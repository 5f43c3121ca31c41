"""Notifications are accepted and neither run nor answered; a faulty one is 400."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.requirements import requirement
from tests.support.clients import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    META,
    error_of,
    notification,
    post,
    stateless,
)
from tests.support.factories import save
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db


@requirement("agents.messages.notification")
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "no/such", "ping", "initialize"]
)
def test_a_notification_is_accepted_without_an_answer(agent: Client, method: str) -> None:
    answers = [post(agent, notification(method)), post(agent, *stateless(notification(method)))]

    for answer in answers:
        assert (answer.status_code, answer.content) == (202, b"")
        assert "Content-Type" not in answer.headers


TOOL_CALLS = [
    {"name": "blog_save_draft", "arguments": {"title": "Frost"}},
    {"name": "blog_update_post", "arguments": {"id": "ice", "title": "Frost"}},
    {"name": "blog_remove_post", "arguments": {"id": "ice"}},
    {"name": "blog_save_category", "arguments": {"name": "Frost"}},
    {"name": "blog_save_draft", "arguments": []},
    {"name": "blog_none"},
    {},
]


@requirement("agents.messages.notification")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("params", TOOL_CALLS, ids=json.dumps)
def test_a_notification_of_a_tool_runs_nothing(agent: Client, params: object, described: bool) -> None:
    save(slug="ice", title="Ice")
    before = stored_beside_tokens()
    message = notification("tools/call", params)

    answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert (answer.status_code, answer.content) == (202, b"")
    assert stored_beside_tokens() == before


@requirement("agents.messages.notification")
def test_a_notification_reads_nothing_either(agent: Client) -> None:
    answer = post(agent, notification("resources/read", {"uri": "blog://posts/none.md"}))

    assert (answer.status_code, answer.content) == (202, b"")


FAULTY: dict[str, tuple[Any, int]] = {
    "another version of json-rpc": ({"jsonrpc": "1.0", "method": "ping"}, INVALID_REQUEST),
    "no version of json-rpc": ({"method": "ping"}, INVALID_REQUEST),
    "a number as method": ({"jsonrpc": "2.0", "method": 1}, INVALID_REQUEST),
    "no method": ({"jsonrpc": "2.0"}, INVALID_REQUEST),
    "a method of json-rpc itself": (notification("rpc.discover"), INVALID_REQUEST),
    "a list as parameters": (notification("tools/call") | {"params": []}, INVALID_PARAMS),
    "a result": ({"jsonrpc": "2.0", "id": 1, "result": {}}, INVALID_REQUEST),
    "a result of null": ({"jsonrpc": "2.0", "id": "a", "result": None}, INVALID_REQUEST),
    "a result of another version": ({"jsonrpc": "1.0", "id": 1, "result": {}}, INVALID_REQUEST),
    "an error": ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": "x"}}, INVALID_REQUEST),
    "an error without id": ({"jsonrpc": "2.0", "error": {"code": -32600, "message": "x"}}, INVALID_REQUEST),
}


@requirement("agents.messages.one-way")
@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": "2025-06-18"}])
@pytest.mark.parametrize(("message", "code"), FAULTY.values(), ids=FAULTY)
def test_a_response_or_a_faulty_notification_is_a_bad_request_without_id(
    agent: Client, headers: dict[str, str], message: object, code: int
) -> None:
    assert error_of(post(agent, message, headers), id=None) == (400, code, None)


@requirement("agents.messages.one-way")
def test_a_stateless_notification_without_its_headers_is_refused(agent: Client) -> None:
    message = notification("tools/list", {"_meta": META})

    assert error_of(post(agent, message), id=None) == (400, HEADER_MISMATCH, None)
