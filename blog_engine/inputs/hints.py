"""Hints of refusals: what was wrong with an input and what is accepted."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import UnionType
from typing import Annotated, Final, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from blog_engine.inputs.names_elsewhere import alike


@dataclass(frozen=True, slots=True)
class Step:
    """One field of the path into an input, with its position among its siblings."""

    name: str
    position: int
    field: FieldInfo


def fields_as_sent(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields by the names that callers send; ``from`` cannot be an attribute."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def steps_along(path: Iterable[str], *, model: type[BaseModel]) -> list[Step]:
    """Return the fields along a path of names, as far as they exist."""
    steps: list[Step] = []
    inner: type[BaseModel] | None = model
    for name in path:
        fields = fields_as_sent(inner) if inner else {}
        if name not in fields:
            break
        steps.append(Step(name, list(fields).index(name), fields[name]))
        inner = model_in(fields[name].annotation)
    return steps


def model_in(annotation: object) -> type[BaseModel] | None:
    """Return the model of the object that a type accepts, directly, in a union or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {Union, UnionType, Annotated, tuple}:
        return next((found for arg in get_args(annotation) if (found := model_in(arg))), None)
    return None


_MOST = 3

_WORDS = {
    "bool_type": "true or false",
    "greater_than_equal": "a whole number of at least {ge}",
    "int_type": "a whole number",
    "less_than_equal": "a whole number of at most {le}",
    "missing": "sent",
    "model_type": "an object",
    "string_pattern_mismatch": "text that is not blank",
    "string_too_long": "text of at most {max_length} characters",
    "string_too_short": "text that is not empty",
    "string_type": "text",
    "string_unicode": "text without NUL and lone surrogates",
    "tuple_type": "a list",
    "date_type": "a date written YYYY-MM-DD",
    "datetime_type": "a date and time such as 2030-01-31T09:00:00Z",
}
_ABOUT_TYPES = frozenset({"bool_type", "model_type", "string_type", "tuple_type"})
"""Not ``int_type``, because a query parameter is always text."""
_TYPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    (str, "text"),
    ((int, float), "a number"),
    ((list, tuple), "a list"),
    (dict, "an object"),
)
_OURS = frozenset(
    {
        *("expected", "validation_failed", "slug_not_supported", "image_not_permitted"),
        *("body_format_not_permitted", "not_found"),
    }
)


def expectations(faults: Iterable[ErrorDetails], *, model: type[BaseModel]) -> str:
    """Return what the first three fields of ``model`` at fault must be; empty if there is nothing useful to say."""
    first_of: dict[str, ErrorDetails] = {}
    for fault in faults:
        if _words(fault):
            first_of.setdefault(".".join(part for part in fault["loc"] if isinstance(part, str)), fault)
    if not first_of:
        return ""
    first = list(first_of.items())[:_MOST]
    can_miss = {name for name, field in fields_as_sent(model).items() if not field.is_required()}
    sentences = [
        f"{_place(name, fault)} must be {_words(fault, _field_at(name, model))}{_nearest_word(fault)}"
        f"{_or_nothing(fault, name, can_miss)}"
        for name, fault in first
    ]
    return f"{'; '.join(sentences)}.{others(len(first_of) - len(sentences), 'field is', 'fields are')}"


def _field_at(name: str, model: type[BaseModel]) -> FieldInfo | None:
    """Return the field that a dotted name leads to."""
    names = name.split(".")
    steps = steps_along(names, model=model)
    return steps[-1].field if steps and len(steps) == len(names) else None


def _words(fault: ErrorDetails, field: FieldInfo | None = None) -> str:
    if fault["type"] in _OURS:
        return fault["msg"]
    if fault["type"] == "literal_error":
        words = str(fault["ctx"]["expected"]).replace("'", "")
    else:
        words = _WORDS.get(fault["type"], "").format(**fault.get("ctx", {}))
    if field is not None:
        words += _meaning(field) if fault["type"] == "missing" else _parts(fault, field)
    unlike = _type_of(fault["input"]) if fault["type"] in _ABOUT_TYPES or fault["input"] is None else ""
    return f"{words}, not {unlike}" if words and unlike else words


def _meaning(field: FieldInfo) -> str:
    kind = field.annotation
    values = f": {', '.join(kind)}" if isinstance(kind, type) and issubclass(kind, StrEnum) else ""
    text = (field.description or "").removesuffix(".")
    # Its description has the kinds of pages already.
    return f" ({text}{values if values[2:] not in text else ''})" if text else ""


def _kinds(field: FieldInfo) -> str:
    kind = field.annotation
    return f" ({', '.join(kind)})" if isinstance(kind, type) and issubclass(kind, StrEnum) else ""


def _parts(fault: ErrorDetails, field: FieldInfo) -> str:
    """Return the keys of the object that is missing: those that it needs, or else all of them."""
    inner = model_in(field.annotation)
    if inner is None or fault["type"] not in {"model_type", "tuple_type"}:
        return ""
    fields = fields_as_sent(inner)
    needed = [f"{name}{_kinds(one)}" for name, one in fields.items() if one.is_required()]
    keys = f"with {' and '.join(needed)}" if needed else f"of {', '.join(fields)}"
    return f" {keys}" if fault["type"] == "model_type" else f" of objects {keys}"


VOID: Final = frozenset(["null", "none", "nil", "undefined", "n/a", "any", "all", "*", "default", "auto"])
"""Words for nothing and for everything, which a field that is left out says."""


def _or_nothing(fault: ErrorDetails, name: str, can_miss: Collection[str]) -> str:
    """Return the way out for a value that says nothing: another one would be made up."""
    sent = fault["input"]
    says_nothing = sent in ([], {}) or (isinstance(sent, str) and sent.strip().lower() in {"", *VOID})
    if not says_nothing or name not in can_miss:
        return ""
    # Only a stored post has a title without it.
    return ", or left out for a stored post" if name == "title" and "external_id" in can_miss else ", or left out"


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    return next((words for kind, words in _TYPES if isinstance(value, kind)), "")


def _place(name: str, fault: ErrorDetails) -> str:
    entry = next((part for part in fault["loc"] if isinstance(part, int)), None)
    return (name or "What is sent") + (f" (entry {entry + 1})" if entry is not None else "")


def _nearest_word(fault: ErrorDetails) -> str:
    """Return the allowed word that is closest to the value."""
    sent, context = fault["input"], fault.get("ctx", {})
    allowed = context.get("words") or re.findall("'([^']+)'", str(context.get("expected", "")))
    near = alike(sent, allowed) if isinstance(sent, str) else None
    return f" (did you mean {near}?)" if near else ""


def others(count: int, one: str, several: str) -> str:
    if count <= 0:
        return ""
    return f" One more {one} not accepted." if count == 1 else f" {count} more {several} not accepted."
