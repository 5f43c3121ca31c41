"""Every text and every list that a caller can send has a limit."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from blog_engine.content.text import MOST_MARKS
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input
from blog_engine.inputs.posts import LONGEST_FAQ, SavePost, UpdatePost
from blog_engine.inputs.types import LONGEST_BODY, LONGEST_LIST
from blog_engine.mcp.registry import TOOLS
from tests.requirements import requirement
from tests.support.clients import OPERATIONS

Place = tuple[str | int, ...]

# Those that an operation extends keep their name, and what they have is in the longer ones.
MODELS = sorted(
    {
        model.__name__: model
        for model in sorted(
            {op.input for op in OPERATIONS.values()}
            | {preset.operation.input for tool in TOOLS.values() for preset in tool.presets()},
            key=lambda model: len(model.model_fields),
        )
    }.values(),
    key=lambda model: model.__name__,
)
TOO_LONG = "x" * (LONGEST_BODY + 1)
BOUNDED_LATER = {
    # Limited before decoding, by the size of an image (tests/mcp/test_encoded_images.py).
    ("UploadImageAsText", ("base64",)),
    # Bytes, which the form parser limits (tests/api/test_multipart.py).
    ("UploadImage", ("file",)),
    # Bytes, which the ticket limits (tests/api/test_upload_tickets.py).
    ("FillUploadTicket", ("file",)),
    # Names of versions have a form that ends with 64 digits (tests/operations/test_versions_of_content.py).
    ("ReadRecords", ("revision",)),
    ("ReadRecords", ("compare",)),
}
_LENGTHS = {"string_too_long", "too_long", "not_found"}


def places(schema: dict[str, Any], known: dict[str, Any], path: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield the paths of texts and lists in a schema, each with its kind."""
    if "$ref" in schema:
        yield from places(known[schema["$ref"].rpartition("/")[2]], known, path)
    for branch in schema.get("anyOf", ()):
        yield from places(branch, known, path)
    for name, inner in schema.get("properties", {}).items():
        yield from places(inner, known, (*path, name))
    if schema.get("type") == "array":
        yield path, "list"
        yield from places(schema["items"], known, (*path, 0))
    if schema.get("type") == "string" and not is_closed(schema):
        yield path, "text"


def is_closed(schema: dict[str, Any]) -> bool:
    """Return whether the values, the format or the pattern of a text limit its length."""
    return bool({"enum", "const"} & schema.keys()) or schema.get("format") in {"date", "date-time"} or is_digits(schema)


def is_digits(schema: dict[str, Any]) -> bool:
    return re.fullmatch(r"\^(\[[0-9a-f-]+\](\{[0-9,]+\})?)+\$", schema.get("pattern", "")) is not None


PLACES = [
    (model, path, kind)
    for model in MODELS
    for schema in [model.model_json_schema(mode="validation")]
    for path, kind in dict.fromkeys(places(schema, schema.get("$defs", {})))
    if (model.__name__, path) not in BOUNDED_LATER
]

TEXTS = [(model, path) for model, path, kind in PLACES if kind == "text"]


def within(path: Place, value: object) -> Any:
    """Return a value with ``leaf`` at a path of names and positions."""
    for step in reversed(path):
        value = [value] if step == 0 else {step: value}
    return value


def faults_of(model: type[Input], path: Place, value: object) -> list[ErrorDetails]:
    """Return the errors of the model for a value at a path."""
    try:
        model.model_validate(within(path, value))
    except ValidationError as error:
        return [fault for fault in error.errors() if fault["loc"][: len(path)] == path]
    return []


def tells_a_bound(fault: ErrorDetails) -> bool:
    return fault["type"] in _LENGTHS or bool(re.match("(text|a list) of at most [0-9]", fault["msg"]))


def tells_of_marks(fault: ErrorDetails) -> bool:
    return fault["type"] == "not_found" or "at most 30 combining marks in a row" in fault["msg"]


@requirement("limits.texts", "limits.lists")
def test_a_text_or_list_of_any_length_is_refused() -> None:
    for model, path, kind in PLACES:
        value = TOO_LONG if kind == "text" else [""] * (LONGEST_LIST + 1)

        assert any(map(tells_a_bound, faults_of(model, path, value))), (model, path, kind)


def test_the_walk_finds_what_is_deep_inside() -> None:
    found = {(model.__name__, path): kind for model, path, kind in PLACES}

    assert found["SavePost", ("faq", 0, "answer")] == "text"
    assert found["SavePost", ("connections", "connections")] == "list"
    assert found["SavePost", ("author", "name")] == found["SavePost", ("author",)] == "text"
    assert found["AdoptPost", ("old_slugs", 0, "slug")] == found["AdoptPost", ("old_slugs", 0)] == "text"


@requirement("limits.texts.marks")
def test_a_text_with_a_long_run_of_combining_marks_is_refused() -> None:
    allowed, too_many = ("e" + "\u0301" * count for count in (MOST_MARKS, MOST_MARKS + 1))

    for model, path in TEXTS:
        assert not any(map(tells_of_marks, faults_of(model, path, allowed))), (model, path)
        assert any(map(tells_of_marks, faults_of(model, path, too_many))), (model, path)


@requirement("limits.lists")
@pytest.mark.parametrize("model", [SavePost, UpdatePost, AdoptPost])
def test_a_faq_is_limited_as_a_whole(model: type[Input]) -> None:
    entry = {"question": "q" * 1000, "answer": "a" * (LONGEST_FAQ // 8 - 1000)}

    fits, too_long = (
        faults_of(model, ("faq",), [*[entry] * 8, *rest]) for rest in ([], [{"question": "q", "answer": "a"}])
    )

    assert fits == []
    assert [tells_a_bound(fault) for fault in too_long] == [True]
