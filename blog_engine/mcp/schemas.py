"""JSON Schemas of tools, in the subset that every provider of models accepts."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from blog_engine.inputs.base import Input
from blog_engine.inputs.types import CountDigits, Obvious
from blog_engine.operations.schema import ANSWERED, SENT, PlainSchema, Schema
from blog_engine.outputs.base import Output

_OMITTED_KEYWORDS = frozenset(
    {
        *("properties", "additionalProperties", "default", "pattern", "minLength", "maxLength", "maxItems"),
        *("minimum", "maximum", "minProperties", "maxProperties"),
    }
)
"""Keywords that few calls need: ``tools/list`` has a budget, and a refusal names the limit."""
_DIGITS = TypeAdapter(CountDigits).json_schema(schema_generator=PlainSchema)

_UNLISTED = frozenset({"with_body", "signed_id"})
"""Fields that tools take and no agent needs: ``answer`` replaces the first, and hosts sign the second."""

_NULL: Schema = {"type": "null"}
_NO_DEFINITIONS: Mapping[str, Schema] = MappingProxyType({})

_MOST_KEYS = 8
"""An output schema lists no more keys: few clients show it to a model, and OpenAPI describes every answer."""

_JSON_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")


def input_schema(models: Iterable[type[Input]], *, without: Iterable[str] = (), required: Iterable[str] = ()) -> Schema:
    """Return the schema of the arguments of a tool whose operations take these inputs.

    It has the fields of all ``models`` except ``without``, which the tool sets. Required are the fields that every
    model requires, and ``required``. Which fields go together is left to the refusals, because clients do not accept
    combinators at the root (``agents.tools.input-schemas``).
    """
    schemas = [model.model_json_schema(schema_generator=PlainSchema, mode=SENT) for model in models]
    properties: Schema = {}
    for schema in schemas:
        for name, field in schema.get("properties", {}).items():
            properties.setdefault(name, _property(_inline(field, schema.get("$defs", {}))))
    for name in without:
        del properties[name]
    for name in required:
        properties[name] = _without_null(properties[name])
    common = set.intersection(*(set(schema.get("required", ())) for schema in schemas)) | set(required)
    in_order = [name for name in properties if name in common]
    first = [*(name for name in properties if name == "id"), *in_order]
    closed: Schema = {
        "type": "object",
        "properties": {name: properties[name] for name in dict.fromkeys([*first, *properties])},
    }
    return closed | ({"required": in_order} if in_order else {})


def portable(schema: Schema) -> Schema:
    """Return an input schema without what only some providers convert: a text stands for every other kind.

    The description of a field says what its null means. It leaves out ``_UNLISTED``.
    """
    fields = {name: field for name, field in schema["properties"].items() if name not in _UNLISTED}
    return schema | {"properties": {name: _listed(_one_kind(field)) for name, field in fields.items()}}


def _listed(field: Schema) -> Schema:
    inner = field.get("properties", {})
    kept = {name: part for name, part in inner.items() if name not in _UNLISTED}
    return field | {"properties": kept} if len(kept) < len(inner) else field


def _one_kind(field: Schema) -> Schema:
    kinds = [kind for kind in field.get("anyOf", ()) if kind != _NULL]
    if kinds and {"type": "string"} in kinds:
        # An author is an object where its kind or URL matters; blog_save_author takes these too.
        kinds = [{"type": "string"}]
    rest = {key: part for key, part in field.items() if key != "anyOf"}
    return field if not kinds else {**kinds[0], **rest} if len(kinds) == 1 else {"anyOf": kinds, **rest}


def output_schema(models: Iterable[type[Output]]) -> Schema:
    """Return the schema of an answer: its keys with their JSON types, unless there are many.

    It admits other keys, and so ``error``.
    """
    found: dict[str, set[str]] = {}
    for model in models:
        schema = model.model_json_schema(schema_generator=PlainSchema, mode=ANSWERED)
        for name, field in schema["properties"].items():
            found.setdefault(name, set()).update(json_types(field, schema.get("$defs", {})))
    properties = {name: _any_of(types) for name, types in found.items()} if len(found) <= _MOST_KEYS else {}
    return {"type": "object"} | ({"properties": properties} if properties else {})


def _inline(node: Any, definitions: Mapping[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_inline(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        whole = definitions[_definition_name(node["$ref"])] | {key: part for key, part in node.items() if key != "$ref"}
        return _inline(whole, definitions)
    return {key: _inline(part, definitions) for key, part in node.items()}


def _property(whole: Schema) -> Schema:
    brief: Schema = _brief(whole)
    if isinstance(whole["description"], Obvious):
        return brief
    sentences = [whole["description"], brief.get("description")]
    return brief | {"description": " ".join(filter(None, sentences))}


def _brief(node: Any) -> Any:
    """Return the schema without ``_OMITTED_KEYWORDS`` and inner descriptions."""
    if isinstance(node, list):
        return [_brief(part) for part in node]
    if not isinstance(node, dict):
        return node
    brief = {key: _brief(part) for key, part in _portable(node).items() if key not in _OMITTED_KEYWORDS}
    inner = {name: _brief(field) for name, field in node.get("properties", {}).items()}
    return brief | ({"properties": inner} if inner else {})


def _portable(schema: Schema) -> Schema:
    """Return the schema in keywords that Gemini accepts.

    It refuses all tools for ``const``, ``format: date`` or a list of types. Numbers as strings are for query strings,
    and are left out. So is the null of a text or a boolean: an empty text or none means the same.
    """
    kept = {key: part for key, part in schema.items() if key not in {"const", "description"}}
    if "const" in schema:
        return {"enum": [schema["const"]], **kept}
    if schema.get("format") == "date":
        return {"type": schema["type"], "description": "YYYY-MM-DD"}
    first, *others = schema.get("anyOf", [{}])
    is_word = "format" not in first and first.get("type") in {"string", "boolean"}
    return first if others == [_DIGITS] or (others == [_NULL] and is_word) else kept


def _without_null(schema: Schema) -> Schema:
    kind, *_ = schema.get("anyOf", [schema])
    return {**kind, "description": schema["description"]}


def _any_of(found: set[str]) -> Schema:
    types = [kind for kind in _JSON_TYPES if kind in found]
    return {"type": types[0] if len(types) == 1 else types}


def json_types(field: Schema, definitions: Mapping[str, Schema] = _NO_DEFINITIONS) -> Iterable[str]:
    """Return the JSON types that the schema of a field admits."""
    if "$ref" in field:
        return json_types(definitions[_definition_name(field["$ref"])], definitions)
    if "anyOf" in field:
        return [kind for part in field["anyOf"] for kind in json_types(part, definitions)]
    return [field["type"]]


def _definition_name(reference: str) -> str:
    return reference.rpartition("/")[2]
