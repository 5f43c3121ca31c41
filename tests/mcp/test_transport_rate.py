"""Each request costs one unit of the rate limit that the API and the endpoint share."""

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    MCP,
    ask,
    call_of,
    client_with,
    notification,
    post,
    refusal_in,
    request,
    result_of,
    stateless,
)
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

PING = request("ping")
POSTS = "/blog/api/v1/posts"
SAVE = call_of("blog_save_draft", {"title": "Frost"})
TOO_MANY = (429, "rate_limited", [])

# One window of the counters.
at_noon = time_machine.travel("2030-01-01T12:00:00Z", tick=False)


@pytest.fixture
def two_an_hour(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(api_rate_limit="2/h")


def counters(answer: HttpResponse) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.lower().startswith("ratelimit")}


@requirement("agents.rate", "agents.transport-refusals")
@pytest.mark.usefixtures("two_an_hour")
@at_noon
def test_past_the_limit_a_caller_has_to_wait(db: None) -> None:
    client = client_with("read", "write")

    answers = [post(client, PING), post(client, *stateless(SAVE)), post(client, PING)]
    late = post(client, notification("tools/call", SAVE["params"]))

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert refusal_in(answers[2]) == refusal_in(late) == TOO_MANY
    assert [counters(answer) for answer in [*answers, late]] == [
        {"RateLimit-Limit": "2", "RateLimit-Remaining": remaining, "RateLimit-Reset": answers[0]["RateLimit-Reset"]}
        for remaining in ("1", "0", "0", "0")
    ]
    assert late.headers["Retry-After"] == late.headers["RateLimit-Reset"]
    assert 1 <= int(late.headers["Retry-After"]) <= 3600
    assert Post.objects.count() == 1


@pytest.fixture
def past_the_limit(two_an_hour: None) -> Iterator[Client]:
    """Return a client that has used up its requests for an hour."""
    with at_noon:
        client = client_with("read", "write")
        assert [post(client, PING).status_code for _ in range(3)] == [200, 200, 429]
        yield client


@requirement("agents.rate.tools")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("id", [0, "a", "\ud83c"], ids=ascii)
def test_past_the_limit_a_called_tool_says_how_long_to_wait(
    past_the_limit: Client, described: bool, id: object
) -> None:
    message = SAVE | {"id": id}

    answer = post(past_the_limit, *stateless(message)) if described else post(past_the_limit, message)

    result = result_of(answer, id=id)
    seconds = answer.headers["RateLimit-Reset"]
    error = result["structuredContent"]["error"]
    assert (result["isError"], error["code"], error["details"]) == (True, "rate_limited", [])
    assert f"Wait {seconds} seconds" in error["message"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result.get("resultType") == ("complete" if described else None)
    assert answer.headers["Retry-After"] == seconds
    assert answer.headers["RateLimit-Remaining"] == "0"
    assert not Post.objects.exists()


NO_CALLS: dict[str, tuple[Any, Mapping[str, str]]] = {
    "another method": (request("tools/list"), {}),
    "initialize": (request("initialize", {"protocolVersion": "2025-06-18"}), {}),
    "unknown method": (request("none"), {}),
    "notification": (notification("tools/call", SAVE["params"]), {}),
    "unknown tool": (call_of("blog_none"), {}),
    "faulty arguments": (call_of("blog_save_draft", []), {}),
    "faulty id": (SAVE | {"id": None}, {}),
    "batch": ([SAVE], {}),
    "not json": ("{", {}),
    "empty": (b"", {}),
    "stateless without its headers": (stateless(SAVE)[0], {}),
    "compressed": (SAVE, {"Content-Encoding": "br"}),
}


@requirement("agents.rate.tools", "agents.order")
@pytest.mark.parametrize(("message", "headers"), NO_CALLS.values(), ids=NO_CALLS)
def test_past_the_limit_everything_else_is_429(
    past_the_limit: Client, message: object, headers: Mapping[str, str]
) -> None:
    answer = post(past_the_limit, message, headers)

    assert refusal_in(answer) == TOO_MANY
    assert answer.headers["Retry-After"] == answer.headers["RateLimit-Reset"]


@requirement("agents.rate")
@pytest.mark.usefixtures("two_an_hour")
@pytest.mark.parametrize("order", ["api first", "endpoint first"])
@at_noon
def test_the_limit_is_the_one_of_the_api(order: str) -> None:
    client = client_with("read")
    calls = [lambda: client.get(POSTS), lambda: post(client, PING)]

    answers = [call() for call in (calls if order == "api first" else reversed(calls))]

    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["1", "0"]
    assert refusal_in(client.get(POSTS)) == refusal_in(post(client, PING)) == TOO_MANY


@requirement("agents.rate")
@pytest.mark.usefixtures("two_an_hour")
@at_noon
def test_another_token_has_a_limit_of_its_own() -> None:
    first, second = client_with("read"), client_with("read")

    answers = [post(client, PING).status_code for client in (first, first, first, second)]

    assert answers == [200, 200, 429, 200]


MESSAGES = {
    "result": PING,
    "tool": call_of("blog_list_posts"),
    "tool of two operations": call_of("blog_get_page_views", {}),
    "refused tool": call_of("blog_get_post", {"id": "none"}),
    "tool without the scope": call_of("blog_remove_post", {"id": 1}),
    "unknown tool": call_of("blog_none"),
    "unknown method": request("none"),
    "initialize": request("initialize", {"protocolVersion": "2025-06-18"}),
    "notification": notification("notifications/initialized"),
    "notification of a tool": notification("tools/call", {"name": "blog_list_posts"}),
    "batch": [PING, PING, PING],
    "not json": "{",
    "empty": b"",
    "stateless with faults": PING | {"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "x"}}},
}


@requirement("agents.rate")
@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
@at_noon
def test_every_message_costs_one_unit(message: object) -> None:
    client = client_with("read")
    before, answer, after = post(client, PING), post(client, message), post(client, PING)

    left = [int(each.headers["RateLimit-Remaining"]) for each in (before, answer, after)]
    assert left == [left[0], left[0] - 1, left[0] - 2]
    assert counters(answer).keys() == {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}


@requirement("agents.rate")
@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/json", "headers": {"Content-Encoding": "br"}}, 415),
        ({"content_type": "application/json", "CONTENT_LENGTH": str(10**9)}, 413),
        ({"content_type": "application/json", "CONTENT_LENGTH": "100", "wsgi.input": BytesIO(b"{}")}, 422),
    ],
)
@at_noon
def test_a_body_that_is_refused_costs_one_unit(how: dict[str, Any], status: int) -> None:
    client = client_with("read")
    before, answer = post(client, PING), client.generic("POST", MCP, "{}", **how)

    assert answer.status_code == status
    assert int(answer.headers["RateLimit-Remaining"]) == int(before.headers["RateLimit-Remaining"]) - 1


@requirement("agents.rate")
@pytest.mark.parametrize("headers", [{"Origin": "null"}, {"Authorization": "Bearer be_wrong"}])
@at_noon
def test_who_is_refused_before_costs_nothing(headers: dict[str, str]) -> None:
    client = client_with("read")
    before, answer, after = post(client, PING), post(client, PING, headers), post(client, PING)

    assert answer.status_code in {401, 403}
    assert counters(answer) == {}
    assert int(after.headers["RateLimit-Remaining"]) == int(before.headers["RateLimit-Remaining"]) - 1


def test_a_host_that_does_not_count_sends_no_counters(settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = False

    answer = post(client_with("read", "write"), SAVE)

    assert result_of(answer)["isError"] is False
    assert counters(answer) == {}


@requirement("agents.transport-refusals", "agents.unauthenticated")
@at_noon
def test_too_many_wrong_tokens_are_429(agent: Client) -> None:
    wrong = {"Authorization": "Bearer be_wrong"}

    answers = [post(Client(), PING, wrong) for _ in range(21)]

    assert {answer.status_code for answer in answers[:20]} == {401}
    assert refusal_in(answers[20]) == TOO_MANY
    assert int(answers[20].headers["Retry-After"]) in range(1, 61)
    assert counters(answers[20]) == {}
    assert ask(agent, "ping") == {}
