"""Each request costs one unit of the rate limit that the API and the endpoint share."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    call_of,
    client_with,
    counters,
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
SAVE = call_of("blog_save_draft", {"title": "Frost"})
TOO_MANY = (429, "rate_limited", [])

# One window of the counters.
at_noon = time_machine.travel("2030-01-01T12:00:00Z", tick=False)


@pytest.fixture
def two_an_hour(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(api_rate_limit="2/h")


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
@at_noon
def test_a_foreign_origin_costs_nothing() -> None:
    client = client_with("read")
    before, answer, after = post(client, PING), post(client, PING, {"Origin": "null"}), post(client, PING)

    assert answer.status_code == 403
    assert counters(answer) == {}
    assert int(after.headers["RateLimit-Remaining"]) == int(before.headers["RateLimit-Remaining"]) - 1


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
