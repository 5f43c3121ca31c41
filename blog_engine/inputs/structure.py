"""Finding one's way through the models of an input."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


@dataclass(frozen=True, slots=True)
class Step:
    """One field on the way into an input, with its position among the fields beside it."""

    name: str
    position: int
    field: FieldInfo


def fields_as_sent(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields by the names that callers send: ``from`` can be no attribute."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def steps_along(path: Iterable[str], *, model: type[BaseModel]) -> list[Step]:
    """The fields along a path of names, as far as there are such fields."""
    steps: list[Step] = []
    here: type[BaseModel] | None = model
    for name in path:
        fields = fields_as_sent(here) if here else {}
        if name not in fields:
            break
        steps.append(Step(name, list(fields).index(name), fields[name]))
        here = model_in(fields[name].annotation)
    return steps


def model_in(annotation: object) -> type[BaseModel] | None:
    """The model of the object that a type admits, directly, in a union or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {Union, UnionType, Annotated, tuple}:
        return next((found for arg in get_args(annotation) if (found := model_in(arg))), None)
    return None
