"""JSON Schemas of inputs and outputs, for the OpenAPI document and the agent tools."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonRef, JsonSchemaMode, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

Schema: TypeAlias = dict[str, Any]
Shape: TypeAlias = tuple[type[BaseModel], JsonSchemaMode]
"""A model, and whether it is an input (``validation``) or an output (``serialization``)."""

SENT: Literal["validation"] = "validation"
ANSWERED: Literal["serialization"] = "serialization"

_PROSE = frozenset({"title", "description"})


class PlainSchema(GenerateJsonSchema):
    """Schemas without titles, docstrings, and null as default, which stands for a field that was not sent."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        shown = super().default_schema(schema)
        return shown if shown.get("default", ...) is not None else {k: v for k, v in shown.items() if k != "default"}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return _without_prose(super().model_schema(schema))

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        shown = super().generate_inner(schema)
        if schema["type"] != "enum":
            return shown
        # Not in enum_schema: pydantic adds the name and the docstring after it, to the definition.
        definition = (self.get_schema_from_definitions(JsonRef(shown["$ref"])) if "$ref" in shown else shown) or {}
        for key in _PROSE & definition.keys():
            del definition[key]
        return shown


def definitions_of(shapes: Iterable[Shape], *, ref_template: str) -> tuple[Mapping[Shape, Schema], dict[str, Schema]]:
    """Return a reference for each shape, and the definitions that they refer to, by name."""
    wanted = list(dict.fromkeys(shapes))
    found, schema = models_json_schema(wanted, ref_template=ref_template, schema_generator=PlainSchema)
    return {shape: dict(found[shape]) for shape in wanted}, _plain(schema.get("$defs", {}))


def accepting(fields: Schema, body_formats: Iterable[str]) -> Schema:
    """Return the fields of an input with the body formats that a blog accepts."""
    if "body_format" not in fields:
        return fields
    return fields | {"body_format": fields["body_format"] | {"enum": [*body_formats]}}


def _plain(node: Any) -> Any:
    """Return the schema with texts of Python's own type only: some validators refuse the subclass that marks a text."""
    if isinstance(node, dict):
        return {key: _plain(part) for key, part in node.items()}
    if isinstance(node, list):
        return [_plain(part) for part in node]
    return str(node) if isinstance(node, str) else node


def _without_prose(schema: JsonSchemaValue) -> JsonSchemaValue:
    return {key: value for key, value in schema.items() if key not in _PROSE}
