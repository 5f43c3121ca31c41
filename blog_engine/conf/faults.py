"""Error messages for faulty settings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Literal, get_args, get_origin

from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from blog_engine import DOCUMENTATION
from blog_engine.conf.model import SET_TWICE, BlogSettings
from blog_engine.conf.types import Requirement

_SEE = f"Every setting is described in {DOCUMENTATION}/reference/settings.md."


def group_of(field: FieldInfo) -> type[BaseModel] | None:
    """Return the model of a setting that is a dictionary, else ``None``."""
    candidates = (field.annotation, *get_args(field.annotation))
    return next((c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)), None)


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """Return the choices of a setting; empty for a setting without."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return tuple(str(choice) for choice in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(choice.value for choice in kind)
    return ()


def requirement_of(field: FieldInfo) -> str:
    """Return what a setting must be: the text after "must be"."""
    own = next((mark.text for mark in field.metadata if isinstance(mark, Requirement)), None)
    if own is not None:
        return own
    if choices := choices_of(field):
        *others, last = (f'`"{choice}"`' for choice in choices)
        return f"{', '.join(others)} or {last}"
    if group := group_of(field):
        empty = ", or `None`" if type(None) in get_args(field.annotation) else ""
        return f"a dictionary with keys out of {', '.join(f'`{name}`' for name in group.model_fields)}{empty}"
    return "`True` or `False`" if field.annotation is bool else "text"


class FaultKind(StrEnum):
    """The kinds of fault; each has its own system check."""

    UNKNOWN_KEY = "unknown_key"
    WRONG_VALUE = "wrong_value"
    MISSING = "missing"
    HOOK = "hook"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a setting."""

    kind: FaultKind
    key: str
    """The dotted name (``mcp.max_page_size``), or ``BLOG_ENGINE`` for the whole dictionary."""
    problem: str
    """What is wrong, to follow the key: "is not a setting"."""
    hint: str


def improperly_configured(faults: Iterable[Fault]) -> ImproperlyConfigured:
    """Return the exception that lists the faults, one per line."""
    lines = [f"{fault.key} {fault.problem}. {fault.hint}" for fault in faults]
    return ImproperlyConfigured("\n".join(["BLOG_ENGINE is not valid.", *lines]))


def faults_in(host_settings: object) -> list[Fault]:
    """Return the faults of names and values, in order of declaration.

    Each key has at most one fault. Hooks are not imported.
    """
    try:
        BlogSettings.model_validate(host_settings)
    except ValidationError as error:
        by_key = {fault.key: fault for fault in reversed(list(_faults_of(error)))}
        return list(reversed(by_key.values()))
    return []


def _faults_of(error: ValidationError) -> Iterator[Fault]:
    for detail in error.errors(include_url=False):
        # A default that depends on a faulty setting cannot be computed; that setting has a fault itself.
        if detail["type"] != "default_factory_not_called":
            yield _fault(detail)


def _fault(detail: ErrorDetails) -> Fault:
    place = detail["loc"]
    if detail["type"] == SET_TWICE:
        key, other = detail["ctx"]["key"], detail["ctx"]["other"]
        return Fault(FaultKind.WRONG_VALUE, key, f"cannot be set together with {other}", "Remove one of the two.")
    if not place:
        return Fault(FaultKind.WRONG_VALUE, "BLOG_ENGINE", "must be a dictionary from names to settings", _SEE)
    if detail["type"] in {"extra_forbidden", "invalid_key"}:
        return _unknown_key(place)
    key, field = _declaration(place)
    if detail["type"] == "missing":
        return Fault(FaultKind.MISSING, key, "is required", f"Set it to {requirement_of(field)}.")
    hint = _nearest_choice(detail["input"], field) or _SEE
    return Fault(FaultKind.WRONG_VALUE, key, f"must be {requirement_of(field)}", hint)


def _unknown_key(place: tuple[int | str, ...]) -> Fault:
    *parents, name = (str(step) for step in place)
    group = BlogSettings if not parents else group_of(_declaration(place[:-1])[1])
    known = list(group.model_fields) if group else []
    nearest = get_close_matches(name, known, n=1)
    hint = f"Did you mean {'.'.join([*parents, nearest[0]])}?" if nearest else _SEE
    return Fault(FaultKind.UNKNOWN_KEY, ".".join([*parents, name]), "is not a setting", hint)


def _declaration(place: tuple[int | str, ...]) -> tuple[str, FieldInfo]:
    """Return the setting at a location, which can be an item inside its value."""
    names = [str(place[0])]
    field = BlogSettings.model_fields[names[0]]
    for step in map(str, place[1:]):
        group = group_of(field)
        if group is None or step not in group.model_fields:
            break
        names.append(step)
        field = group.model_fields[step]
    return ".".join(names), field


def _nearest_choice(value: object, field: FieldInfo) -> str:
    choices = choices_of(field)
    nearest = get_close_matches(value, choices, n=1) if isinstance(value, str) and value not in choices else []
    return f'Did you mean "{nearest[0]}"?' if nearest else ""
