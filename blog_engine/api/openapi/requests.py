"""What an endpoint takes: address parts, query parameters, body."""

from typing import Any

from blog_engine.api.openapi.routes import Endpoint
from blog_engine.operations.schema import Schema

_IN_THE_QUERY = frozenset({"get", "delete"})
_BINARY = "binary"
_NULL: Schema = {"type": "null"}


def parameters_of(endpoint: Endpoint, sent: Schema) -> list[Schema]:
    """The parameters of an endpoint; ``sent`` is the schema of its input."""
    fields, required = sent.get("properties", {}), sent.get("required", ())
    parts = [_parameter(name, fields[name], place="path", required=True) for name in endpoint.address_parts]
    if endpoint.method not in _IN_THE_QUERY:
        return parts
    others = [name for name in fields if name not in endpoint.address_parts]
    return parts + [_parameter(name, fields[name], place="query", required=name in required) for name in others]


def body_of(endpoint: Endpoint, sent: Schema, *, example: Any = None) -> Schema | None:
    """The request body of an endpoint, ``None`` when it takes none; a binary field travels alone, as a form."""
    if endpoint.method in _IN_THE_QUERY:
        return None
    fields = {name: field for name, field in sent.get("properties", {}).items() if name not in endpoint.address_parts}
    files = {name: field for name, field in fields.items() if field.get("format") == _BINARY}
    plain = {name: field for name, field in fields.items() if name not in files}
    required = [*plain] if files else [name for name in sent.get("required", ()) if name in plain]
    content = {"application/json": {"schema": _object(plain, required=required)}} if plain else {}
    if example is not None:
        content["application/json"]["example"] = example
    if files:
        content["multipart/form-data"] = {"schema": _object(files, required=[*files])}
    return {"required": bool(required), "content": content} if content else None


def _parameter(name: str, field: Schema, *, place: str, required: bool) -> Schema:
    # An address has no null: a field that is not sent says the same.
    forms = [form for form in field.get("anyOf", ()) if form != _NULL]
    schema = {key: value for key, value in field.items() if key not in {"description", "anyOf"}}
    if forms:
        schema |= forms[0] if len(forms) == 1 else {"anyOf": forms}
    return {
        "name": name,
        "in": place,
        "required": required,
        "description": field.get("description", ""),
        "schema": schema,
    }


def _object(fields: dict[str, Schema], *, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return schema | ({"required": required} if required else {})
