"""Clients that send every field of a model empty no post.

The Python clients of openapi-generator set every field of a model with ``from_dict``, and ``to_dict`` leaves out those
that are ``None``, unless the schema calls them nullable: then they are sent as null.
"""

import json
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from blog_engine.models import Author, Category, Post, Series
from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import document

pytestmark = pytest.mark.django_db

API = "/blog/api/v1"
TEXTS = {
    "title": "Frost",
    "description": "What winter does.",
    "search_title": "Frost in the garden",
    "search_description": "Frost, and how to garden with it.",
    "body": "It freezes.",
    "cover_alt": "Ice",
    "language": "en-GB",
    "external_id": "frost",
    "provenance": "ai_assisted",
    "provenance_evidence": "I wrote it.",
}
FULL = TEXTS | {
    "slug": "frost",
    "author": "Mina",
    "category": "Soil",
    "series": "Winter",
    "tags": ["ice"],
    "faq": [{"question": "Why?", "answer": "Cold."}],
    "featured": True,
}
NULLABLE = {
    "cover_image",
    "social_image",
    "series_position",
    "canonical_url",
    "translation_of",
    "publish_at",
    "expires_at",
}
NULL = {"type": "null"}


def request_schema(path: str, method: str) -> dict[str, Any]:
    """Return the schema of the JSON that an operation takes."""
    content = document()["paths"][path][method]["requestBody"]["content"]
    schema: dict[str, Any] = content["application/json"]["schema"]
    return schema


def as_a_model_sends(values: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return what ``Model.from_dict(values).to_dict()`` sends; a value that the model cannot have is left out."""
    sent: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        value = fitting(values.get(name, field.get("default")), field)
        if value is not None or is_nullable(field):
            sent[name] = value
    return sent


def fitting(value: Any, field: dict[str, Any]) -> Any:
    """Return the value as the model of a field has it, or ``None``."""
    if isinstance(value, dict):
        for part in map(resolved, field.get("anyOf", [field])):
            if "properties" in part:
                value = as_a_model_sends({k: v for k, v in value.items() if k in part["properties"]}, part)
    whole = {**field, "components": document()["components"]}
    return value if Draft202012Validator(whole).is_valid(value) else None


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return document()["components"]["schemas"][name] if name else schema


def is_nullable(field: dict[str, Any]) -> bool:
    return NULL in field.get("anyOf", [])


def send(client: Client, method: str, path: str, fields: dict[str, Any]) -> Any:
    return client.generic(method.upper(), API + path, content_type="application/json", data=json.dumps(fields))


def content_of(post: Post) -> dict[str, Any]:
    post.refresh_from_db()
    texts = {name: getattr(post, name) for name in TEXTS}
    records = {"category": str(post.category), "series": str(post.series), "author": post.author_name}
    tags = sorted(tagging.tag.name for tagging in post.taggings.select_related("tag"))
    return texts | records | {"tags": tags, "faq": post.faqs.count(), "featured": post.featured}


def without_time(record: Category | Series | Author) -> dict[str, Any]:
    (row,) = type(record).objects.filter(pk=record.pk).values()
    return {name: value for name, value in row.items() if name != "updated_at"}


@pytest.fixture
def draft() -> Post:
    return factories.save(**FULL).post


@requirement("openapi.null")
@pytest.mark.parametrize(
    ("path", "method"), [("/posts", "post"), ("/posts/{id}", "patch"), ("/posts/{id}/publish", "post")]
)
def test_a_model_with_one_field_set_keeps_everything_else(editor: Client, draft: Post, path: str, method: str) -> None:
    before = content_of(draft)
    sent = as_a_model_sends({"tags": ["x"], "slug": "frost"}, request_schema(path, method))

    response = send(editor, method, path.replace("{id}", str(draft.pk)), sent)

    assert response.status_code == 200, response.content
    assert {name for name, value in sent.items() if value is None} <= NULLABLE
    assert content_of(draft) == before | {"tags": ["x"]}


@requirement("openapi.null")
@pytest.mark.parametrize("state", ["draft", "published"])
def test_an_object_that_was_read_is_sent_back_without_loss(editor: Client, draft: Post, state: str) -> None:
    if state == "published":
        factories.publish(draft)
    before = content_of(draft)
    read = editor.get(f"{API}/posts/{draft.pk}").json()

    response = send(
        editor, "patch", f"/posts/{draft.pk}", as_a_model_sends(read, request_schema("/posts/{id}", "patch"))
    )

    assert response.status_code == 200, response.content
    assert content_of(draft) == before
    assert draft.status == state


@requirement("openapi.null")
@pytest.mark.parametrize(
    ("path", "made"),
    [
        ("/categories", lambda: factories.make_category(name="Soil", description="Earth.", position=3)),
        ("/series", lambda: factories.make_series(name="Winter", description="Cold.")),
        (
            "/authors",
            lambda: factories.make_author(name="Mina", bio="Gardens.", url="https://mina.example", host_reference="7"),
        ),
    ],
    ids=["category", "series", "author"],
)
def test_a_record_keeps_what_the_model_did_not_set(editor: Client, path: str, made: Any) -> None:
    record = made()
    before = without_time(record)

    sent = as_a_model_sends({}, request_schema(path + "/{id}", "patch"))
    response = send(editor, "patch", f"{path}/{record.pk}", sent)

    assert response.status_code == 200, response.content
    assert without_time(record) == before


@requirement("openapi.null")
def test_the_api_still_accepts_null_for_texts(editor: Client, draft: Post) -> None:
    nulls = dict.fromkeys(
        ["description", "search_title", "body", "cover_alt", "language", "category", "series", "slug"]
    )

    response = send(editor, "patch", f"/posts/{draft.pk}", nulls)

    assert response.status_code == 200, response.content
    draft.refresh_from_db()
    assert (draft.description, draft.body, draft.language, draft.category, draft.slug) == ("", "", "", None, "frost")
    assert Category.objects.filter(name="Soil").exists()
