"""The OpenAPI document is valid, complete and the committed one."""

import json
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from blog_engine.api.openapi.endpoints import Endpoint, endpoints_of
from blog_engine.api.urls import router
from blog_engine.errors import Refusal
from tests.requirements import requirement
from tests.support.clients import OPERATIONS, check_answer, document, response_documented

ENDPOINTS = list(endpoints_of(router))
COMMITTED = Path(__file__).parents[2] / "docs" / "reference" / "openapi.json"


def endpoint_named(operation: str) -> Endpoint:
    return next(endpoint for endpoint in ENDPOINTS if endpoint.operation.name == operation)


def references_in(node: object) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*map(references_in, node.values()))
    return set().union(*map(references_in, node)) if isinstance(node, list) else set()


@requirement("openapi.document")
def test_the_document_is_valid_openapi_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        validate(document())

    assert document()["openapi"].startswith("3.1.")


def types_in(node: object) -> set[type]:
    parts = [*node, *node.values()] if isinstance(node, dict) else node if isinstance(node, list) else []
    return {type(node)}.union(*map(types_in, parts))


def test_the_document_has_types_of_json_only() -> None:
    # Some validators accept no others, not even their subclasses.
    assert types_in(document()) <= {dict, list, str, int, float, bool, type(None)}


@requirement("openapi.committed")
def test_the_committed_document_is_what_the_code_makes() -> None:
    assert json.loads(COMMITTED.read_text("utf-8")) == json.loads(json.dumps(document()))


@requirement("openapi.document")
def test_every_operation_is_served_once_and_every_endpoint_is_in_the_catalogue() -> None:
    served = [endpoint.operation.name for endpoint in ENDPOINTS]

    assert sorted(served) == sorted(OPERATIONS)


def test_every_component_is_used() -> None:
    components = document()["components"]
    made = {f"#/components/{kind}/{name}" for kind in components for name in components[kind]}

    assert made - references_in(document()) == {"#/components/securitySchemes/token"}


@requirement("openapi.answers")
def test_no_refusal_is_unknown_to_the_examples() -> None:
    codes = {refusal.code for refusal in Refusal.__subclasses__()} - {"method_not_allowed"}

    assert set(document()["components"]["examples"]) == codes


@requirement("openapi.endpoints")
def test_an_endpoint_documents_scope_summary_and_parameters(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint=endpoint):
            described = document()["paths"][endpoint.path][endpoint.method]
            scope = endpoint.operation.scope or "write"
            described_parts = [one["name"] for one in described["parameters"] if one["in"] == "path"]

            assert described["security"] == ([] if endpoint.takes_a_file else [{"token": []}])
            assert endpoint.takes_a_file or f"Needs the scope {scope}" in described["description"]
            assert described["summary"].endswith(".")
            assert described_parts == list(endpoint.path_parameters)
            assert all(one["description"] for one in described["parameters"])


@requirement("openapi.refusals")
def test_the_refusals_of_a_status_have_one_open_schema_and_name_their_codes(subtests: pytest.Subtests) -> None:
    schemas = document()["components"]["schemas"]
    for endpoint in ENDPOINTS:
        described = document()["paths"][endpoint.path][endpoint.method]["responses"]
        for status in (status for status in described if int(status) >= 400):
            with subtests.test(endpoint=endpoint, status=status):
                content = response_documented(endpoint, status)["content"]["application/json"]
                name = f"Refusal{status}"

                assert content["schema"] == {"$ref": f"#/components/schemas/{name}"}
                assert set(content["examples"]) <= set(codes_in(schemas[name]))
                assert "additionalProperties" not in json.dumps(schemas[name])


def codes_in(schema: dict[str, Any]) -> list[str]:
    codes: list[str] = schema["properties"]["error"]["properties"]["code"]["enum"]
    return codes


@requirement("openapi.kinds")
def test_the_first_answer_that_fits_is_the_one_that_says_most(subtests: pytest.Subtests) -> None:
    schemas = document()["components"]["schemas"]
    for endpoint in ENDPOINTS:
        for kinds in kinds_of(endpoint):
            required = [set(schemas[name].get("required", ())) for name in kinds]
            with subtests.test(endpoint=endpoint, kinds=kinds):
                assert not any(earlier < later for earlier, later in combinations(required, 2))

    assert kinds_of(endpoint_named("update_post"))[0][-1] == "ShortWrite"


def kinds_of(endpoint: Endpoint) -> list[list[str]]:
    """The names of the answers of an endpoint, for each status that has several."""
    described = document()["paths"][endpoint.path][endpoint.method]["responses"].values()
    bodies = [one.get("content", {}).get("application/json", {}).get("schema", {}) for one in described]
    return [[kind["$ref"].rpartition("/")[2] for kind in body["anyOf"]] for body in bodies if "anyOf" in body]


@requirement("openapi.files")
def test_a_file_is_the_part_of_a_form_or_bytes() -> None:
    upload = document()["paths"]["/images"]["post"]["requestBody"]["content"]
    ticket = document()["paths"]["/images/tickets/{id}"]["put"]["requestBody"]["content"]

    [(media_type, form)] = upload.items()
    assert (media_type, set(form["schema"]["properties"])) == (
        "multipart/form-data",
        {"file", "url", "credit", "digital_source_type"},
    )
    assert [*ticket] == ["application/octet-stream"]


@requirement("openapi.lists")
def test_a_list_in_the_query_is_a_name_that_comes_several_times() -> None:
    lists = [
        (endpoint.path, parameter["style"], parameter["explode"])
        for endpoint in ENDPOINTS
        for parameter in document()["paths"][endpoint.path][endpoint.method]["parameters"]
        if parameter["schema"].get("type") == "array"
    ]

    assert ("/posts/{id}", "form", True) in lists
    assert {(style, explode) for _, style, explode in lists} == {("form", True)}


@requirement("openapi.examples")
def test_a_recorded_example_has_the_documented_shape(subtests: pytest.Subtests) -> None:
    for operation in sorted(OPERATIONS):
        with subtests.test(operation=operation):
            endpoint = endpoint_named(operation)
            described = document()["paths"][endpoint.path][endpoint.method]
            responses = described["responses"]
            shown = [r["content"]["application/json"] for s, r in responses.items() if s in {"200", "201", "202"}]

            assert all("example" in one for one in shown)
            for one in shown:
                status = next(s for s in responses if s in {"200", "201", "202"})
                answer = HttpResponse(json.dumps(one["example"]), status=int(status), content_type="application/json")
                check_answer(endpoint, answer)
            for body in described.get("requestBody", {}).get("content", {}).values():
                assert "example" in body or "multipart" in str(described) or endpoint.takes_a_file
                if "example" in body:
                    schema: dict[str, Any] = {**body["schema"], "components": document()["components"]}
                    Draft202012Validator(schema).validate(body["example"])


@requirement("openapi.answers")
def test_an_answer_that_is_not_documented_is_noticed() -> None:
    endpoint = endpoint_named("get_post")

    for status, body in ((418, "{}"), (200, "{}"), (404, '{"error": {"code": "no", "message": "", "details": []}}')):
        with pytest.raises(AssertionError):
            check_answer(endpoint, HttpResponse(body, status=status, content_type="application/json"))
