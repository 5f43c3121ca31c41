"""Stateless results are those of the handshake versions, with caching hints."""

from typing import Any

import pytest
from django.test import Client

from tests.requirements import requirement
from tests.support.clients import META, call_of, post, request, result_of, stateless
from tests.support.factories import save

pytestmark = pytest.mark.django_db

CACHED = {"ttlMs": 3_600_000, "cacheScope": "private"}
RESULTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "server/discover": ({}, CACHED),
    "tools/list": ({}, CACHED),
    "prompts/list": ({}, CACHED),
    "resources/list": ({}, CACHED),
    "resources/templates/list": ({}, CACHED),
    "skills/list": ({}, CACHED),
    "skills/get": ({"uri": "skill://publish/SKILL.md"}, CACHED),
    "resources/read": ({"uri": "blog://posts/frost.md"}, {"ttlMs": 0, "cacheScope": "private"}),
    "tools/call": ({"name": "blog_list_posts"}, {}),
    "prompts/get": ({"name": "publish"}, {}),
    "completion/complete": (
        {
            "ref": {"type": "ref/resource", "uri": "blog://posts/{slug}.md"},
            "argument": {"name": "slug", "value": "f"},
        },
        {},
    ),
}


@requirement("agents.stateless.results")
@pytest.mark.parametrize(("method", "params", "caching"), [(key, *value) for key, value in RESULTS.items()])
def test_a_stateless_result_is_complete_and_says_how_long_it_keeps(
    agent: Client, method: str, params: dict[str, Any], caching: dict[str, Any]
) -> None:
    save(slug="frost")

    result = result_of(post(agent, *stateless(request(method, params))))

    marks = {key: value for key, value in result.items() if key in {"resultType", "ttlMs", "cacheScope"}}
    assert marks == {"resultType": "complete"} | caching
    assert type(result.get("ttlMs", 0)) is int


@requirement("agents.stateless.results")
@pytest.mark.parametrize(("method", "params"), [(key, value[0]) for key, value in RESULTS.items() if "disc" not in key])
def test_results_are_otherwise_the_same_with_handshake_versions(
    agent: Client, method: str, params: dict[str, Any]
) -> None:
    save(slug="frost")

    newer = result_of(post(agent, *stateless(request(method, params))))
    older = result_of(post(agent, request(method, params)))

    assert {key: value for key, value in newer.items() if key not in {"resultType", "ttlMs", "cacheScope"}} == older


@requirement("agents.stateless.results")
def test_a_refusal_is_a_complete_result_too(agent: Client) -> None:
    result = result_of(post(agent, *stateless(call_of("blog_get_post", {"id": "none"}))))

    assert (result["resultType"], result["isError"]) == ("complete", True)
    assert result["structuredContent"]["error"]["code"] == "not_found"


def test_meta_does_not_reach_the_tool(agent: Client) -> None:
    message, headers = stateless(call_of("blog_list_posts", {"_meta": dict(META)}))

    assert result_of(post(agent, message, headers))["structuredContent"]["error"]["details"] == ["_meta"]
