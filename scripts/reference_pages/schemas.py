"""JSON Schema in words, for the pages of the API and of the tools."""

from typing import Any

Schema = dict[str, Any]

_REFERENCE = "#/components/schemas/"
_WORDS = {"integer": "integer", "number": "number", "boolean": "boolean", "null": "`null`", "object": "object"}
_FORMATS = {
    "date-time": "date and time",
    "date": "date",
    "binary": "file",
    "uri": "URL",
}


def type_of(schema: Schema) -> str:
    """Return what a value is, with its limits: ``text (at most 255 characters) or `null```."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        return f"[{name}](#{name.lower()})"
    for combined in ("anyOf", "oneOf", "allOf"):
        if combined in schema:
            return " or ".join(dict.fromkeys(map(type_of, schema[combined])))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}{_limit(schema, 'maxItems', 'entries')}"
    return _simple(schema)


def _simple(schema: Schema) -> str:
    kinds = schema.get("type", "anything")
    if isinstance(kinds, list):
        return " or ".join(type_of({**schema, "type": kind}) for kind in kinds)
    if kinds == "string":
        return _FORMATS.get(schema.get("format", ""), "text") + _limit(schema, "maxLength", "characters")
    return _WORDS.get(kinds, kinds) + _range(schema)


def _limit(schema: Schema, key: str, unit: str) -> str:
    return f" (at most {schema[key]:,} {unit})" if key in schema else ""


def _range(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None and most is None:
        return ""
    return (
        f" (from {least})" if most is None else f" (at most {most:,})" if least is None else f" ({least} to {most:,})"
    )
