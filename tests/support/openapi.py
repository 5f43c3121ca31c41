"""Hold every API answer of the suite against the OpenAPI document: status, refusal code and shape."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from blog_engine.api.openapi.document import openapi_document
from blog_engine.api.openapi.endpoints import Endpoint, endpoints_of
from blog_engine.api.urls import router

_NOT_OF_AN_OPERATION = {400, 405}
"""A forged Host, another method."""

_JSON = "application/json"
_FORMATS = FormatChecker(["date", "date-time"])


def answers_are_documented(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware that raises ``AssertionError`` for an answer that the document does not know."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        endpoint = endpoint_of(request)
        if endpoint is not None and response.status_code not in _NOT_OF_AN_OPERATION:
            check_answer(endpoint, response)
        return response

    return middleware


def check_answer(endpoint: Endpoint, response: HttpResponse) -> None:
    """Raise ``AssertionError`` unless the endpoint documents this answer."""
    where = f"{endpoint.method} {endpoint.path}"
    documented = document()["paths"][endpoint.path][endpoint.method]["responses"]
    status = str(response.status_code)
    assert status in documented, f"{where} answered {status}: {response.content!r}"
    form = response.headers.get("Content-Type", _JSON).partition(";")[0]
    for fault in _validator(endpoint.path, endpoint.method, status, form).iter_errors(_body(response, form)):
        raise AssertionError(f"{where} answered {status} in another shape: {fault.message} at {list(fault.path)}")


@cache
def document() -> dict[str, Any]:
    """The document as it is served."""
    return openapi_document(endpoints_of(router))


@cache
def _validator(path: str, method: str, status: str, form: str) -> Draft202012Validator:
    response = document()["paths"][path][method]["responses"][status]
    if "$ref" in response:
        response = document()["components"]["responses"][response["$ref"].rpartition("/")[2]]
    if "content" in response:
        assert form in response["content"], f"{method} {path} answered {form}"
    schema = response["content"][form]["schema"] if "content" in response else {"type": "null"}
    whole = Resource.from_contents(document(), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:openapi", whole)
    return Draft202012Validator(_absolute(schema), registry=registry, format_checker=_FORMATS)


def _absolute(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: f"urn:openapi{value}" if key == "$ref" else _absolute(value) for key, value in node.items()}
    return [_absolute(value) for value in node] if isinstance(node, list) else node


def _body(response: HttpResponse, form: str) -> Any:
    if form != _JSON:
        return response.content.decode()
    return json.loads(response.content) if response.content else None


def endpoint_of(request: HttpRequest) -> Endpoint | None:
    """The endpoint that a request was routed to; ``None`` outside the API."""
    match = request.resolver_match
    actions = getattr(match.func, "actions", None) if match else None
    if not actions or getattr(match.func, "cls", None) not in {viewset for _, viewset in router.served}:
        return None
    action = actions.get((request.method or "").lower())
    return _endpoints().get((match.func.cls, action))


@cache
def _endpoints() -> dict[tuple[type, str], Endpoint]:
    return {(endpoint.viewset, endpoint.action): endpoint for endpoint in endpoints_of(router)}
