"""The tools in an MCP server of the host: the same answers, with the actor and origin of the host."""

from collections.abc import Callable
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from pytest_django import Settings

from blog_engine.actor import Actor, Scope
from blog_engine.mcp import Tool, definitions
from blog_engine.models import ApiToken, Revision
from tests.mcp.parity import REFUSALS, SUCCESSES
from tests.requirements import requirement
from tests.support.blogs import named
from tests.support.clients import ask, call_tool, client_with
from tests.support.databases import align_ids
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import Locked, failing, stored_beside_tokens, undone

TOOLS = {tool.name: tool for tool in definitions()}
EDITOR = Actor("Ada")

each_tool = pytest.mark.parametrize("tool", definitions(), ids=lambda tool: tool.name)


def refusal(answer: dict[str, Any]) -> tuple[str, list[str]]:
    assert answer.keys() == {"error"}
    assert answer["error"].keys() == {"code", "message", "details"}
    assert answer["error"]["message"]
    return answer["error"]["code"], answer["error"]["details"]


@requirement("agents.definitions")
def test_they_are_those_of_the_endpoint(agent: Client) -> None:
    found = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": dict(tool.annotations),
        }
        for tool in definitions()
    ]

    assert found == ask(agent, "tools/list")["tools"]
    assert {tool.scope for tool in definitions()} == {*Scope, None}


@pytest.mark.usefixtures("small")
@requirement("agents.definitions")
@each_tool
def test_a_call_returns_and_stores_what_the_endpoint_does(tool: Tool, subtests: pytest.Subtests) -> None:
    for cases in (SUCCESSES, REFUSALS):
        case = next(case for case in cases if case.tool == tool.name)
        with subtests.test(case.what):
            client, arguments = client_with(*case.scopes), named(case.arguments)
            with undone():
                align_ids()
                expected = call_tool(client, tool.name, arguments)["structuredContent"], stored_beside_tokens()

            with undone():
                align_ids()
                actor = Actor("Ada", scopes=case.scopes, id=ApiToken.objects.latest("id").actor_id)
                found = (
                    tool.call(MappingProxyType(arguments), actor, "https://elsewhere.example"),
                    stored_beside_tokens(),
                )

            assert found == expected


@pytest.mark.django_db
@requirement("agents.definitions")
def test_without_an_actor_nothing_is_answered() -> None:
    assert [refusal(tool.call({}, None)) for tool in definitions()] == [("unauthenticated", [])] * len(definitions())


@pytest.mark.django_db
@requirement("agents.definitions")
@pytest.mark.parametrize("arguments", [[], ["id"], "[]", "{", 3, True, {1: "id"}, {"id": 1, None: 2}], ids=repr)
def test_arguments_that_are_no_object_are_refused(arguments: object) -> None:
    for tool in definitions():
        assert refusal(tool.call(arguments, EDITOR)) == ("validation_failed", ["arguments"])
        assert refusal(tool.call(arguments, None)) == ("unauthenticated", [])


@pytest.mark.django_db
@requirement("agents.definitions")
@pytest.mark.parametrize(
    ("public", "given", "origin"),
    [
        ("https://blog.example", None, "https://blog.example"),
        ("https://blog.example", "https://host.example", "https://blog.example"),
        (None, "https://host.example", "https://host.example"),
        (None, "https://host.example:8443/", "https://host.example:8443"),
        (None, None, "http://localhost"),
        (None, "", "http://localhost"),
    ],
)
def test_urls_have_the_public_origin_or_the_given_one(
    settings: Settings, public: str | None, given: str | None, origin: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=public)
    save(slug="fog")

    answer = TOOLS["blog_get_post"].call({"id": "fog"}, EDITOR, base_url=given)

    assert answer["url"] == f"{origin}/blog/fog"
    assert answer["preview_url"].startswith(f"{origin}/blog/preview/")


@pytest.mark.django_db
@requirement("agents.definitions")
def test_the_actor_is_in_the_history_and_needs_no_token() -> None:
    answer = TOOLS["blog_publish_post"].call({"title": "Fog"}, Actor("Newsroom", scopes=["publish", "write"]))

    assert answer["post"]["status"] == "published"
    assert Revision.objects.get().actor == "Newsroom"


@pytest.mark.django_db
@requirement("agents.definitions")
def test_the_scopes_of_the_actor_count() -> None:
    reader = Actor("Reader", scopes=["read"])

    assert refusal(TOOLS["blog_save_draft"].call({"title": "Fog"}, reader)) == ("scope_required", ["write"])
    assert TOOLS["blog_list_posts"].call({}, reader)["total"] == 0


@pytest.mark.django_db
@requirement("agents.definitions")
@pytest.mark.parametrize(("cause", "code"), [(Locked("locked"), "busy"), (None, "unavailable")])
@pytest.mark.parametrize(("name", "arguments"), [("blog_list_posts", {}), ("blog_save_draft", {"title": "Fog"})])
def test_a_failing_database_is_returned_as_an_error(
    name: str, arguments: dict[str, Any], cause: Exception | None, code: str
) -> None:
    with failing(table="", cause=cause):
        answer = TOOLS[name].call(arguments, EDITOR)

    assert refusal(answer) == (code, [])


@pytest.mark.django_db
@requirement("agents.definitions")
def test_a_bug_is_not_hidden_in_an_answer() -> None:
    def fail(execute: Callable[..., Any], *rest: Any) -> Any:
        raise ZeroDivisionError

    with connection.execute_wrapper(fail), pytest.raises(ZeroDivisionError):
        TOOLS["blog_list_posts"].call({}, EDITOR)


@requirement("agents.definitions")
@pytest.mark.django_db
def test_an_actor_can_be_any_object_with_a_name_and_scopes() -> None:
    desk = SimpleNamespace(name="News desk", scopes=["write", "of the host's own"])

    drafted = TOOLS["blog_save_draft"].call({"title": "Frost"}, desk)
    published = TOOLS["blog_publish_post"].call({"id": "frost"}, desk)

    assert drafted["created"] is True
    assert refusal(published) == ("scope_required", ["publish"])


@pytest.mark.parametrize("actor", [object(), SimpleNamespace(name=" "), SimpleNamespace(name="x" * 256)])
def test_an_actor_without_a_name_is_the_hosts_own_mistake(actor: object) -> None:
    with pytest.raises(ImproperlyConfigured):
        TOOLS["blog_list_posts"].call({}, actor)
