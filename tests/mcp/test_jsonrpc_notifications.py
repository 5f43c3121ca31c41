"""Notifications are accepted, run, and never answered (service.md 4.2; mcp.md 1)."""

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.mcp.speaking import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    META,
    error_of,
    notification,
    post,
    stateless,
)
from tests.requirements import requirement

pytestmark = pytest.mark.django_db


@requirement("mcp:notification")
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "no/such", "ping", "initialize"]
)
def test_a_notification_is_accepted_without_an_answer(agent: Client, method: str) -> None:
    answers = [post(agent, notification(method)), post(agent, *stateless(notification(method)))]

    for answer in answers:
        assert (answer.status_code, answer.content) == (202, b"")
        assert "Content-Type" not in answer.headers


@requirement("mcp:notification")
@pytest.mark.parametrize("described", [False, True])
def test_a_notification_of_a_tool_runs_it(agent: Client, described: bool) -> None:
    message = notification("tools/call", {"name": "blog_save_draft", "arguments": {"title": "Frost"}})

    answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert (answer.status_code, answer.content) == (202, b"")
    assert [row.title for row in Post.objects.all()] == ["Frost"]


@requirement("mcp:notification")
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 1},
        {"name": "blog_none"},
        {"name": "blog_save_draft", "arguments": []},
        {"name": "blog_save_draft", "arguments": {"title": ""}},
        {"name": "blog_get_post", "arguments": {"id": "none"}},
    ],
)
def test_a_notification_of_a_tool_that_fails_is_accepted_too(agent: Client, params: object) -> None:
    answer = post(agent, notification("tools/call", params))

    assert (answer.status_code, answer.content) == (202, b"")
    assert not Post.objects.exists()


@requirement("mcp:notification")
@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        ({"jsonrpc": "1.0", "method": "ping"}, 200, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": 1}, 200, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": "tools/call", "params": []}, 200, INVALID_PARAMS),
        ({"jsonrpc": "2.0", "method": "tools/list", "params": {"_meta": META}}, 400, -32020),
    ],
)
def test_what_is_no_proper_notification_is_told(agent: Client, message: object, status: int, code: int) -> None:
    assert error_of(post(agent, message), id=None) == (status, code, None)
