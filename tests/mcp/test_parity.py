"""Every tool returns the answer of its API call, and stores the same, with random arguments too.

``BLOG_ENGINE_FUZZ`` is the number of rounds of 40 calls, ``BLOG_ENGINE_SEED`` the number of the first one.
"""

import os
import random
import secrets
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pytest_django import Settings

from blog_engine.mcp import Tool, definitions
from tests.contract.random_requests import Known
from tests.mcp.parity import ALL, CASES, REFUSALS, SUCCESSES, by_api, by_tool
from tests.mcp.random_messages import look, random_call
from tests.requirements import requirement
from tests.support.blogs import named
from tests.support.clients import client_with
from tests.support.hosts import blog_settings
from tests.support.tables import undone


@requirement("agents.tools.parity")
def test_every_tool_is_tried_and_refused_at_least_once() -> None:
    names = {tool.name for tool in definitions()}

    assert names - {case.tool for case in SUCCESSES} == set()
    assert names - {case.tool for case in REFUSALS} == set()


@pytest.mark.usefixtures("small")
@requirement(
    "agents.tools.parity",
    "agents.tools.results",
    "agents.tools.conforming",
    "agents.tools.empty",
    "agents.tools.argument-faults",
    "agents.tools.missing-scope",
    "agents.tools.ways",
)
@pytest.mark.parametrize("tool", definitions(), ids=lambda tool: tool.name)
def test_a_tool_returns_and_stores_what_the_api_does(
    tool: Tool, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The secret of an upload ticket.
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: "a" * size)
    for case in (case for case in CASES if case.tool == tool.name):
        with subtests.test(case.what):
            client, arguments = client_with(*case.scopes), named(case.arguments)

            with undone():
                found = by_tool(client, tool.name, arguments)
            with undone():
                expected = by_api(client, tool.name, arguments)

            assert found == expected
            error = found.answer.get("error")
            assert (error and (error["code"], error["details"])) == case.refusal
            Draft202012Validator(tool.output_schema).validate(found.answer)


def object_to_everything(post: object, context: object) -> list[str]:
    """A host's ``before_publish``."""
    return ["Not on a Saturday.", "Ask Zoë first."]


@pytest.mark.usefixtures("small")
@requirement("agents.tools.parity")
@pytest.mark.parametrize(
    ("setting", "tool", "arguments", "refusal"),
    [
        ({"require_approval": True}, "blog_publish_post", {"id": "fog"}, ("approval_required", [])),
        (
            {"before_publish": f"{__name__}.object_to_everything"},
            "blog_publish_post",
            {"title": "Snow"},
            ("refused_by_host", ["Not on a Saturday.", "Ask Zoë first."]),
        ),
        ({"public_base_url": None}, "blog_get_post", {"id": "tide"}, None),
        ({"public_base_url": None}, "blog_list_posts", {}, None),
        ({"public_base_url": "https://blog.example"}, "blog_get_preview_link", {"id": "tide"}, None),
        (
            {"body_formats": ["markdown", "rich_text"]},
            "blog_save_draft",
            {"title": "A", "body_format": "rich_text"},
            None,
        ),
    ],
)
def test_tool_and_api_agree_with_other_settings(
    settings: Settings,
    setting: dict[str, Any],
    tool: str,
    arguments: dict[str, Any],
    refusal: tuple[str, list[str]] | None,
) -> None:
    settings.BLOG_ENGINE = blog_settings(**setting)
    client = client_with(*ALL)

    with undone():
        found = by_tool(client, tool, arguments)
    with undone():
        expected = by_api(client, tool, arguments)

    assert found == expected
    error = found.answer.get("error")
    assert (error and (error["code"], error["details"])) == refusal


ROUNDS = int(os.environ.get("BLOG_ENGINE_FUZZ", "4"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
CALLS = 40


@pytest.fixture
def same_limits(settings: Settings) -> None:
    """Use the page size of the API, and no rate limit."""
    settings.RATELIMIT_ENABLE = False
    settings.BLOG_ENGINE = blog_settings(mcp={"max_page_size": 100})


@pytest.mark.usefixtures("small", "same_limits")
@requirement("agents.tools.parity", "agents.tools.argument-faults")
@pytest.mark.parametrize("seed", range(SEED, SEED + ROUNDS))
@pytest.mark.heavy
def test_any_arguments_lead_to_the_outcome_of_the_api(seed: int) -> None:
    chance, known = random.Random(seed), Known()  # noqa: S311  repeatable, not secret
    clients = [client_with(*scopes) for scopes in (ALL, ALL, ALL, ALL, ("read", "write"), ("publish",))]

    for _ in range(CALLS):
        look(known)
        tool, arguments = random_call(chance, known)
        client = chance.choice(clients)
        with undone():
            found = by_tool(client, tool, arguments)
        assert found == by_api(client, tool, arguments), f"{tool} {arguments!r}"[:3000]
