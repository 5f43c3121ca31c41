"""``completion/complete``: slugs of posts and names of skills."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from blog_engine.actor import Call
from blog_engine.mcp.protocol import Exchange, VersionFamily
from blog_engine.mcp.resources import complete
from tests.mcp.test_skills import NAMES
from tests.requirements import requirement
from tests.support.clients import INVALID_PARAMS, client_with, error_of, post, request, result_of, stateless
from tests.support.factories import EDITOR, NOW, publish, save

pytestmark = pytest.mark.django_db

POSTS = {"type": "ref/resource", "uri": "blog://posts/{slug}.md"}
SKILL = {"type": "ref/resource", "uri": "skill://{name}/SKILL.md"}
PROMPT = {"type": "ref/prompt", "name": "publish"}


def asked(client: Client, reference: object, argument: object, *, described: bool = False) -> HttpResponse:
    message = request("completion/complete", {"ref": reference, "argument": argument})
    return post(client, *stateless(message)) if described else post(client, message)


def slugs(client: Client, beginning: str) -> dict[str, Any]:
    found: dict[str, Any] = result_of(asked(client, POSTS, {"name": "slug", "value": beginning}))
    return found["completion"]


@requirement("agents.completion")
@pytest.mark.parametrize("described", [False, True])
def test_slugs_of_posts_of_any_status_are_completed(agent: Client, described: bool) -> None:
    save(slug="frost-2")
    publish(save(slug="frost").post, now=timezone.now())
    save(slug="thaw")

    result = result_of(asked(agent, POSTS, {"name": "slug", "value": "fr"}, described=described))

    assert result["completion"] == {"values": ["frost", "frost-2"], "hasMore": False}


@requirement("agents.completion")
@pytest.mark.parametrize(
    ("beginning", "expected"),
    [
        ("", ["a-b", "a_b"]),
        ("A", ["a-b", "a_b"]),
        ("a_", ["a_b"]),
        ("b", []),
        ("%", []),
        ("a%", []),
        ("é", []),
        ("\x00", []),
        ("\ud800", []),
        (" ", []),
        ("a" * 100_000, []),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_a_slug_begins_with_exactly_the_value(agent: Client, beginning: str, expected: list[str]) -> None:
    save(slug="a-b")
    save(slug="a_b")

    assert sorted(slugs(agent, beginning)["values"]) == sorted(expected)


@requirement("agents.completion")
@pytest.mark.heavy
def test_at_most_a_hundred_slugs_are_returned_from_one_query(
    agent: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(102):
        save(slug=f"frost-{number:03}")
    exchange = Exchange(VersionFamily.HANDSHAKE, Call(EDITOR, NOW, base_url="https://example.com"), None)

    with django_assert_num_queries(1):
        result = complete({"ref": POSTS, "argument": {"name": "slug", "value": "frost"}}, exchange)

    assert result["completion"] == {"values": [f"frost-{number:03}" for number in range(100)], "hasMore": True}
    assert slugs(agent, "frost-00")["hasMore"] is False


@requirement("agents.completion")
@pytest.mark.parametrize("scopes", [[], ["write", "publish"]], ids=str)
@pytest.mark.parametrize("described", [False, True])
def test_slugs_need_the_scope_read(scopes: list[str], described: bool) -> None:
    save(slug="frost")

    answer = asked(client_with(*scopes), POSTS, {"name": "slug", "value": "f"}, described=described)

    assert error_of(answer) == (400 if described else 200, INVALID_PARAMS, {"uri": POSTS["uri"]})
    assert b"frost" not in answer.content


@requirement("agents.completion")
@pytest.mark.parametrize(
    ("beginning", "expected"),
    [("", NAMES), ("p", ["publish", "policy-pages"]), ("Pub", ["publish"]), ("x", [])],
)
def test_names_of_skills_need_no_scope(beginning: str, expected: list[str]) -> None:
    result = result_of(asked(client_with(), SKILL, {"name": "name", "value": beginning}))

    assert result["completion"] == {"values": expected, "hasMore": False}


@requirement("agents.completion")
@pytest.mark.parametrize("reference", [PROMPT, POSTS, SKILL], ids=json.dumps)
def test_an_argument_that_does_not_exist_has_no_values(agent: Client, reference: object) -> None:
    result = result_of(asked(agent, reference, {"name": "none", "value": ""}))

    assert result["completion"] == {"values": [], "hasMore": False}


@requirement("agents.completion", "agents.messages.malformed")
@pytest.mark.parametrize(
    ("reference", "argument", "data"),
    [
        (None, {"name": "slug", "value": ""}, None),
        ("blog://posts/{slug}.md", {"name": "slug", "value": ""}, None),
        ({"type": "ref/tool", "name": "blog_get_post"}, {"name": "id", "value": ""}, None),
        ({"type": ["ref/prompt"]}, {"name": "id", "value": ""}, None),
        ({"type": "ref/prompt"}, {"name": "x", "value": ""}, None),
        ({"type": "ref/prompt", "name": "none"}, {"name": "x", "value": ""}, {"name": "none"}),
        ({"type": "ref/resource"}, {"name": "slug", "value": ""}, None),
        ({"type": "ref/resource", "uri": "x://{y}"}, {"name": "y", "value": ""}, {"uri": "x://{y}"}),
        (POSTS, None, None),
        (POSTS, {"name": "slug"}, None),
        (POSTS, {"name": "slug", "value": 1}, None),
        (POSTS, {"value": ""}, None),
    ],
    ids=json.dumps,
)
def test_a_faulty_request_is_invalid(agent: Client, reference: object, argument: object, data: object) -> None:
    assert error_of(asked(agent, reference, argument)) == (200, INVALID_PARAMS, data)
