"""The hints of the tools, held against what their calls do."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from blog_engine.mcp import Tool, definitions
from tests.mcp.parity import ALL, SUCCESSES, Case, succeeds
from tests.requirements import requirement
from tests.support.blogs import named
from tests.support.clients import call_tool, client_with
from tests.support.tables import stored_beside_tokens, undone

pytestmark = pytest.mark.usefixtures("small")

BOOKKEEPING = {"version", "recent_writes", "updated_at", "last_used_at"}
"""Columns that count writes and keep their times."""
MORE = [
    succeeds("save_draft", "an edit", external_id="annotated", edits=[{"append": "More."}]),
    succeeds("save_draft", "an emptied body", external_id="annotated", body=""),
    succeeds("publish_post", "an edit", id="annotated", edits=[{"append": "More."}]),
    succeeds("publish_post", "another title", id="annotated", title="Other"),
    succeeds("update_post", "an edit", id="annotated", edits=[{"append": "More."}]),
    succeeds("save_category", "another name", name="Lighthouses"),
    succeeds("save_author", "another person", name="Ada Keeper"),
    succeeds("save_series", "another series", name="Lighthouses of the north"),
]
"""Calls that do what those of the parity tests do not; there is a draft ``annotated``."""

State = dict[tuple[str, Any], dict[str, Any]]


@pytest.fixture
def client(small: object) -> Client:
    client = client_with(*ALL)
    call_tool(client, "blog_save_draft", {"title": "Annotated", "external_id": "annotated", "body": "Words."})
    return client


def cases_of(tool: Tool) -> Iterator[Case]:
    return (case for case in [*SUCCESSES, *MORE] if case.tool == tool.name)


def rows() -> State:
    """Return all rows but the bookkeeping."""
    stored = stored_beside_tokens()
    del stored["files"]
    return {
        # An entry of the search has no id, but a word and a post.
        (model, row.get("id", tuple(row.values())[:2])): {
            name: value for name, value in row.items() if name not in BOOKKEEPING
        }
        for model, rows in stored.items()
        for row in rows
    }


def effects_of(case: Case, client: Client) -> tuple[State, State, State]:
    """Return the rows before a call, after it, and after it is repeated."""
    with undone():
        states = [rows()]
        for _ in range(2):
            call_tool(client, case.tool, named(case.arguments))
            states.append(rows())
    before, once, twice = states
    return before, once, twice


@requirement("agents.tools.annotations")
@pytest.mark.parametrize("tool", definitions(), ids=lambda tool: tool.name)
def test_the_hints_are_true(tool: Tool, client: Client) -> None:
    seen = [effects_of(case, client) for case in cases_of(tool)]
    hints = tool.annotations

    assert hints["readOnlyHint"] is all(before == once for before, once, _ in seen)
    assert hints["destructiveHint"] is not all(is_kept(before, once) for before, once, _ in seen)
    assert hints["idempotentHint"] is all(once == twice for _, once, twice in seen)
    is_public = any(public_of(once) - public_of(before) for before, once, _ in seen)
    assert hints["openWorldHint"] or hints["readOnlyHint"]
    assert hints["destructiveHint"] or not is_public


def is_kept(before: State, after: State) -> bool:
    return all(after.get(key) == row for key, row in before.items())


def public_of(state: State) -> set[Any]:
    """Return the keys of public posts and of publications."""
    return {key for key, row in state.items() if key[0] == "Publication" or row.get("status") == "published"}
