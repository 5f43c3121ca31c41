"""JSON Schemas of tools: closed inputs without references, outputs one level deep (mcp.md, decisions 3 and 4)."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from blog_engine.inputs.base import Input
from blog_engine.inputs.types import CountDigits
from blog_engine.operations.schema import ANSWERED, SENT, PlainSchema, Schema
from blog_engine.outputs.base import Output

_TOLD_BY_REFUSALS = frozenset(
    {"properties", "pattern", "maxLength", "maxItems", "minProperties", "maxProperties", "maximum", "default"}
)
"""What few calls need to know: the list of tools has a budget, and a refusal names limits (mcp.md, decision 6)."""
_SAID_BY_THEIR_NAMES = frozenset(
    {
        *("title", "search_title", "search_description", "body", "body_format", "cover_alt", "series_position"),
        *("featured", "provenance_evidence", "made_by_ai", "change_description", "category_description"),
        *("first_published_evidence", "last_modified_evidence", "source_system"),
        *("external_id", "social_image", "page", "per_page", "status", "bio", "kind", "connections", "provenance"),
        *("canonical_url", "source_body_sha256", "dry_run"),
    }
)
"""Fields that an agent understands without a sentence."""

_DIGITS = TypeAdapter(CountDigits).json_schema(schema_generator=PlainSchema)

_OF_OUTPUTS = ("string", "integer", "number", "boolean", "object", "array", "null")


def input_schema(models: Iterable[type[Input]], *, without: Iterable[str] = (), required: Iterable[str] = ()) -> Schema:
    """What a tool takes that runs an operation with one of these inputs.

    The fields of all of them but ``without``, which the tool decides; needed are those that every model needs, and
    ``required``. No combinator stands at the root: which fields go together is for the refusals to say.
    """
    schemas = [model.model_json_schema(schema_generator=PlainSchema, mode=SENT) for model in models]
    properties: Schema = {}
    for schema in schemas:
        for name, field in schema.get("properties", {}).items():
            properties.setdefault(name, _field(name, _inlined(field, schema.get("$defs", {}))))
    for name in without:
        del properties[name]
    for name in required:
        properties[name] = _without_null(properties[name])
    common = set.intersection(*(set(schema.get("required", ())) for schema in schemas)) | set(required)
    needed = [name for name in properties if name in common]
    first = [*(name for name in properties if name == "id"), *needed]
    shown: Schema = {
        "type": "object",
        "properties": {name: properties[name] for name in dict.fromkeys([*first, *properties])},
        "additionalProperties": False,
    }
    return shown | ({"required": needed} if needed else {})


def output_schema(models: Iterable[type[Output]]) -> Schema:
    """What a tool answers: the keys with their JSON types, or the error object instead; so none is required.

    A key of several answers has the types of all of them.
    """
    found: dict[str, set[str]] = {}
    for model in models:
        schema = model.model_json_schema(schema_generator=PlainSchema, mode=ANSWERED)
        for name, field in schema["properties"].items():
            found.setdefault(name, set()).update(_types_in(field, schema.get("$defs", {})))
    properties = {name: _one_or_more(types) for name, types in found.items()}
    return {"type": "object", "properties": properties | {"error": {"type": "object"}}}


def _inlined(node: Any, definitions: Mapping[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_inlined(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        whole = definitions[_name_in(node["$ref"])] | {key: part for key, part in node.items() if key != "$ref"}
        return _inlined(whole, definitions)
    return {key: _inlined(part, definitions) for key, part in node.items()}


def _field(name: str, whole: Schema) -> Schema:
    brief: Schema = _brief(whole)
    if name in _SAID_BY_THEIR_NAMES:
        return brief
    told = [whole["description"], brief.get("description")]
    return brief | {"description": " ".join(filter(None, told))}


def _brief(node: Any) -> Any:
    """A schema without what its refusals say, and without the prose about inner fields."""
    if isinstance(node, list):
        return [_brief(part) for part in node]
    if not isinstance(node, dict):
        return node
    brief = {key: _brief(part) for key, part in _for_every_provider(node).items() if key not in _TOLD_BY_REFUSALS}
    inner = {name: _brief(field) for name, field in node.get("properties", {}).items()}
    return brief | ({"properties": inner} if inner else {})


def _for_every_provider(schema: Schema) -> Schema:
    """The same in words that Gemini takes: for a ``const`` or the format of dates it refuses all tools.

    Numbers as text are for addresses, and not offered.
    """
    kept = {key: part for key, part in schema.items() if key not in {"const", "description"}}
    if "const" in schema:
        return {"enum": [schema["const"]], **kept}
    if schema.get("format") == "date":
        return {"type": schema["type"], "description": "YYYY-MM-DD"}
    number, *others = schema.get("anyOf", [{}])
    return number if others == [_DIGITS] else kept


def _without_null(schema: Schema) -> Schema:
    kind, *_ = schema.get("anyOf", [schema])
    return {**kind, "description": schema["description"]}


def _one_or_more(found: set[str]) -> Schema:
    types = [kind for kind in _OF_OUTPUTS if kind in found]
    return {"type": types[0] if len(types) == 1 else types}


def _types_in(field: Schema, definitions: Mapping[str, Schema]) -> Iterable[str]:
    if "$ref" in field:
        return _types_in(definitions[_name_in(field["$ref"])], definitions)
    if "anyOf" in field:
        return [kind for part in field["anyOf"] for kind in _types_in(part, definitions)]
    return [field["type"]]


def _name_in(reference: str) -> str:
    return reference.rpartition("/")[2]
