"""One path below the mount, for POST and for callers with a token only, whatever the host."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    MCP,
    ask,
    call_of,
    client_with,
    make_secret,
    notification,
    post,
    refusal_in,
    request,
    result_of,
    stateless,
    tool_answer,
    tool_refusal,
)
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

PING = request("ping")
SAVE = call_of("blog_save_draft", {"title": "Frost"})
STRANGE = {"Origin": "https://evil.example", "Authorization": "Basic eDp5"}


@pytest.fixture
def disabled(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(mcp={"enabled": False})


@requirement("agents.url")
@pytest.mark.parametrize("slash", ["", "/"])
def test_the_endpoint_is_under_the_mount_with_and_without_a_slash(place: tuple[str, str], slash: str) -> None:
    mount, script_name = place
    client = Client(headers={"Authorization": f"Bearer {make_secret()}"}, SCRIPT_NAME=script_name)

    draft = result_of(post(client, SAVE, path=f"{mount}/mcp{slash}"))

    preview_url = draft["structuredContent"]["post"]["preview_url"]
    assert preview_url.startswith(f"https://example.com{script_name}{mount}/preview/")
    assert reverse("blog_engine:mcp") == f"{script_name}{mount}/mcp"


@requirement("agents.url")
@pytest.mark.parametrize("path", ["/blog/mcp//", "/blog/mcp/x", "/blog/mcpx", "/blog/MCP", "/mcp"])
def test_nothing_else_is_the_endpoint(agent: Client, path: str) -> None:
    answer = post(agent, SAVE, path=path)

    # The path could be a post, whose view answers 405.
    assert (answer.status_code, answer.headers.get("Allow")) in {(404, None), (405, "GET, HEAD")}
    assert not Post.objects.exists()


@requirement("agents.url")
def test_a_query_changes_nothing(agent: Client) -> None:
    assert result_of(post(agent, PING, path=f"{MCP}?format=xml&token=x")) == {}


@requirement("agents.disabled", "agents.transport-refusals")
@pytest.mark.usefixtures("disabled")
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("method", ["POST", "GET", "PUT", "DELETE", "OPTIONS"])
def test_a_disabled_endpoint_is_not_found_whatever_is_sent(method: str, slash: str) -> None:
    answer = Client().generic(method, MCP + slash, "{", content_type="text/plain", headers=STRANGE)

    assert refusal_in(answer) == (404, "not_found", [])
    assert "Allow" not in answer.headers


@requirement("agents.disabled")
def test_a_disabled_endpoint_is_not_found_for_its_users_either(agent: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(mcp={"enabled": False}, api_rate_limit="1/h")

    answers = [post(agent, SAVE) for _ in range(3)]

    assert [refusal_in(answer) for answer in answers] == [(404, "not_found", [])] * 3
    assert not Post.objects.exists()


def test_a_get_of_the_old_event_stream_is_refused_too(agent: Client) -> None:
    answer = agent.get(MCP, headers={"Accept": "text/event-stream", "Last-Event-ID": "1", "Mcp-Session-Id": "x"})

    assert (answer.status_code, answer.headers["Allow"], answer.content) == (405, "POST", b"")


@requirement("agents.json")
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "text/html", "nonsense", ""])
def test_whatever_is_accepted_the_answer_is_json(agent: Client, accept: str) -> None:
    assert result_of(post(agent, PING, {"Accept": accept})) == {}


@requirement("agents.private")
def test_no_session_is_opened_and_one_that_is_sent_is_ignored(agent: Client) -> None:
    hello = post(agent, request("initialize", {"protocolVersion": "2025-06-18"}), {"Mcp-Session-Id": "made-up"})

    assert result_of(hello)["protocolVersion"] == "2025-06-18"
    assert "Mcp-Session-Id" not in hello.headers
    assert tool_answer(agent, "blog_list_posts")["posts"] == []


def every_kind_of_answer(client: Client) -> dict[str, Any]:
    """Return a response of each kind, by its name."""
    wrong = {"Authorization": "Bearer be_wrong"}
    return {
        "result": post(client, PING),
        "stateless result": post(client, *stateless(request("tools/list"))),
        "refused tool": post(client, call_of("blog_get_post", {"id": "none"})),
        "error": post(client, request("no/such")),
        "stateless error": post(client, *stateless(request("no/such"))),
        "batch": post(client, []),
        "notification": post(client, {"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "not json": post(client, "{"),
        "method": client.get(MCP),
        "origin": post(client, PING, {"Origin": "null"}),
        "no token": Client().post(MCP, {}, content_type="application/json"),
        "wrong token": post(client, PING, wrong),
        "media type": client.post(MCP, "{}", content_type="text/plain"),
        "encoding": post(client, PING, {"Content-Encoding": "gzip"}),
    }


@requirement("agents.private")
def test_no_answer_of_any_kind_is_kept_or_sets_a_cookie(agent: Client) -> None:
    answers = every_kind_of_answer(agent)

    assert {kind: answer.status_code for kind, answer in answers.items()} == {
        "result": 200,
        "stateless result": 200,
        "refused tool": 200,
        "error": 200,
        "stateless error": 404,
        "batch": 400,
        "notification": 202,
        "not json": 200,
        "method": 405,
        "origin": 403,
        "no token": 401,
        "wrong token": 401,
        "media type": 415,
        "encoding": 415,
    }
    for answer in answers.values():
        assert answer.headers["Cache-Control"] == "no-store"
        assert not answer.cookies
        assert not [name for name in answer.headers if name.startswith("Access-Control")]


UNKNOWN = (401, "unauthenticated", [])


@requirement("agents.unauthenticated")
def test_a_stateless_request_needs_a_token() -> None:
    message, headers = stateless(SAVE)

    answers = [post(Client(), message, headers | sent) for sent in ({}, {"Authorization": "Bearer be_wrong"})]

    assert [refusal_in(answer) for answer in answers] == [UNKNOWN] * 2
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
def test_a_token_without_any_scope_is_a_caller_all_the_same() -> None:
    client = client_with()

    assert ask(client, "ping") == {}
    assert ask(client, "tools/list")["tools"]
    assert tool_refusal(client, "blog_list_posts") == ("scope_required", ["read"])


@requirement("agents.unauthenticated", "agents.messages.notification")
def test_a_notification_without_a_token_runs_nothing() -> None:
    answer = post(Client(), notification("tools/call", SAVE["params"]))

    assert refusal_in(answer) == UNKNOWN
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
def test_nothing_in_a_request_makes_a_caller_of_the_engine_itself() -> None:
    described, headers = stateless(SAVE)
    described["params"]["_meta"] |= {"actor": "blog_doctor", "scopes": ["read", "write", "publish"]}
    forged = {"X-Actor": "blog_doctor", "X-Scopes": "read write publish", "X-Remote-User": "x", "Remote-User": "x"}

    assert refusal_in(post(Client(), described, headers | forged)) == UNKNOWN
