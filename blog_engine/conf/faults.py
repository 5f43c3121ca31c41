"""Error messages for faulty settings."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from types import NoneType
from typing import Annotated, Literal, get_args, get_origin

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
    """Return what a setting must be: the text after "must be".

    Raises ``TypeError`` for a type that needs a ``Requirement`` and has none.
    """
    if own := _text_of(field.metadata):
        return own
    if choices := choices_of(field):
        return _either(*(f'`"{choice}"`' for choice in choices))
    kinds = get_args(field.annotation) or (field.annotation,)
    or_none = ", or `None`" if NoneType in kinds else ""
    if group := group_of(field):
        return _dictionary_of(group) + or_none
    if bool in kinds:
        return _either("`True`", "`False`", *(["`None`"] if or_none else []))
    if str in kinds:
        return "text" + or_none
    marks = [mark for kind in kinds if get_origin(kind) is Annotated for mark in get_args(kind)]
    if inner := _text_of(marks):
        return inner + or_none
    raise TypeError(f"{field.annotation} needs a Requirement")


def _text_of(marks: Iterable[object]) -> str:
    return next((mark.text for mark in marks if isinstance(mark, Requirement)), "")


def _either(*choices: str) -> str:
    *others, last = choices
    return f"{', '.join(others)} or {last}"


def _dictionary_of(group: type[BaseModel]) -> str:
    return f"a dictionary with keys out of {', '.join(f'`{name}`' for name in group.model_fields)}"


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
    """The dotted name (``mcp.max_page_size``, ``brand.navigation[0].url``), or ``BLOG_ENGINE`` for the whole."""
    problem: str
    """A predicate to follow the key: "is not a setting"."""
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
        # A default that depends on a faulty setting cannot be computed; that setting has a fault itself.
        details = [one for one in error.errors(include_url=False) if one["type"] != "default_factory_not_called"]
        by_key = {fault.key: fault for fault in map(_fault, reversed(details))}
        return list(reversed(by_key.values()))
    return []


def _fault(detail: ErrorDetails) -> Fault:
    place = detail["loc"]
    if detail["type"] == SET_TWICE:
        key, other = detail["ctx"]["key"], detail["ctx"]["other"]
        return Fault(FaultKind.WRONG_VALUE, key, f"cannot be set together with {other}", "Remove one of the two.")
    if not place:
        return Fault(FaultKind.WRONG_VALUE, "BLOG_ENGINE", "must be a dictionary from names to settings", _SEE)
    if detail["type"] in {"extra_forbidden", "invalid_key"}:
        return _unknown_key(place)
    setting = _setting_at(place)
    if detail["type"] == "missing":
        return Fault(FaultKind.MISSING, setting.key, "is required", f"Set it to {setting.requirement}.")
    hint = _nearest_choice(detail["input"], setting.field) or _SEE
    return Fault(FaultKind.WRONG_VALUE, setting.key, f"must be {setting.requirement}", hint)


def _unknown_key(place: tuple[int | str, ...]) -> Fault:
    *parents, name = place
    parent = _setting_at(tuple(parents)) if parents else None
    group = group_of(parent.field) if parent else BlogSettings
    before = f"{parent.key}." if parent else ""
    nearest = get_close_matches(str(name), list(group.model_fields) if group else [], n=1)
    hint = f"Did you mean {before}{nearest[0]}?" if nearest else _SEE
    return Fault(FaultKind.UNKNOWN_KEY, f"{before}{name}", "is not a setting", hint)


@dataclass(frozen=True, slots=True)
class _Setting:
    """A setting, or a dictionary in a list of settings."""

    key: str
    field: FieldInfo
    requirement: str


def _setting_at(place: tuple[int | str, ...]) -> _Setting:
    """Return the setting at a location; of a value inside a setting that is no dictionary, that setting.

    A list of texts is one setting: its requirement describes its entries.
    """
    key = str(place[0])
    field = BlogSettings.model_fields[key]
    is_entry = False
    for step in place[1:]:
        group = group_of(field)
        if group is None or (isinstance(step, str) and step not in group.model_fields):
            break
        is_entry = isinstance(step, int)
        if is_entry:
            key += f"[{step}]"
        else:
            key += f".{step}"
            field = group.model_fields[str(step)]
    entry = group_of(field) if is_entry else None
    return _Setting(key, field, _dictionary_of(entry) if entry else requirement_of(field))


def _nearest_choice(value: object, field: FieldInfo) -> str:
    choices = choices_of(field)
    nearest = get_close_matches(value, choices, n=1) if isinstance(value, str) and value not in choices else []
    return f'Did you mean "{nearest[0]}"?' if nearest else ""
