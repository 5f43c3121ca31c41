"""What a setting must be, in words, read from its declaration."""

from enum import StrEnum
from typing import Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from blog_engine.conf.types import Words


def group_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a setting that is a dictionary, else ``None``."""
    candidates = (field.annotation, *get_args(field.annotation))
    return next((c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)), None)


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """The words that a setting chooses from, empty for any other setting."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return tuple(str(choice) for choice in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(choice.value for choice in kind)
    return ()


def words_for(field: FieldInfo) -> str:
    """What the value of a setting must be, to follow "must be"."""
    own = next((mark.text for mark in field.metadata if isinstance(mark, Words)), None)
    if own is not None:
        return own
    if choices := choices_of(field):
        *others, last = (f'`"{choice}"`' for choice in choices)
        return f"{', '.join(others)} or {last}"
    if group := group_of(field):
        empty = ", or `None`" if type(None) in get_args(field.annotation) else ""
        return f"a dictionary with keys out of {', '.join(f'`{name}`' for name in group.model_fields)}{empty}"
    return "`True` or `False`" if field.annotation is bool else "text"
