"""What agents see of the tools: names, titles, scopes, annotations and instructions."""

import re
from typing import Any

import pytest
from django.test import Client

from blog_engine.content.text import compact_json
from blog_engine.mcp import Tool, definitions, instructions
from tests.mcp.parity import SUCCESSES
from tests.requirements import requirement
from tests.support.blogs import named
from tests.support.clients import ask, client_with, post, request, tool_answer, tool_refusal
from tests.support.tables import stored_beside_tokens

R, W, P = "read", "write", "publish"

_READS = (True, False, True, False)
_FETCHES = (True, False, True, True)
_ADDS = (False, False, False, True)
_ADDS_ONCE = (False, False, True, True)
_CHANGES = (False, True, False, True)
_SETS = (False, True, True, True)

TOOLS: list[tuple[str, str, str | None, tuple[bool, ...]]] = [
    ("blog_list_posts", "List posts", R, _READS),
    ("blog_search_posts", "Search posts", R, _READS),
    ("blog_get_post", "Get post", R, _READS),
    ("blog_get_post_records", "Get post records", R, _READS),
    ("blog_check_post", "Check post", R, _READS),
    ("blog_save_draft", "Save draft", W, _CHANGES),
    ("blog_get_preview_link", "Get preview link", R, _READS),
    ("blog_publish_post", "Publish post", P, _CHANGES),
    ("blog_update_post", "Update post", None, _CHANGES),
    ("blog_correct_post", "Correct post", None, _CHANGES),
    ("blog_approve_revision", "Approve revision", P, _ADDS),
    ("blog_declare_connections", "Declare connections", P, _ADDS),
    ("blog_unpublish_post", "Unpublish post", P, _SETS),
    ("blog_remove_post", "Remove post", P, _CHANGES),
    ("blog_upload_image", "Upload image", W, _CHANGES),
    ("blog_list_categories", "List categories", R, _READS),
    ("blog_save_category", "Save category", W, _SETS),
    ("blog_list_tags", "List tags", R, _READS),
    ("blog_list_authors", "List authors", R, _READS),
    ("blog_save_author", "Save author", W, _SETS),
    ("blog_list_series", "List series", R, _READS),
    ("blog_save_series", "Save series", W, _SETS),
    ("blog_list_redirects", "List redirects", R, _READS),
    ("blog_save_redirect", "Save redirect", P, _ADDS_ONCE),
    ("blog_get_site_page", "Get site page", R, _READS),
    ("blog_save_site_page", "Save site page", W, _SETS),
    ("blog_get_page_views", "Get page views", R, _READS),
    ("blog_get_surface_report", "Get surface report", R, _FETCHES),
    ("blog_doctor", "Doctor", R, _FETCHES),
    ("blog_extract_faq", "Extract faq", R, _READS),
    ("blog_adopt_post", "Adopt post", P, _SETS),
]
"""Name, title, scope (``None``: it depends on the post) and annotations."""

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def listed(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask(client, "tools/list")["tools"]
    return found


def carrying(instruction: str) -> set[str]:
    return {tool.name.removeprefix("blog_") for tool in definitions() if instruction in tool.description}


@requirement("agents.tools.list")
def test_the_tools_are_listed_in_order(agent: Client) -> None:
    assert [(tool["name"], tool["title"]) for tool in listed(agent)] == [(name, title) for name, title, *_ in TOOLS]


@requirement("agents.tools.list", "agents.tools.annotations")
def test_each_is_listed_with_all_that_is_known_of_it(agent: Client) -> None:
    assert listed(agent) == [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": dict(zip(_HINTS, effects, strict=True)),
        }
        for tool, (*_, effects) in zip(definitions(), TOOLS, strict=True)
    ]


@requirement("agents.tools.list")
def test_the_list_does_not_depend_on_the_scopes_of_the_token(agent: Client) -> None:
    assert listed(client_with()) == listed(agent)


@requirement("agents.tools.budget")
def test_the_list_keeps_its_budget(agent: Client) -> None:
    whole = post(agent, request("tools/list")).content.decode()

    assert len(whole) < 48_000


@requirement("agents.tools.budget")
def test_what_models_see_of_the_list_has_about_8000_tokens() -> None:
    seen = [[tool.name, tool.description, tool.input_schema] for tool in definitions()]

    # o200k_base makes a token of 4.3 characters of it.
    assert len(compact_json(seen)) < 34_500


@requirement("agents.tools.list")
@pytest.mark.parametrize("tool", definitions(), ids=lambda tool: tool.name)
def test_a_description_has_one_to_four_sentences_and_names_tools_that_exist(tool: Tool) -> None:
    sentences = re.findall(r"\.(?: |$)", tool.description)
    mentioned = set(re.findall(r"\bblog_[a-z_]+", tool.description))

    assert 1 <= len(sentences) <= 4
    assert mentioned <= {name for name, *_ in TOOLS} - {tool.name}


@requirement("agents.tools.scopes")
def test_the_scope_of_a_tool_is_that_of_its_operation() -> None:
    assert [(tool.name, tool.scope) for tool in definitions()] == [(name, scope) for name, _, scope, _ in TOOLS]


@pytest.mark.usefixtures("small")
@requirement("agents.tools.scopes", "agents.tools.missing-scope")
@pytest.mark.parametrize(("name", "scope"), [(name, scope) for name, _, scope, _ in TOOLS if scope])
def test_all_other_scopes_are_not_enough(name: str, scope: str) -> None:
    arguments = named(next(case.arguments for case in SUCCESSES if case.tool == name))
    client = client_with(*{R, W, P} - {scope})
    before = stored_beside_tokens()

    assert tool_refusal(client, name, arguments) == ("scope_required", [scope])
    assert stored_beside_tokens() == before


@pytest.mark.usefixtures("small")
@requirement("agents.tools.scopes")
@pytest.mark.parametrize(
    ("slug", "scope", "other"),
    [("tide", W, P), ("wreck", W, P), ("regatta", P, W), ("harbour", P, W)],
    ids=["draft", "archived", "scheduled", "public"],
)
@pytest.mark.parametrize(
    ("name", "fields"),
    [("blog_update_post", {"change": "maintenance"}), ("blog_correct_post", {"note": "It was wrong."})],
)
def test_the_scope_of_an_edit_depends_on_the_post(
    name: str, fields: dict[str, str], slug: str, scope: str, other: str
) -> None:
    arguments = {"id": slug, "body": "Another body."} | fields

    assert tool_refusal(client_with(R, other), name, arguments) == ("scope_required", [scope])
    assert tool_answer(client_with(scope), name, arguments)["post"]["body"] == "Another body."


@requirement("agents.tools.approval")
@pytest.mark.parametrize(
    ("instruction", "names"),
    [
        (instructions.ASK_FIRST, "publish_post update_post correct_post approve_revision"),
        (instructions.STATE_PROVENANCE, "publish_post update_post correct_post approve_revision"),
        (instructions.ASK_BEFORE_ADOPTING, "adopt_post"),
        (instructions.ONLY_ON_REQUEST, "unpublish_post remove_post"),
        (instructions.SHOW_PREVIEW, "save_draft"),
        (
            instructions.NEEDS_NO_APPROVAL,
            "save_draft declare_connections upload_image save_category save_author save_series save_redirect",
        ),
    ],
)
def test_an_instruction_is_in_the_descriptions_of_its_tools(instruction: str, names: str) -> None:
    assert carrying(instruction) == set(names.split())


@requirement("agents.tools.approval")
def test_every_tool_that_writes_has_an_instruction_except_for_policy_pages() -> None:
    covered = set.union(
        *map(
            carrying,
            [
                instructions.ASK_FIRST,
                instructions.ASK_BEFORE_ADOPTING,
                instructions.ONLY_ON_REQUEST,
                instructions.NEEDS_NO_APPROVAL,
            ],
        )
    )
    writing = {tool.name.removeprefix("blog_") for tool in definitions() if not tool.annotations["readOnlyHint"]}

    # Its description says that the text is the publisher's promise.
    assert writing - covered == {"save_site_page"}
