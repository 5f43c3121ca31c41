"""What the Python clients of openapi-generator send, made from the document of the API.

Their ``from_dict`` sets every field of a model, and ``to_dict`` leaves out those that are ``None``, unless the schema
calls them nullable: then they are sent as null.
"""

from typing import Any

from jsonschema import Draft202012Validator

from tests.support.openapi import document

_NULL = {"type": "null"}


def request_schema(path: str, method: str) -> dict[str, Any]:
    """Return the schema of the JSON that an operation takes."""
    content = document()["paths"][path][method]["requestBody"]["content"]
    schema: dict[str, Any] = content["application/json"]["schema"]
    return schema


def as_a_model_sends(values: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return what ``Model.from_dict(values).to_dict()`` sends; a value that the model cannot have is left out."""
    sent: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        value = _fitting(values.get(name, field.get("default")), field)
        if value is not None or _is_nullable(field):
            sent[name] = value
    return sent


def _fitting(value: Any, field: dict[str, Any]) -> Any:
    """Return the value as the model of a field has it, or ``None``."""
    if isinstance(value, dict):
        for part in map(_resolved, field.get("anyOf", [field])):
            if "properties" in part:
                value = as_a_model_sends({k: v for k, v in value.items() if k in part["properties"]}, part)
    whole = {**field, "components": document()["components"]}
    return value if Draft202012Validator(whole).is_valid(value) else None


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return document()["components"]["schemas"][name] if name else schema


def _is_nullable(field: dict[str, Any]) -> bool:
    return _NULL in field.get("anyOf", [])
