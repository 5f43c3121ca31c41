"""The OpenAPI document as a whole."""

from collections.abc import Iterable, Mapping
from typing import Any

from blog_engine import __version__
from blog_engine.api.openapi.endpoints import Endpoint, body_of, example_of, parameters_of
from blog_engine.api.openapi.refusals import (
    REFUSALS_OF_INPUT,
    refusal_examples,
    refusal_responses,
    refusal_schemas,
    refusals_of,
    shared_responses,
)
from blog_engine.enums import BodyFormat
from blog_engine.errors import InternalError
from blog_engine.http.origins import REPLAYED
from blog_engine.operations.schema import ANSWERED, SENT, Schema, Shape, accepting, definitions_of

_COMPONENTS = "#/components/schemas/{model}"
_COUNTED = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_DESCRIPTION = """\
A publishing engine for a blog that people and agents write. Bodies are JSON objects; unknown fields are refused, and \
a refusal writes nothing. No scope implies another. Answers may gain keys in later versions: clients must ignore the \
keys that they do not know.\
"""
# Scopes are in the descriptions: OpenAPI has none for bearer tokens.
_SECURITY: list[Schema] = [{"token": []}]
_HEADERS: dict[str, str] = {
    "ETag": "The version of the post, for If-Match; a dry run has none.",
    REPLAYED: "true on an answer that the call had before.",
    "RateLimit-Limit": "Requests that one actor may make in a window.",
    "RateLimit-Remaining": "Requests left in this window.",
    "RateLimit-Reset": "Seconds until the window ends.",
    "Retry-After": "Seconds to wait before the next attempt.",
    "WWW-Authenticate": "The scheme to authenticate with.",
}


def openapi_document(endpoints: Iterable[Endpoint], *, body_formats: Iterable[str] = (BodyFormat.MARKDOWN,)) -> Schema:
    """Return the OpenAPI 3.1 document of these endpoints and its own endpoint.

    ``body_formats`` are those that the blog accepts. The view that serves the document adds the server.
    """
    formats = [str(form) for form in body_formats]
    wanted = list(endpoints)
    operations = [endpoint.operation for endpoint in wanted]
    shapes: list[Shape] = [(operation.input, SENT) for operation in operations]
    shapes += [(output, ANSWERED) for operation in operations for output in operation.outputs]
    references, definitions = definitions_of(shapes, ref_template=_COMPONENTS)
    paths: dict[str, Schema] = {}
    for endpoint in wanted:
        sent = definitions[_name_in(references[endpoint.operation.input, SENT])]
        sent = sent | {"properties": accepting(sent.get("properties", {}), formats)}
        paths.setdefault(endpoint.path, {})[endpoint.method] = _operation(endpoint, references, definitions, sent)
    paths["/schema"] = {"get": _own_operation()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "blog_engine", "version": __version__, "description": _DESCRIPTION},
        "servers": [{"url": "/"}],
        "security": _SECURITY,
        "tags": [{"name": tag} for tag in dict.fromkeys([*(endpoint.tag for endpoint in wanted), "schema"])],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "headers": {name: _header(name, description) for name, description in _HEADERS.items()},
            "responses": shared_responses(),
            "examples": refusal_examples(),
            "schemas": refusal_schemas() | _used(definitions, by=paths),
        },
    }


def _own_operation() -> Schema:
    """Return the endpoint that serves this document, which needs no token and is not rate limited."""
    forms = {name: {"schema": {"type": "object"}} for name in ("application/json", "application/yaml")}
    form: Schema = {"type": "string", "enum": ["json", "yaml"], "default": "json"}
    return {
        "operationId": "get_schema",
        "tags": ["schema"],
        "summary": "Get this document.",
        "description": "Needs no token.",
        "security": [],
        "parameters": [
            {"name": "format", "in": "query", "required": False, "description": "Its format.", "schema": form}
        ],
        "responses": {"200": {"description": _DESCRIPTIONS[200], "content": forms}}
        | refusal_responses((*REFUSALS_OF_INPUT, InternalError)),
    }


def _operation(
    endpoint: Endpoint, references: Mapping[Shape, Schema], definitions: Mapping[str, Schema], sent: Schema
) -> Schema:
    operation, example = endpoint.operation, example_of(endpoint.operation.name)
    described: Schema = {
        "operationId": operation.name,
        "tags": [endpoint.tag],
        "summary": operation.summary.splitlines()[0],
        "description": _scope(endpoint),
        "security": [] if endpoint.takes_a_file else _SECURITY,
        "parameters": parameters_of(endpoint, sent),
        "responses": _successes(endpoint, references, definitions, example=example.get("response"))
        | refusal_responses(refusals_of(endpoint)),
    }
    body = body_of(endpoint, sent, example=example.get("request"))
    return described | ({"requestBody": body} if body else {})


def _scope(endpoint: Endpoint) -> str:
    if endpoint.takes_a_file:
        return "Needs no token: the secret of the URL is the right to send one file."
    if endpoint.operation.scope is None:
        return "Needs the scope write, or publish when it releases, approves, or changes a scheduled or public post."
    return f"Needs the scope {endpoint.operation.scope}."


def _successes(
    endpoint: Endpoint, references: Mapping[Shape, Schema], definitions: Mapping[str, Schema], *, example: Any
) -> dict[str, Schema]:
    operation = endpoint.operation
    counted = () if endpoint.takes_a_file else _COUNTED
    names = (*counted, "ETag") if endpoint.has_entity_tag else counted
    names = (*names, REPLAYED) if endpoint.takes_a_key else names
    headers = {"headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names}}
    responses: dict[str, Schema] = {}
    if operation.outputs:
        content: Schema = {
            "schema": _one_of([references[output, ANSWERED] for output in operation.outputs], definitions)
        }
        content |= {"example": example} if example is not None else {}
        forms = {"application/json": content} | ({"text/plain": _TEXT} if endpoint.has_text else {})
        for status in endpoint.success.statuses:
            responses[str(status)] = {"description": _DESCRIPTIONS[status], "content": forms} | headers
    if endpoint.answers_not_modified:
        responses["304"] = {"description": _DESCRIPTIONS[304]} | headers
    if operation.may_be_empty:
        responses["204"] = {"description": _DESCRIPTIONS[204]} | headers
    return responses


def _one_of(answers: list[Schema], definitions: Mapping[str, Schema]) -> Schema:
    """Return the schema of several answers, those with the most required keys first.

    Generated clients read an answer as the first one that it fits, and a dry run fits the answer of a write.
    """
    if len(answers) == 1:
        return answers[0]
    required = {_name_in(answer): len(definitions[_name_in(answer)].get("required", ())) for answer in answers}
    return {"anyOf": sorted(answers, key=lambda answer: -required[_name_in(answer)])}


_TEXT: Schema = {"schema": {"type": "string"}}
_DESCRIPTIONS = {
    200: "Success.",
    201: "Created.",
    202: "Accepted; the post is scheduled.",
    204: "Deleted.",
    304: "The post has a version that If-None-Match names.",
}


def _header(name: str, description: str) -> Schema:
    kind = "string" if name in {"ETag", "WWW-Authenticate", REPLAYED} else "integer"
    return {"description": description, "schema": {"type": kind}}


def _used(definitions: Mapping[str, Schema], *, by: object) -> dict[str, Schema]:
    """Return the definitions that something refers to; inputs are inlined where they are sent."""
    used: dict[str, Schema] = {}
    waiting = [by]
    while waiting:
        for name in _names_in(waiting.pop()):
            if name in definitions and name not in used:
                used[name] = definitions[name]
                waiting.append(definitions[name])
    return dict(sorted(used.items()))


def _names_in(node: object) -> list[str]:
    if isinstance(node, Mapping):
        own = [_name_in(node)] if isinstance(node.get("$ref"), str) else []
        return own + [name for value in node.values() for name in _names_in(value)]
    return [name for value in node for name in _names_in(value)] if isinstance(node, list) else []


def _name_in(reference: Mapping[str, Any]) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name
