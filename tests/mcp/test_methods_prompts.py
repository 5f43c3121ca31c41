"""The six workflows as prompts."""

import pytest
from django.test import Client

from tests.mcp.test_skills import NAMES, SKILLS
from tests.requirements import requirement
from tests.support.clients import INVALID_PARAMS, ask, client_with, error_of, post, request

pytestmark = pytest.mark.django_db


@requirement("agents.prompts")
def test_the_prompts_are_listed_with_title_and_description(agent: Client) -> None:
    listed = ask(agent, "prompts/list")["prompts"]

    assert [each["name"] for each in listed] == NAMES
    assert {tuple(each) for each in listed} == {("name", "title", "description")}
    assert all(each["title"] and each["description"] for each in listed)


@requirement("agents.prompts")
@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_the_text_of_its_skill(agent: Client, name: str) -> None:
    listed = {each["name"]: each for each in ask(agent, "prompts/list")["prompts"]}
    skill = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")

    got = ask(agent, "prompts/get", {"name": name, "arguments": {}})

    assert got.keys() == {"description", "messages"}
    assert got["description"] == listed[name]["description"]
    (message,) = got["messages"]
    assert message == {"role": "user", "content": {"type": "text", "text": skill.split("---\n", 2)[2].strip()}}


@requirement("agents.prompts")
def test_an_unknown_prompt_is_an_error_with_its_name(agent: Client) -> None:
    assert error_of(post(agent, request("prompts/get", {"name": "none"}))) == (200, INVALID_PARAMS, {"name": "none"})


@requirement("agents.prompts")
def test_prompts_need_no_scope() -> None:
    client = client_with()

    assert ask(client, "prompts/list")["prompts"]
    assert ask(client, "prompts/get", {"name": "publish"})["messages"]
