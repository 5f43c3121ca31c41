"""The values that clients of models send, as the schema of a tool admits them (agents.values.null)."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import get_args

from blog_engine.actor import Call
from blog_engine.errors import Refusal
from blog_engine.http.requests import read_json
from blog_engine.inputs.base import Input
from blog_engine.inputs.hints import fields_as_sent
from blog_engine.inputs.types import LONGEST_BODY, NamesPost
from blog_engine.mcp.schemas import json_types
from blog_engine.operations.schema import Schema
from blog_engine.queries.post_names import post_key_in

_MISSING = object()
_FLAGS = {"true": True, "false": False}


def as_admitted(arguments: Mapping[str, object], schema: Schema) -> dict[str, object]:
    """Return the arguments of a call as its schema admits them, without the nulls that it does not declare.

    What fits nothing stays as it was sent, so that the refusal speaks of that.
    """
    fields = schema.get("properties", {})
    found = {name: _admitted(value, fields[name]) if name in fields else value for name, value in arguments.items()}
    return {name: value for name, value in found.items() if value is not _MISSING}


def object_of(arguments: object) -> object:
    """Return the arguments of a call: none for null, the object that a JSON text is, or what was sent."""
    if arguments is None:
        return {}
    return _parsed(arguments, dict) if isinstance(arguments, str) else arguments


def with_post_keys(arguments: Mapping[str, object], model: type[Input], call: Call) -> dict[str, object]:
    """Return the arguments of a call with the ids and slugs of posts that were sent as URLs or in another form."""
    return {
        name: post_key_in(value, base_url=call.base_url, now=call.now)
        if isinstance(value, str) and name in _names_of_posts(model)
        else value
        for name, value in arguments.items()
    }


@cache
def _names_of_posts(model: type[Input]) -> frozenset[str]:
    return frozenset(name for name, field in fields_as_sent(model).items() if _has_mark(field.metadata, field))


def _has_mark(metadata: Iterable[object], inner: object) -> bool:
    if any(isinstance(mark, NamesPost) for mark in metadata):
        return True
    annotation = getattr(inner, "annotation", inner)
    return any(_has_mark(getattr(part, "__metadata__", ()), part) for part in get_args(annotation))


def _admitted(value: object, schema: Schema) -> object:
    kinds = {*json_types(schema)}
    match value:
        case None:
            return None if "null" in kinds else _MISSING
        case float() if value.is_integer() and "integer" in kinds:
            return int(value)
        case str() if kinds == {"boolean"}:
            return _FLAGS.get(value.strip().lower(), value)
        case str() if kinds and kinds <= {"array", "object", "null"}:
            value = _parsed(value, *(kind for name, kind in (("array", list), ("object", dict)) if name in kinds))
    if isinstance(value, dict) and (inner := _branch(schema, "object")):
        return as_admitted(value, inner)
    if isinstance(value, list) and (inner := _branch(schema, "array")) and "items" in inner:
        entries = (_admitted(entry, inner["items"]) for entry in value)
        return [entry for entry in entries if entry is not _MISSING]
    return value


def _parsed(text: str, *kinds: type) -> object:
    if len(text) > LONGEST_BODY:
        return text
    try:
        value = read_json(text.encode())
    except (Refusal, UnicodeError):
        return text
    return value if isinstance(value, kinds) else text


def _branch(schema: Schema, kind: str) -> Schema | None:
    """Return the part of a schema that describes values of this type."""
    return next((part for part in schema.get("anyOf", [schema]) if part.get("type") == kind), None)
