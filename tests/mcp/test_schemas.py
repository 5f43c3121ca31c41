"""The schemas of the tools: what clients and providers accept, and the fields of each tool."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from blog_engine.actor import Actor
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input
from blog_engine.inputs.posts import ListPosts, PostFields
from blog_engine.inputs.records import UpdateAuthor
from blog_engine.mcp import Tool, definitions
from tests.inputs.test_schemas import NULLABLE
from tests.mcp.parity import REFUSALS, SUCCESSES, Case
from tests.requirements import CONTRACT, requirement

each_tool = pytest.mark.parametrize("tool", definitions(), ids=lambda tool: tool.name)
UNKNOWN = [case for case in REFUSALS if case.refusal and case.refusal[0] == "unknown_field"]

PAGE = (CONTRACT / "agent-endpoint.md").read_text("utf-8")
ARGUMENTS = dict(re.findall(r"^\| `(blog_[a-z_]+)` \| [^|]+ \| ([^|]+) \|", PAGE, re.MULTILINE))
"""What the page says on the arguments of each tool."""
IN_WORDS: dict[str, type[Input]] = {
    "post fields": PostFields,
    "author fields": UpdateAuthor,
    "those of `blog_list_posts`": ListPosts,
    "adoption fields": AdoptPost,
}
WRITE_POSTS = {
    *("blog_save_draft", "blog_publish_post", "blog_update_post", "blog_correct_post", "blog_approve_revision"),
    *("blog_declare_connections", "blog_unpublish_post", "blog_remove_post", "blog_adopt_post"),
}


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas inside it."""
    if isinstance(schema, list):
        for part in schema:
            yield from nodes(part)
    if not isinstance(schema, dict):
        return
    yield schema
    for key, part in schema.items():
        yield from nodes(list(part.values()) if key == "properties" else part)


def named(case: Case) -> str:
    return f"{case.tool}: {case.what}"


@requirement("agents.tools.input-schemas")
@each_tool
def test_a_tool_takes_the_arguments_that_the_page_names(tool: Tool) -> None:
    told = ARGUMENTS[tool.name]
    named = {name for name in re.findall("`([a-z_0-9]+)`", told) if not name.startswith("blog_")}
    named |= {name for words, model in IN_WORDS.items() if words in told for name in model.model_fields}

    assert set(tool.input_schema["properties"]) == named | ({"answer"} if tool.name in WRITE_POSTS else set())
    assert set(tool.input_schema.get("required", [])) == set(re.findall(r"`([a-z_0-9]+)`\*", told))


@each_tool
def test_id_and_required_fields_come_first(tool: Tool) -> None:
    names, required = list(tool.input_schema["properties"]), tool.input_schema.get("required", [])

    first = dict.fromkeys([*(name for name in names if name == "id"), *required])

    assert names[: len(first)] == list(first)


@requirement("agents.tools.input-schemas")
@each_tool
def test_an_input_schema_is_one_that_every_provider_takes(tool: Tool) -> None:
    schema = tool.input_schema

    Draft202012Validator.check_schema(schema)
    assert schema.keys() <= {"type", "properties", "required"}
    assert schema["type"] == "object"
    for node in nodes(schema):
        assert not node.keys() & {"$ref", "$defs", "ge", "le", "title", "default", "oneOf", "allOf", "not", "if"}, node
        # Gemini refuses all tools for these, as sent or as clients rewrite them.
        assert "const" not in node, node
        assert node.get("format", "date-time") == "date-time", node
        assert isinstance(node.get("type", ""), str), node
        assert (node.get("type") == "array") == ("items" in node), node
        assert set(node.get("required", [])) <= set(node.get("properties", {})), node
        assert node.get("description", "x").strip(), node
        # Google's converters leave a field of several types without any, and strict ones add the null themselves.
        assert {"type": "null"} not in node.get("anyOf", []), node
        assert not any(kind.get("type") == "integer" for kind in node.get("anyOf", [])), node
        assert "additionalProperties" not in node, node


@requirement("agents.values.null")
@each_tool
def test_a_null_that_says_something_is_told_in_words(tool: Tool) -> None:
    admitted = {
        name for name, field in tool._input_schema["properties"].items() if {"type": "null"} in field.get("anyOf", [])
    }

    assert admitted <= NULLABLE
    for name in admitted:
        assert "null" in tool.input_schema["properties"][name]["description"], name


@requirement("agents.tools.output-schemas")
@each_tool
def test_an_output_schema_admits_the_answer_and_the_error(tool: Tool) -> None:
    schema = tool.output_schema

    Draft202012Validator.check_schema(schema)
    assert schema.keys() <= {"type", "properties"}
    assert schema["type"] == "object"
    assert len(schema.get("properties", {})) <= 8
    assert all(list(inner) == ["type"] for inner in schema.get("properties", {}).values())


@requirement("agents.tools.output-schemas")
def test_an_output_schema_lists_the_keys_of_an_answer_that_has_few() -> None:
    listed = {tool.name: list(tool.output_schema.get("properties", {})) for tool in definitions()}

    assert listed["blog_list_tags"] == ["tags", "page", "per_page", "total", "next_cursor"]
    assert listed["blog_get_post"] == []


@requirement("agents.tools.output-schemas")
def test_a_key_that_two_answers_share_has_the_types_of_both() -> None:
    (views,) = (tool for tool in definitions() if tool.name == "blog_get_page_views")

    assert views.output_schema["properties"] == {
        "days": {"type": ["integer", "array"]},
        "posts": {"type": "array"},
        "post_id": {"type": "integer"},
        "from": {"type": "string"},
        "to": {"type": "string"},
        "total": {"type": "integer"},
    }


_NUMBERS = {"page", "per_page", "days", "limit"}
"""Accepted as strings, but offered as numbers."""


@requirement("agents.tools.input-schemas")
@pytest.mark.parametrize("case", SUCCESSES, ids=named)
def test_what_succeeds_is_valid_by_the_schema(case: Case) -> None:
    (tool,) = (tool for tool in definitions() if tool.name == case.tool)
    fields = tool.input_schema["properties"]
    # Digits count as numbers and numbers as digits; null is described in words.
    offered = {
        name: int(value) if name in _NUMBERS else str(value) if fields[name].get("type") == "string" else value
        for name, value in case.arguments.items()
        if value is not None
    }

    Draft202012Validator(tool.input_schema).validate(offered)


def test_a_host_can_change_its_copy_of_a_schema() -> None:
    first, *_ = definitions()

    first.input_schema["properties"].clear()
    first.output_schema.clear()

    assert first.input_schema["properties"].keys() >= {"page", "q"}
    assert "posts" in first.output_schema["properties"]


@pytest.mark.parametrize(
    ("name", "field"), [("blog_correct_post", "note"), ("blog_approve_revision", "revision_identifier")]
)
def test_what_a_tool_requires_is_never_null(name: str, field: str) -> None:
    (tool,) = (tool for tool in definitions() if tool.name == name)

    assert tool.input_schema["properties"][field]["type"] == "string"


@requirement("agents.tools.input-schemas")
@pytest.mark.parametrize("case", UNKNOWN, ids=named)
def test_a_field_that_is_refused_as_unknown_is_no_part_of_the_schema(case: Case) -> None:
    (tool,) = (tool for tool in definitions() if tool.name == case.tool)
    assert case.refusal is not None

    assert not tool.input_schema["properties"].keys() & {*case.refusal[1]}


@pytest.mark.django_db
@requirement("agents.tools.input-schemas")
@each_tool
def test_every_field_of_a_schema_is_known_to_the_operation(tool: Tool) -> None:
    """No field accepts 3.5, so each is refused, and never as unknown (agents.tools.ways)."""
    others: list[dict[str, Any]] = [{"id": "1"}, {"images": True}, {"id": "1", "proposal": 1}]
    ways = [{}, *(way for way in others if way.keys() <= tool.input_schema["properties"].keys())]
    for name in tool.input_schema["properties"]:
        errors = [tool.call(way | {name: 3.5}, Actor("Ada"))["error"] for way in ways]

        assert all(error["code"] != "unknown_field" for error in errors), name
