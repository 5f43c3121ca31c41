"""Faulty tool calls: no name, an unknown one, or arguments that are not an object."""

import json
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import INVALID_PARAMS, call_of, client_with, error_of, post, request, stateless, tool_answer

pytestmark = pytest.mark.django_db


@requirement("agents.messages.unknown-tool")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "blog_none",
        "list_posts",
        "Blog_list_posts",
        "blog_list_posts ",
        "",
        "\x00",
        "__init__",
        "blog_doctor\n",
        "x" * 100_000,
    ],
    ids=lambda name: repr(name[:30]),
)
def test_a_tool_that_does_not_exist_is_an_error_with_its_name(agent: Client, name: str, described: bool) -> None:
    message = call_of(name, {})

    answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert error_of(answer) == (400 if described else 200, INVALID_PARAMS, {"name": name})


@requirement("agents.messages.unknown-tool")
@pytest.mark.parametrize(
    ("method", "sent", "meant"),
    [
        ("tools/call", "blog_list_post", "blog_list_posts"),
        ("tools/call", "save_draft", "blog_save_draft"),
        ("tools/call", "blog_publishpost", "blog_publish_post"),
        ("prompts/get", "policy_pages", "policy-pages"),
    ],
)
def test_the_error_for_a_misspelt_name_suggests_the_nearest(agent: Client, method: str, sent: str, meant: str) -> None:
    body = json.loads(post(agent, request(method, {"name": sent})).content)

    assert body["error"]["data"] == {"name": sent}
    assert meant in body["error"]["message"]


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("params", [{}, {"arguments": {}}, {"name": None}], ids=str)
@pytest.mark.parametrize("method", ["tools/call", "prompts/get"])
def test_a_name_is_required(agent: Client, method: str, params: dict[str, Any], described: bool) -> None:
    message = request(method, params)

    answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert error_of(answer) == (400 if described else 200, INVALID_PARAMS, None)


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("name", [1, 0, True, False, [], ["blog_list_posts"], {}], ids=json.dumps)
@pytest.mark.parametrize("method", ["tools/call", "prompts/get"])
def test_a_name_must_be_a_string(agent: Client, method: str, name: object) -> None:
    assert error_of(post(agent, request(method, {"name": name}))) == (200, INVALID_PARAMS, None)


@requirement("agents.messages.malformed")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("arguments", [[], [{}], "", "[]", "null", 0, 1, True, False], ids=json.dumps)
def test_arguments_must_be_an_object(agent: Client, arguments: object, described: bool) -> None:
    message = request("tools/call", {"name": "blog_save_draft", "arguments": arguments})

    answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert error_of(answer) == (400 if described else 200, INVALID_PARAMS, {"name": "blog_save_draft"})
    assert not Post.objects.exists()


@requirement("agents.messages.unknown-tool", "agents.messages.malformed")
def test_any_caller_gets_the_error_of_a_malformed_call() -> None:
    client = client_with()

    assert error_of(post(client, call_of("blog_none")))[1] == INVALID_PARAMS
    assert error_of(post(client, call_of("blog_list_posts", [])))[1] == INVALID_PARAMS


def test_arguments_can_be_left_out(agent: Client) -> None:
    assert tool_answer(agent, "blog_list_posts") == tool_answer(agent, "blog_list_posts", {})
