"""The base class of inputs, and the translation of pydantic's errors into refusals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from blog_engine.errors import (
    ApprovalIncomplete,
    BodyFormatNotPermitted,
    ImageNotPermitted,
    NotFound,
    Refusal,
    SlugNotSupported,
    UnknownField,
    ValidationFailed,
)
from blog_engine.inputs.hints import Step, expectations, fields_as_sent, steps_along
from blog_engine.inputs.unknown_names import advice_on

_PRECEDENCE: tuple[type[Refusal], ...] = (
    ValidationFailed,
    SlugNotSupported,
    ApprovalIncomplete,
    ImageNotPermitted,
    BodyFormatNotPermitted,
    NotFound,
)
"""The order of refusals after ``unknown_field`` (``refusals.precedence``)."""
_NAMES_FIELDS = frozenset({ValidationFailed, SlugNotSupported})
_BY_CODE = {refusal.code: refusal for refusal in _PRECEDENCE}


@dataclass(frozen=True, slots=True)
class RefusedAs:
    """Metadata of a field whose faults are this refusal instead of ``validation_failed``."""

    refusal: type[Refusal]


@dataclass(frozen=True, slots=True)
class FaultsDotted:
    """Metadata of a field: a refusal names the inner field at fault, by its dotted path.

    Without it, the refusal names the field itself.
    """


class Input(BaseModel):
    """The input of a caller; ``model_fields_set`` has the names of the fields that were sent."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)

    named_together: ClassVar[bool] = False
    """Whether ``validation_failed`` names all fields, whichever is at fault."""

    @classmethod
    def from_data(cls, data: Mapping[str, object], /) -> Self:
        """Return the input of these fields, which have the names of the API.

        Raises a ``Refusal`` for any fault; the constructor raises pydantic's ``ValidationError`` instead.
        """
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            raise ValidationFailed(hint="The fields of an input are a mapping from their names to values.")
        return parse(cls, data)


class NoInput(Input):
    """The input of an operation that takes no fields."""


I = TypeVar("I", bound=Input)  # noqa: E741  # the usual letter for what goes in


def parse(model: type[I], raw: Mapping[str, object], *, fixed: Mapping[str, object] | None = None) -> I:
    """Return the input that a caller sent.

    ``fixed`` are the values that the path or the tool sets. They count as sent, and the same names in ``raw`` as
    unknown. Raises the ``Refusal`` that ``refusal_for`` returns.
    """
    fixed = fixed or {}
    own = {name: value for name, value in raw.items() if name not in fixed}
    try:
        data = model.model_validate(own | dict(fixed))
    except ValidationError as error:
        raise refusal_for(error, model=model, raw=raw, fixed=fixed) from error
    if len(own) < len(raw):
        raise _unknown_fields([], model=model, raw=raw, fixed=fixed)
    return data


def refusal_for(
    error: ValidationError, *, model: type[Input], raw: Mapping[str, object], fixed: Iterable[str] = ()
) -> Refusal:
    """Return the one refusal for all faults of an input (``refusals.precedence``).

    Unknown names come first: those at the top level in the order in which they were sent, then nested ones, dotted and
    without positions in lists. Otherwise it names the fields at fault in the order of the model, by their top-level
    name, or dotted inside a field marked ``FaultsDotted``.
    """
    faults = error.errors(include_url=False)
    nested = [_path(fault) for fault in faults if fault["type"] == "extra_forbidden" and len(fault["loc"]) > 1]
    known = fields_as_sent(model)
    if nested or any(name in fixed or name not in known for name in raw):
        return _unknown_fields(nested, model=model, raw=raw, fixed=fixed)
    by_refusal: dict[type[Refusal], list[ErrorDetails]] = {}
    for fault in faults:
        by_refusal.setdefault(_refusal_of(fault, model), []).append(fault)
    refusal = next(refusal for refusal in _PRECEDENCE if refusal in by_refusal)
    mine = _as_text(by_refusal[refusal], model=model, raw=raw)
    return refusal(_names(mine, model) if refusal in _NAMES_FIELDS else [], hint=expectations(mine, model=model))


def _unknown_fields(
    nested: Iterable[tuple[str, ...]], *, model: type[Input], raw: Mapping[str, object], fixed: Iterable[str]
) -> UnknownField:
    taken, known = set(fixed), fields_as_sent(model)
    top = [(name,) for name in raw if name in taken or name not in known]
    paths = list(dict.fromkeys([*top, *nested]))
    advice = advice_on(paths, model=model, taken=taken, sent=raw)
    decided = {name: raw[name] for name in taken if name in raw}
    further = [
        fault
        for fault in _faults_of(advice.corrected | decided, model=model)
        if fault["type"] != "extra_forbidden" and fault["loc"][:1] and fault["loc"][0] not in advice.explained | taken
    ]
    hint = f"{advice.hint} {expectations(further, model=model)}".strip()
    if any(_refusal_of(fault, model) is ApprovalIncomplete for fault in further):
        hint = f"{hint} Never make an approval up: ask the person who reviewed this, or send none."
    return UnknownField([".".join(path) for path in paths], hint=hint)


def _faults_of(raw: Mapping[str, object], *, model: type[Input]) -> list[ErrorDetails]:
    try:
        model.model_validate(dict(raw))
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _as_text(faults: list[ErrorDetails], *, model: type[Input], raw: Mapping[str, object]) -> list[ErrorDetails]:
    """Return the faults, those of numbers as the faults of their digits: a caller would send these next."""
    numbers = [fault for fault in faults if fault["type"] == "string_type" and type(fault["input"]) is int]
    if not numbers:
        return faults
    text: object = raw
    for fault in numbers[:_MOST_NUMBERS]:
        text = _with_value(text, fault["loc"], str(fault["input"]))
    again = {fault["loc"]: fault for fault in _faults_of(cast("Mapping[str, object]", text), model=model)}
    return [again.get(fault["loc"], fault) if fault in numbers else fault for fault in faults]


_MOST_NUMBERS: Final = 10


def _with_value(whole: object, place: tuple[int | str, ...], value: object) -> object:
    """Return the same object or list with another value at a place."""
    if not place:
        return value
    [step, *rest] = place
    if isinstance(whole, Mapping) and step in whole:
        return {**whole, step: _with_value(whole[step], tuple(rest), value)}
    if isinstance(whole, list | tuple) and isinstance(step, int):
        return [*whole[:step], _with_value(whole[step], tuple(rest), value), *whole[step + 1 :]]
    return whole


def _path(fault: ErrorDetails) -> tuple[str, ...]:
    return tuple(part for part in fault["loc"] if isinstance(part, str))


def _path_to_name(fault: ErrorDetails, model: type[Input]) -> list[Step]:
    """Return the path of the field that a refusal names for a fault; empty for the input as a whole."""
    steps = steps_along(_path(fault), model=model)
    is_dotted = steps and any(isinstance(mark, FaultsDotted) for mark in steps[0].field.metadata)
    return steps if is_dotted else steps[:1]


def _names(faults: Iterable[ErrorDetails], model: type[Input]) -> list[str]:
    if model.named_together:
        return list(fields_as_sent(model))
    blamed = sorted(
        (_path_to_name(fault, model) for fault in faults), key=lambda steps: [step.position for step in steps]
    )
    return list(dict.fromkeys(".".join(step.name for step in steps) for steps in blamed if steps))


def _refusal_of(fault: ErrorDetails, model: type[Input]) -> type[Refusal]:
    if fault["type"] in _BY_CODE:
        return _BY_CODE[fault["type"]]
    steps = _path_to_name(fault, model)
    marks = steps[-1].field.metadata if steps else []
    return next((mark.refusal for mark in marks if isinstance(mark, RefusedAs)), ValidationFailed)
