"""``reference/openapi.json`` and ``openapi.md``: every operation of the API and every object that it sends or takes."""

import json
from collections.abc import Iterator
from typing import Any

from blog_engine.api.openapi.document import openapi_document
from blog_engine.api.openapi.endpoints import endpoints_of
from blog_engine.api.urls import router
from reference_pages import body, table
from reference_pages.schemas import Schema, type_of


def _document() -> Schema:
    return openapi_document(endpoints_of(router))


def write_json() -> str:
    """Return the OpenAPI document; its servers are those of the blog that serves it."""
    return json.dumps(_document(), ensure_ascii=False, indent=1) + "\n"


def write() -> str:
    """Return a section for each operation, then one for each object."""
    document = _document()
    operations = [
        (method, path, operation) for path, item in document["paths"].items() for method, operation in item.items()
    ]
    overview = table(
        ["Call", "Does"], ([f"[`{m.upper()} {p}`](#{o['operationId']})", o["summary"]] for m, p, o in operations)
    )
    calls = (part for method, path, operation in operations for part in _operation(method, path, operation))
    objects = (part for name, schema in document["components"]["schemas"].items() for part in _object(name, schema))
    return body(overview, "## Calls", *calls, "## Objects", *objects)


def _operation(method: str, path: str, operation: Schema) -> Iterator[str]:
    yield f"### {operation['operationId']}"
    yield f"`{method.upper()} {path}`"
    yield f"{operation['summary']} {operation['description']}"
    if operation["parameters"]:
        yield table(["Parameter", "In", "Type", "Meaning"], map(_parameter, operation["parameters"]))
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from _body(media_type, content)
    yield _answers(operation["responses"])


def _parameter(parameter: Schema) -> list[str]:
    required = " (required)" if parameter.get("required") else ""
    return [
        f"`{parameter['name']}`{required}",
        parameter["in"],
        type_of(parameter["schema"]),
        parameter.get("description", ""),
    ]


def _body(media_type: str, content: Schema) -> Iterator[str]:
    schema = content["schema"]
    if "properties" not in schema:
        yield f"Body, `{media_type}`: {type_of(schema)}."
    else:
        yield f"Body, `{media_type}`:"
        yield _fields(schema)
    if "example" in content:
        yield f"```json\n{json.dumps(content['example'], ensure_ascii=False, indent=2)}\n```"


def _answers(responses: dict[str, Any]) -> str:
    answers = []
    refusals = []
    for status, response in responses.items():
        if int(status) < 400:
            schemas = [type_of(content["schema"]) for content in response.get("content", {}).values()]
            answers.append(f"{status} {' or '.join(dict.fromkeys(schemas)) or 'no body'}")
        else:
            refusals.append(f"{status} {', '.join(f'`{code}`' for code in _codes(response))}")
    return f"Answers: {'; '.join(answers)}. Refusals: {'; '.join(refusals)}."


def _codes(response: Schema) -> list[str]:
    if "$ref" in response:
        return response["$ref"].rpartition("/")[2].split("_or_")
    return list(response["content"]["application/json"]["examples"])


def _object(name: str, schema: Schema) -> Iterator[str]:
    yield f"### {name}"
    if schema.get("description"):
        yield schema["description"]
    yield _fields(schema) if "properties" in schema else f"One of {type_of(schema)}."


def _fields(schema: Schema) -> str:
    required = schema.get("required", [])
    # Every key of an answer is always there; only what a client sends has optional ones.
    mark = " (required)" if len(required) < len(schema["properties"]) else ""
    rows = (
        [f"`{name}`" + (mark if name in required else ""), type_of(part), part.get("description", "")]
        for name, part in schema["properties"].items()
    )
    return table(["Field", "Type", "Meaning"], rows)
