"""``GET /schema``."""

import json

import pytest
import yaml
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from tests.requirements import requirement
from tests.support.clients import document
from tests.support.hosts import blog_settings

SCHEMA = "/blog/api/v1/schema"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C takes a tenth of the time."""


def code_of(response: object) -> tuple[str, list[str]]:
    error = json.loads(response.content)["error"]  # type: ignore[attr-defined]  # the test client's answer
    return error["code"], error["details"]


@requirement("openapi.document", "openapi.open")
@pytest.mark.django_db
def test_anyone_may_read_the_document_and_it_costs_no_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        response = client.get(SCHEMA)

    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    assert response.headers["Cache-Control"] == "no-store"
    assert not {name for name in response.headers if name.startswith("RateLimit")}
    expected = json.loads(json.dumps(document())) | {"servers": [{"url": "https://example.com/blog/api/v1"}]}
    assert response.json() == expected


@requirement("openapi.formats")
def test_the_document_comes_as_yaml_too(client: Client) -> None:
    response = client.get(SCHEMA, {"format": "yaml"})

    assert response.headers["Content-Type"] == "application/yaml"
    assert yaml.load(response.content, LOADER) == client.get(SCHEMA + "/").json()  # noqa: S506  a safe one


def test_the_text_is_written_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get(SCHEMA, {"format": "yaml"})
    monkeypatch.delattr(yaml, "safe_dump")

    assert client.get(SCHEMA, {"format": "yaml"}).content == first.content


@requirement("openapi.servers")
@pytest.mark.parametrize(("origin", "server"), [(None, ""), ("https://blog.example", "https://blog.example")])
@pytest.mark.parametrize("format", ["json", "yaml"])
def test_the_document_is_the_same_whatever_host_was_asked(
    client: Client, settings: Settings, origin: str | None, server: str, format: str
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.BLOG_ENGINE = blog_settings(public_base_url=origin)

    hosts = ("one.example", "two.example", "one.example:8443")
    told = {client.get(SCHEMA, {"format": format}, headers={"Host": host}).content for host in hosts}

    documents = [yaml.load(text, LOADER) for text in told]  # noqa: S506  a safe one
    assert [document["servers"] for document in documents] == [[{"url": f"{server}/blog/api/v1"}]]


@requirement("openapi.formats")
@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        ("format=xml", ("validation_failed", ["format"])),
        ("format=", ("validation_failed", ["format"])),
        ("format=json&format=yaml", ("validation_failed", ["format"])),
        ("page=1", ("unknown_field", ["page"])),
    ],
)
def test_another_key_or_form_is_refused(client: Client, query: str, refusal: tuple[str, list[str]]) -> None:
    response = client.get(f"{SCHEMA}?{query}")

    assert (response.status_code, code_of(response)) == (422, refusal)


@requirement("api.input.query.count")
def test_more_query_parameters_than_django_reads_are_refused(client: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3

    response = client.get(f"{SCHEMA}?a=1&b=2&c=3&d=4")

    assert (response.status_code, code_of(response)) == (422, ("validation_failed", []))


@requirement("openapi.open")
def test_the_document_needs_no_token_that_is_valid(client: Client) -> None:
    assert client.get(SCHEMA, headers={"Authorization": "Bearer be_wrong"}).status_code == 200
