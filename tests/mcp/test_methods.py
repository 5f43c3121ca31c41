"""The results of ``initialize``, ``server/discover``, ``ping`` and the lists."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from blog_engine import __version__
from blog_engine.mcp.instructions import instructions_at
from tests.requirements import requirement
from tests.support.clients import INVALID_PARAMS, METHOD_NOT_FOUND, ask, error_of, post, request, result_of, stateless
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

CAPABILITIES: dict[str, Any] = {
    "tools": {},
    "prompts": {},
    "resources": {},
    "completions": {},
    "extensions": {"io.modelcontextprotocol/skills": {}},
}
SERVER = {"name": "blog_engine", "title": "Lake Journal", "version": __version__}
MANY = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "skills/list"]


@pytest.fixture
def lake_journal(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(site_name="Lake Journal")


@requirement("agents.handshake")
@pytest.mark.usefixtures("lake_journal")
@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2024-10-07", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("1.0", "2025-11-25"),
        (" 2025-06-18", "2025-11-25"),
        ("", "2025-11-25"),
        ("\ud800", "2025-11-25"),
    ],
    ids=ascii,
)
def test_initialize_agrees_on_a_version_of_the_handshake(agent: Client, asked: str, agreed: str) -> None:
    params = {"protocolVersion": asked, "capabilities": {"roots": {}}, "clientInfo": {"name": "x", "version": "1"}}

    assert ask(agent, "initialize", params) == {
        "protocolVersion": agreed,
        "capabilities": CAPABILITIES,
        "serverInfo": SERVER,
        "instructions": instructions_at(timezone.now()),
    }


@requirement("agents.handshake", "agents.messages.malformed")
@pytest.mark.parametrize(
    "params", [{"protocolVersion": None}, {"protocolVersion": 1}, {"protocolVersion": []}], ids=str
)
def test_initialize_with_a_version_that_is_no_text_is_invalid(agent: Client, params: object) -> None:
    assert error_of(post(agent, request("initialize", params))) == (200, INVALID_PARAMS, None)


@requirement("agents.handshake")
@pytest.mark.parametrize("params", [None, {}, {"capabilities": {}}], ids=str)
def test_initialize_without_a_version_returns_the_newest_handshake_version(agent: Client, params: object) -> None:
    assert ask(agent, "initialize", params)["protocolVersion"] == "2025-11-25"


@requirement("agents.handshake")
def test_initialize_is_optional_and_repeatable(agent: Client) -> None:
    hello = {"protocolVersion": "2025-06-18"}

    assert ask(agent, "tools/list") == ask(agent, "tools/list")
    assert ask(agent, "initialize", hello) == ask(agent, "initialize", hello)


@requirement("agents.stateless.discover")
@pytest.mark.usefixtures("lake_journal")
def test_discover_describes_the_server(agent: Client) -> None:
    assert result_of(post(agent, *stateless(request("server/discover")))) == {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        "capabilities": CAPABILITIES,
        "instructions": instructions_at(timezone.now()),
        "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
        "ttlMs": 3_600_000,
        "cacheScope": "private",
    }


@requirement("agents.handshake.ping")
@pytest.mark.parametrize("params", [None, {}, {"x": 1}], ids=str)
def test_ping_answers_an_empty_object(agent: Client, params: object) -> None:
    answer = post(agent, request("ping", params))

    assert answer.content == b'{"jsonrpc":"2.0","id":1,"result":{}}'


@requirement("agents.messages.unknown-method", "agents.messages.handshake-status")
@pytest.mark.parametrize(
    "method",
    [
        "server/discover",
        "logging/setLevel",
        "resources/subscribe",
        "resources/directory/read",
        "roots/list",
        "sampling/createMessage",
        "tasks/list",
        "notifications/initialized",
        "tools",
        "tools/",
        "tools/list/",
        "Tools/List",
        " ping",
        "",
        "__class__",
        "a" * 100_000,
    ],
    ids=lambda method: repr(method[:30]),
)
def test_an_unknown_method_is_not_found_with_handshake_versions(agent: Client, method: str) -> None:
    assert error_of(post(agent, request(method, id="a")), id="a") == (200, METHOD_NOT_FOUND, None)


@requirement("agents.messages.one-page")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("cursor", [" ", "1", 0, False, {}, []], ids=json.dumps)
@pytest.mark.parametrize("method", MANY)
def test_there_is_no_second_page(agent: Client, method: str, cursor: object, described: bool) -> None:
    message = request(method, {"cursor": cursor})

    answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert error_of(answer) == (400 if described else 200, INVALID_PARAMS, None)


@requirement("agents.messages.one-page")
@pytest.mark.parametrize("cursor", [None, ""])
@pytest.mark.parametrize("method", MANY)
def test_an_empty_cursor_is_none(agent: Client, method: str, cursor: str | None) -> None:
    page = ask(agent, method, {"cursor": cursor})

    assert page == ask(agent, method)
    assert "nextCursor" not in page
