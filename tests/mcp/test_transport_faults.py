"""A database that is locked or out of reach: a tool reports it, or the transport before authentication."""

import sqlite3
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from tests.support.clients import (
    ask,
    call_of,
    make_secret,
    post,
    refusal_in,
    request,
    stateless,
    tool_answer,
    tool_refusal,
)
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import Locked, everything_stored, failing


@pytest.fixture
def secret(transactional_db: None) -> str:
    return make_secret()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cause", "code"), [(None, "unavailable"), (Locked("database is locked"), "busy")], ids=["gone", "locked"]
)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("blog_list_posts", {}), ("blog_save_draft", {"title": "Frost"}), ("blog_remove_post", {"id": 1})],
)
def test_a_tool_reports_a_failing_database(
    agent: Client, tool: str, arguments: dict[str, Any], cause: Exception | None, code: str
) -> None:
    with failing(table="blog_engine_post", cause=cause):
        refusal = tool_refusal(agent, tool, arguments)
        described = post(agent, *stateless(call_of(tool, arguments)))

    assert refusal == (code, [])
    assert described.status_code == 200
    assert everything_stored()["Post"] == []


@pytest.mark.django_db
@pytest.mark.parametrize("described", [False, True])
def test_a_database_out_of_reach_is_not_an_unknown_resource(agent: Client, described: bool) -> None:
    message = request("resources/read", {"uri": "blog://posts/frost.md"})

    with failing(table="blog_engine_post"):
        answer = post(agent, *stateless(message)) if described else post(agent, message)

    assert refusal_in(answer) == (503, "unavailable", [])
    assert answer.headers["Retry-After"] == "1"


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["ping", "tools/list", "prompts/list", "resources/list"])
def test_what_needs_no_database_goes_on(agent: Client, method: str) -> None:
    with failing(table="blog_engine_post"):
        assert ask(agent, method) is not None


@pytest.fixture
def locked(transactional_db: None) -> Iterator[None]:
    """A database with a post, locked by another writer."""
    save(slug="frost", title="Frost")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()
    connection.close()


@pytest.mark.sqlite
def test_a_tool_that_writes_into_a_locked_database_is_busy(settings: Settings, locked: None) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate=lambda request: SimpleNamespace(name="Eve"))

    refusal = tool_refusal(Client(), "blog_update_post", {"id": "frost", "title": "Ice"})

    assert refusal == ("busy", [])
    assert tool_answer(Client(), "blog_get_post", {"id": "frost"})["title"] == "Frost"


@pytest.mark.sqlite
def test_a_token_whose_use_cannot_be_noted_reads_all_the_same(secret: str, locked: None) -> None:
    agent = Client(headers={"Authorization": f"Bearer {secret}"})

    assert ask(agent, "ping") == {}
    assert tool_answer(agent, "blog_get_post", {"id": "frost"})["title"] == "Frost"
    assert tool_refusal(agent, "blog_update_post", {"id": "frost", "title": "Ice"}) == ("busy", [])
