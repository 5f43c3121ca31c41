"""From the request to the input of an operation."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.api.conftest import BASE
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in
from tests.support.tables import undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plumbing")]

NOTES = f"{BASE}/notes"


def post(client: Client, body: Any, *, query: str = "", content_type: str = "application/json") -> Any:
    return client.generic("POST", NOTES + query, body, content_type=content_type)


@requirement("api.input.merged", "api.input.flat")
def test_query_and_body_are_one_input_in_which_the_body_wins(subtests: pytest.Subtests) -> None:
    for query, body, expected in [
        ("", "", {}),
        ("", "{}", {}),
        ("", '{"text": "a", "count": 1}', {"count": 1, "text": "a"}),
        ("?text=a%20b", "", {"text": "a b"}),
        ("?text=", "", {"text": ""}),
        ("?text", "", {"text": ""}),
        ("?text=query", '{"text": "body"}', {"text": "body"}),
        ("?text=query", '{"count": 1}', {"count": 1, "text": "query"}),
        ("?text=one&text=two", '{"text": "body"}', {"text": "body"}),
        ("?text=%C3%89t%C3%A9", "", {"text": "Été"}),
        ("?text=a+b;c", "", {"text": "a b;c"}),
    ]:
        with subtests.test(query=query, body=body, expected=expected), undone():
            response = post(client_with("write"), body, query=query)

            assert response.status_code == 201
            assert response.json()["input"] == expected


@requirement("api.input.strict-json", "api.input.query", "api.input.accept")
def test_what_is_not_the_input_is_refused(subtests: pytest.Subtests) -> None:
    for query, body, code, details in [
        ("", '{"text": 1, "count": "1"}', "validation_failed", ["text", "count"]),
        ("", '{"text": null}', "validation_failed", ["text"]),
        ("?count=1", "", "validation_failed", ["count"]),
        ("?text=one&text=two", "", "validation_failed", ["text"]),
        ("?text=one&text=one", "", "validation_failed", ["text"]),
        ("?text[]=a", "", "unknown_field", ["text[]"]),
        ("?text[x]=a", "", "unknown_field", ["text[x]"]),
        ("?other=1&other=2&text=a&text=b", "", "unknown_field", ["other"]),
        ("?format=json", "", "unknown_field", ["format"]),
        ("?text=%00", "", "validation_failed", ["text"]),
        ("?one=1", '{"two": 2}', "unknown_field", ["one", "two"]),
        ("", "[]", "unknown_field", ["body"]),
        ("", "[1]", "unknown_field", ["body"]),
        ("", '"text"', "validation_failed", ["body"]),
        ("", "null", "validation_failed", ["body"]),
    ]:
        with subtests.test(query=query, body=body, code=code, details=details), undone():
            assert refusal_in(post(client_with("write"), body, query=query)) == (422, code, details)


def test_the_address_decides_what_it_names() -> None:
    client = client_with("read")

    assert client.get(f"{NOTES}/seven?text=a").json()["input"] == {"id": "seven", "text": "a"}
    assert refusal_in(client.get(f"{NOTES}/seven?id=8")) == (422, "unknown_field", ["id"])


@pytest.mark.parametrize("identifier", ["a.b", "7", "%C3%A9", "a%20b", "a%0A", "-"])
def test_an_identifier_is_one_part_of_the_path_whatever_it_holds(identifier: str) -> None:
    assert client_with("read").get(f"{NOTES}/{identifier}").status_code == 200


@requirement("api.input.accept", "api.input.unknown")
@pytest.mark.parametrize("key", ["format", "controller", "id", "page"])
def test_an_operation_without_input_accepts_no_key(key: str) -> None:
    assert refusal_in(client_with("read").get(f"{BASE}/bare?{key}=1")) == (422, "unknown_field", [key])


@requirement("api.input.get")
def test_a_get_reads_its_body_too() -> None:
    response = client_with("read").generic("GET", NOTES, '{"text": "a"}', content_type="application/json")

    assert response.json()["input"] == {"text": "a"}


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_request_without_a_body_needs_no_content_type(content_type: str) -> None:
    assert post(client_with("write"), "", content_type=content_type).status_code == 201


@requirement("api.input.query.count")
def test_more_query_parameters_than_django_reads_are_refused(settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3

    response = client_with("read").get(f"{NOTES}?a=1&b=2&c=3&d=4")

    assert refusal_in(response) == (422, "validation_failed", [])
