"""The published JSON Schemas: valid, of the plain kind that every agent client takes, and true."""

import json
import re
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input, NoInput
from blog_engine.inputs.posts import (
    ApproveRevision,
    CorrectPost,
    DeclareConnections,
    ListPosts,
    PostFields,
    PostRef,
    PublishPost,
    RemovePost,
    SavePost,
    UpdatePost,
)
from blog_engine.inputs.proposals import ApplyProposal
from blog_engine.inputs.records import (
    CreateAuthor,
    CreateCategory,
    CreateSeries,
    PageRef,
    RedirectRef,
    SavePage,
    SaveRedirect,
    SaveRedirects,
    UpdateAuthor,
    UpdateCategory,
    UpdateSeries,
)
from blog_engine.inputs.reports import ExtractFaq, TopViews, ViewsOfPost
from blog_engine.operations.schema import PlainSchema
from tests.inputs.values import ACCEPTED, parameter_id
from tests.requirements import requirement

MODELS: list[type[Input]] = [
    AdoptPost,
    *(NoInput, PostFields, SavePost, UpdatePost, PublishPost, PostRef, RemovePost, ListPosts),
    *(ApproveRevision, DeclareConnections),
    *(CreateCategory, UpdateCategory, CreateSeries, UpdateSeries, CreateAuthor, UpdateAuthor),
    *(SaveRedirect, RedirectRef, SavePage, PageRef),
    *(ExtractFaq, ViewsOfPost, TopViews),
]
NULLABLE = {
    *(
        "publish_at",
        "expires_at",
        "cover_image",
        "social_image",
        "avatar",
        "translation_of",
        "series_position",
        "canonical_url",
    ),
    *("new_path", "approved_on"),
}
"""The fields that null clears, or for which it is a value."""
NOT_IN_JSON_SCHEMA = {"ge", "gt", "le", "lt", "max_length", "min_length"}
DESCRIPTIONS_OF_A_POST = 3000


def schema_of(model: type[Input]) -> dict[str, object]:
    return model.model_json_schema(schema_generator=PlainSchema)


def parts_of(node: object) -> Iterator[dict[str, object]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from parts_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from parts_of(value)


def objects_of(schema: dict[str, object]) -> Iterator[dict[str, dict[str, object]]]:
    for part in parts_of(schema):
        if part.get("type") == "object":
            yield part["properties"] if part.get("properties") else {}  # type: ignore[misc]


@requirement("openapi.inputs")
@pytest.mark.parametrize("model", MODELS)
def test_a_schema_is_valid_json_schema(model: type[Input]) -> None:
    schema = schema_of(model)

    Draft202012Validator.check_schema(schema)
    for part in parts_of(schema):
        if isinstance(pattern := part.get("pattern"), str):
            re.compile(pattern)
            assert not re.search(r"\\[AzZ]", pattern)


@requirement("openapi.inputs")
@pytest.mark.parametrize("model", MODELS)
def test_a_schema_has_a_plain_closed_object_at_its_root(model: type[Input]) -> None:
    schema = schema_of(model)

    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert set(schema) <= {"type", "properties", "required", "additionalProperties", "$defs"}


@pytest.mark.parametrize("model", MODELS)
def test_a_schema_holds_no_word_that_means_nothing(model: type[Input]) -> None:
    parts = list(parts_of(schema_of(model)))

    assert [part for part in parts if NOT_IN_JSON_SCHEMA & set(part)] == []
    assert [part for part in parts if part.get("type") == "array" and not part.get("items")] == []
    assert [part for part in parts if part.get("default", ...) is None] == []


@requirement("openapi.inputs")
@pytest.mark.parametrize("model", MODELS)
def test_every_field_has_a_description_and_no_title(model: type[Input]) -> None:
    fields = [field for fields in objects_of(schema_of(model)) for field in fields.values()]

    assert [field for field in fields if not field.get("description") or "title" in field] == []


def test_the_descriptions_of_a_post_fit_the_budget_of_the_tools() -> None:
    descriptions = [field.description or "" for field in PostFields.model_fields.values()]

    assert sum(map(len, descriptions)) < DESCRIPTIONS_OF_A_POST
    assert len(json.dumps(schema_of(PostFields))) < 3 * DESCRIPTIONS_OF_A_POST


@pytest.fixture(scope="module")
def save_post() -> Validator:
    return Draft202012Validator(schema_of(SavePost))


@requirement("openapi.inputs")
@pytest.mark.parametrize(("field", "sent", "stored"), ACCEPTED, ids=parameter_id)
def test_what_is_accepted_fits_the_schema(save_post: Validator, field: str, sent: object, stored: object) -> None:
    offered = {name: part for name, part in sent.items() if part is not None} if isinstance(sent, dict) else sent
    is_offered = sent is not None or field in NULLABLE

    assert save_post.is_valid({field: offered}) is is_offered


@requirement("openapi.null")
@pytest.mark.parametrize("model", [*MODELS, SaveRedirects, ApplyProposal, CorrectPost])
def test_null_is_offered_only_where_it_says_something(model: type[Input]) -> None:
    fields = [item for fields in objects_of(schema_of(model)) for item in fields.items()]

    assert {name for name, field in fields if {"type": "null"} in field.get("anyOf", [])} <= NULLABLE


@requirement("openapi.inputs")
@pytest.mark.parametrize(
    ("model", "raw"),
    [
        (SavePost, {"tittle": "x"}),
        (SavePost, {"title": None}),
        (SavePost, {"title": " "}),
        (SavePost, {"body_format": "html"}),
        (SavePost, {"author": {"type": "person"}}),
        (SavePost, {"cover_image": {}}),
        (SavePost, {"cover_image": {"image_id": 1, "url": "https://img.example/x.png"}}),
        (SavePost, {"series_position": 0}),
        (SavePost, {"faq": [{"question": "When?"}]}),
        (SavePost, {"change": None}),
        (SavePost, {"approval": None}),
        (SavePost, {"connections": {"connections": [{"x": 1}]}}),
        (UpdatePost, {"title": "x"}),
        (ListPosts, {"page": "01"}),
        (ListPosts, {"status": "public"}),
        (ApproveRevision, {"id": 1, "name": "Mina"}),
        (DeclareConnections, {"id": 0}),
        (SaveRedirect, {"new_path": "/new"}),
        (SaveRedirect, {"old_path": "old"}),
        (SaveRedirect, {"old_path": "/old", "occurred_on": None}),
        (SaveRedirect, {"old_path": "/old", "post_id": 0}),
        (RedirectRef, {"id": "1"}),
        (SavePage, {"kind": "privacy"}),
        (SavePage, {"kind": "ai_use", "title": None}),
        (SavePage, {"kind": "ai_use", "status": "archived"}),
        (PageRef, {}),
        (CreateAuthor, {"name": "Mina", "avatar": {}}),
        (CreateAuthor, {"name": "Mina", "avatar": {"image_id": 1, "signed_id": "x"}}),
        (CreateCategory, {"name": "Sea", "position": None}),
        (AdoptPost, {"title": "x"}),
        (ExtractFaq, {"standalone_questions": []}),
        (TopViews, {"limit": 101}),
        (ViewsOfPost, {"id": 1, "from": 20261101}),
    ],
    ids=parameter_id,
)
def test_the_schema_shows_what_is_refused(model: type[Input], raw: dict[str, object]) -> None:
    assert not Draft202012Validator(schema_of(model)).is_valid(raw)


@pytest.mark.parametrize(
    ("model", "raw"),
    [
        (UpdatePost, {"id": 7}),
        (UpdatePost, {"id": "tides"}),
        (ListPosts, {"page": "2", "per_page": 100}),
        (RemovePost, {"id": 1, "redirect_to": "/new"}),
        (SaveRedirect, {"old_path": "/old", "new_path": None, "post_id": 3, "occurred_on": "2026-02-03"}),
        (SavePage, {"kind": "ai_use", "slug": "", "approved_by": "", "approved_on": None}),
        (ApproveRevision, {"id": 1, "name": "Mina", "facts_checked": True}),
        (
            DeclareConnections,
            {"id": 1, "connections": [], "third_party_paid": False, "declared_by": "Mina", "declared_on": "2026-02-03"},
        ),
    ],
    ids=parameter_id,
)
def test_the_schema_admits_whole_calls(model: type[Input], raw: dict[str, object]) -> None:
    assert Draft202012Validator(schema_of(model)).is_valid(raw)
