"""The base of all inputs, and the one place where pydantic's errors become refusals (decisions.md 9)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

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
from blog_engine.inputs.hints import Step, expectations, fields_as_sent, nearest_names, steps_along

_PRECEDENCE: tuple[type[Refusal], ...] = (
    ValidationFailed,
    SlugNotSupported,
    ApprovalIncomplete,
    ImageNotPermitted,
    BodyFormatNotPermitted,
    NotFound,
)
"""After ``unknown_field``. A slug comes right after the fields whose fault has no code of its own, as in an adoption
(records.md 12); an id that no post can have comes last, because looking up follows all checks of shape."""
_NAMES_FIELDS = frozenset({ValidationFailed, SlugNotSupported})
_BY_CODE = {refusal.code: refusal for refusal in _PRECEDENCE}


@dataclass(frozen=True, slots=True)
class RefusedAs:
    """Metadata of a field: its faults are this refusal instead of ``validation_failed``."""

    refusal: type[Refusal]


@dataclass(frozen=True, slots=True)
class FaultsDotted:
    """Metadata of a field: a fault inside it counts against the inner field, which is named by its dotted path.

    Without it a fault anywhere inside counts against the field itself (decisions.md 9, precedence).
    """


class Input(BaseModel):
    """What a caller sends; ``model_fields_set`` tells which fields were sent."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    named_together: ClassVar[bool] = False
    """Whether ``validation_failed`` names all fields, whichever of them is at fault (records.md 13)."""

    @classmethod
    def from_data(cls, data: Mapping[str, object], /) -> Self:
        """Build the input from its fields, under the names that the API gives them.

        Raises a ``Refusal`` for every fault. The constructor raises pydantic's ``ValidationError`` instead.
        """
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            raise ValidationFailed(hint="The fields of an input are a mapping from their names to values.")
        return parse(cls, data)


class NoInput(Input):
    """The input of an operation that accepts no field at all (records.md 1.4)."""


I = TypeVar("I", bound=Input)  # noqa: E741  # the usual letter for what goes in


def parse(model: type[I], raw: Mapping[str, object], *, fixed: Mapping[str, object] | None = None) -> I:
    """Read what a caller sent.

    ``fixed`` holds values that the address or the tool decides; they count as sent, and a key of
    ``raw`` that is among them as unknown. Raises the ``Refusal`` that ``refusal_for`` chooses.
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
    """The one refusal for all faults of an input, by the precedence of decisions.md 9.

    Unknown names come first: the top-level ones as they arrived, then nested ones, dotted and without
    positions in lists. Otherwise the faulty fields are named, in the order of the model: by their top-level
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
    mine = by_refusal[refusal]
    return refusal(_names(mine, model) if refusal in _NAMES_FIELDS else [], hint=expectations(mine))


def _unknown_fields(
    nested: Iterable[tuple[str, ...]], *, model: type[Input], raw: Mapping[str, object], fixed: Iterable[str]
) -> UnknownField:
    taken, known = set(fixed), fields_as_sent(model)
    top = [(name,) for name in raw if name in taken or name not in known]
    paths = list(dict.fromkeys([*top, *nested]))
    return UnknownField([".".join(path) for path in paths], hint=nearest_names(paths, model=model, taken=taken))


def _path(fault: ErrorDetails) -> tuple[str, ...]:
    return tuple(part for part in fault["loc"] if isinstance(part, str))


def _blamed(fault: ErrorDetails, model: type[Input]) -> list[Step]:
    """The way to the field that a fault counts against; empty when it counts against the input as a whole."""
    steps = steps_along(_path(fault), model=model)
    is_dotted = steps and any(isinstance(mark, FaultsDotted) for mark in steps[0].field.metadata)
    return steps if is_dotted else steps[:1]


def _names(faults: Iterable[ErrorDetails], model: type[Input]) -> list[str]:
    if model.named_together:
        return list(fields_as_sent(model))
    blamed = sorted((_blamed(fault, model) for fault in faults), key=lambda steps: [step.position for step in steps])
    return list(dict.fromkeys(".".join(step.name for step in steps) for steps in blamed if steps))


def _refusal_of(fault: ErrorDetails, model: type[Input]) -> type[Refusal]:
    if fault["type"] in _BY_CODE:
        return _BY_CODE[fault["type"]]
    steps = _blamed(fault, model)
    marks = steps[-1].field.metadata if steps else []
    return next((mark.refusal for mark in marks if isinstance(mark, RefusedAs)), ValidationFailed)
