"""The skills of the extension ``io.modelcontextprotocol/skills`` (SEP-2640)."""

import hashlib
import json
import re

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.mcp.test_skills import NAMES, SKILLS, front_matter
from tests.requirements import requirement
from tests.support.clients import INVALID_PARAMS, ask, client_with, error_of, post, request, result_of, stateless

pytestmark = pytest.mark.django_db


def get(client: Client, uri: object, *, described: bool = False) -> HttpResponse:
    message = request("skills/get", {"uri": uri})
    return post(client, *stateless(message)) if described else post(client, message)


@requirement("agents.skills")
def test_a_skill_is_listed_with_its_front_matter_and_the_digest_of_its_file() -> None:
    listed = ask(client_with(), "skills/list")["skills"]

    for name, skill in zip(NAMES, listed, strict=True):
        file = (SKILLS / name / "SKILL.md").read_bytes()
        uri = f"skill://{name}/SKILL.md"
        digest = f"sha256:{hashlib.sha256(file).hexdigest()}"
        assert skill == {
            "uri": uri,
            "frontmatter": front_matter(name),
            "resources": [{"uri": uri, "digest": digest, "size": len(file)}],
        }


@requirement("agents.skills")
@pytest.mark.parametrize("described", [False, True])
def test_a_skill_is_got_as_it_is_listed(described: bool) -> None:
    client = client_with()

    for skill in ask(client, "skills/list")["skills"]:
        assert result_of(get(client, skill["uri"], described=described))["skill"] == skill


@requirement("agents.skills")
def test_what_is_read_has_the_listed_digest_and_size(agent: Client) -> None:
    for skill in ask(agent, "skills/list")["skills"]:
        (file,) = skill["resources"]
        (content,) = ask(agent, "resources/read", {"uri": file["uri"]})["contents"]
        got = content["text"].encode()
        assert (f"sha256:{hashlib.sha256(got).hexdigest()}", len(got)) == (file["digest"], file["size"])


@requirement("agents.skills")
def test_names_are_those_of_the_agent_skills_specification() -> None:
    assert [name for name in NAMES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []


@requirement("agents.skills.unknown")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize(
    "uri", ["skill://none/SKILL.md", "skill://publish", "skill://publish/", "blog://posts/frost.md", "publish", ""]
)
def test_an_unknown_skill_is_an_error_with_its_uri(agent: Client, uri: str, described: bool) -> None:
    assert error_of(get(agent, uri, described=described)) == (400 if described else 200, INVALID_PARAMS, {"uri": uri})


@requirement("agents.skills.unknown", "agents.messages.malformed")
@pytest.mark.parametrize("uri", [None, 1, True, [], {}], ids=json.dumps)
def test_the_uri_of_a_skill_must_be_a_string(agent: Client, uri: object) -> None:
    assert error_of(get(agent, uri)) == (200, INVALID_PARAMS, None)
    assert error_of(post(agent, request("skills/get"))) == (200, INVALID_PARAMS, None)
