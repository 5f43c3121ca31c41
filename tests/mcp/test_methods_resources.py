"""The text of a post as the resource ``blog://posts/{slug}.md``, and the skills beside it."""

import json
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.mcp.test_skills import NAMES, SKILLS, front_matter
from tests.requirements import requirement
from tests.support.clients import (
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    ask,
    client_with,
    error_of,
    post,
    request,
    result_of,
    stateless,
)
from tests.support.factories import publish, remove, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def address(slug: str) -> str:
    return f"blog://posts/{slug}.md"


def read(client: Client, uri: object, *, described: bool = False) -> HttpResponse:
    message = request("resources/read", {"uri": uri})
    return post(client, *stateless(message)) if described else post(client, message)


@requirement("agents.resources.lists")
def test_templates_describe_the_uris_of_posts_and_skills(agent: Client) -> None:
    templates = ask(agent, "resources/templates/list")["resourceTemplates"]

    assert {tuple(template) for template in templates} == {("uriTemplate", "name", "title", "description", "mimeType")}
    assert [(template["uriTemplate"], template["mimeType"]) for template in templates] == [
        ("blog://posts/{slug}.md", "text/markdown"),
        ("skill://{name}/SKILL.md", "text/markdown"),
    ]


@requirement("agents.resources.lists")
def test_the_skills_are_listed_and_the_posts_are_not() -> None:
    publish(save(slug="frost").post, now=timezone.now())

    listed = ask(client_with(), "resources/list")["resources"]

    assert [resource["uri"] for resource in listed] == [f"skill://{name}/SKILL.md" for name in NAMES]
    assert listed[1] == {
        "uri": "skill://publish/SKILL.md",
        "name": "publish",
        "title": "Publish",
        "description": front_matter("publish")["description"],
        "mimeType": "text/markdown",
        "size": (SKILLS / "publish" / "SKILL.md").stat().st_size,
    }


@requirement("agents.skills.read")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_skill_is_read_as_its_file_without_a_scope(name: str, described: bool) -> None:
    uri = f"skill://{name}/SKILL.md"

    (content,) = result_of(read(client_with(), uri, described=described))["contents"]

    assert content["text"].encode() == (SKILLS / name / "SKILL.md").read_bytes()
    assert (content["uri"], content["mimeType"]) == (uri, "text/markdown")


def for_agents(text: str) -> str:
    """The text that readers get, without its last line: the link to the history."""
    return text[: text.index("\n[", text.index("https://example.com/blog/frost"))]


@requirement("agents.resources")
@pytest.mark.parametrize("described", [False, True])
def test_a_public_post_is_read_as_readers_get_it(agent: Client, described: bool) -> None:
    publish(save(slug="frost", title="Frost", body="Cold — *ice*.").post, now=timezone.now())
    public = for_agents(Client().get("/blog/frost.md").content.decode())

    result = result_of(read(agent, address("frost"), described=described))

    assert result["contents"] == [{"uri": address("frost"), "mimeType": "text/markdown", "text": public}]
    assert "Cold — *ice*." in public


@requirement("agents.resources")
def test_the_text_is_in_the_language_of_the_blog(agent: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(locale="de")
    publish(save(slug="frost").post, now=datetime(2026, 10, 3, tzinfo=UTC))

    (content,) = result_of(read(agent, address("frost")))["contents"]

    assert "3. Oktober 2026" in content["text"]
    assert content["text"] == for_agents(Client().get("/blog/frost.md").content.decode())


@requirement("agents.resources")
def test_a_draft_is_read_too(agent: Client) -> None:
    save(slug="frost", title="Frost", body="Cold.")

    (content,) = result_of(read(agent, address("frost")))["contents"]

    assert content["text"].startswith("# Frost\n")
    assert "Cold." in content["text"]
    assert Client().get("/blog/frost.md").status_code == 404


def test_a_post_that_was_removed_is_still_stored(agent: Client) -> None:
    post = publish(save(slug="frost", title="Frost", body="Cold.").post, now=timezone.now()).post
    remove(post, now=timezone.now())

    assert "Cold." in result_of(read(agent, address("frost")))["contents"][0]["text"]


NOT_FOUND = [
    address("none"),
    address("Frost"),
    address(" frost"),
    address("fr%6Fst"),
    address("%66rost"),
    address("frost%00"),
    address("../posts/frost"),
    address("x/frost"),
    address("frost/"),
    address(""),
    address("frost\n"),
    address("frost\x00"),
    address("é"),
    address("1"),
    address("x" * 100_000),
    address("frost") + "\n",
    address("frost") + "?x=1",
    address("frost") + "#x",
    "blog://posts/frost",
    "blog://posts/frost.MD",
    "blog://posts/frost.html",
    "BLOG://posts/frost.md",
    "blog:posts/frost.md",
    "blog:///posts/frost.md",
    "blog://evil@posts/frost.md",
    "blog://posts//frost.md",
    "blog://pages/frost.md",
    "https://example.com/blog/frost.md",
    "file:///etc/passwd",
    "skill://none/SKILL.md",
    "skill://publish/skill.md",
    "skill://publish",
    "skill://publish/../update/SKILL.md",
    "SKILL://publish/SKILL.md",
    "frost",
    "",
]


@requirement("agents.resources")
@pytest.mark.parametrize("described", [False, True])
def test_the_uri_of_no_post_is_not_found(agent: Client, described: bool) -> None:
    save(slug="frost")

    answers = {uri: error_of(read(agent, uri, described=described)) for uri in NOT_FOUND}

    expected = (400, INVALID_PARAMS) if described else (200, RESOURCE_NOT_FOUND)
    assert answers == {uri: (*expected, {"uri": uri}) for uri in NOT_FOUND}


@requirement("agents.resources")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("scopes", [[], ["write"], ["write", "publish"]], ids=str)
@pytest.mark.parametrize("slug", ["frost", "none"])
def test_without_the_scope_nothing_is_found(slug: str, scopes: list[str], described: bool) -> None:
    save(slug="frost", body="Cold.")

    answer = read(client_with(*scopes), address(slug), described=described)

    expected = (400, INVALID_PARAMS) if described else (200, RESOURCE_NOT_FOUND)
    assert error_of(answer) == (*expected, {"uri": address(slug)})
    assert b"Cold" not in answer.content


@requirement("agents.resources", "agents.messages.malformed")
@pytest.mark.parametrize("uri", [None, 1, True, [], {}], ids=json.dumps)
def test_a_uri_must_be_a_string(agent: Client, uri: object) -> None:
    assert error_of(read(agent, uri)) == (200, INVALID_PARAMS, None)
    assert error_of(post(agent, request("resources/read"))) == (200, INVALID_PARAMS, None)
