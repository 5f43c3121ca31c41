"""The OpenAPI document is valid, complete and the committed one."""

import json
import warnings
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
from tests.support.clients import OPERATIONS, check_answer, document

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
            scope = endpoint.operation.scope
            described_parts = [one["name"] for one in described["parameters"] if one["in"] == "path"]

            token = [{"token": [scope.value] if scope else []}]

            assert described["security"] == ([] if endpoint.takes_a_file else token)
            assert described["summary"].endswith(".")
            assert described_parts == list(endpoint.path_parameters)
            assert all(one["description"] for one in described["parameters"])


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
