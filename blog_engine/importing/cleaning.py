"""Entries of a source without the characters that no text can contain."""

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from blog_engine.content.text import without_long_mark_runs
from blog_engine.importing.source import Item, Loss, LossKind, SourcePost

_NEVER_ALLOWED: Final = re.compile("[\x00\ud800-\udfff]+")
"""NUL and halves of surrogate pairs, which PostgreSQL and UTF-8 cannot store."""


def clean_item(item: Item) -> Item:
    """Return an entry with clean texts; how many characters a post lost is one of its losses."""
    cleaned: Item
    cleaned, removed = _clean(item)
    if not removed or not isinstance(cleaned, SourcePost):
        return cleaned
    message = f"{removed} characters that no text can contain were removed."
    return replace(cleaned, losses=(*cleaned.losses, Loss(LossKind.CHARACTER, message)))


def _clean(value: Any) -> tuple[Any, int]:
    """Return a value with clean texts, and the number of characters that were removed."""
    # Exactly texts: those of enumerations are ours.
    if type(value) is str:
        text = without_long_mark_runs(_NEVER_ALLOWED.sub("", value))
        return text, len(value) - len(text)
    parts: dict[Any, Any]
    if isinstance(value, tuple):
        parts = dict(enumerate(value))
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    else:
        return value, 0
    cleaned = {name: _clean(part) for name, part in parts.items()}
    removed = sum(number for _, number in cleaned.values())
    if not removed:
        return value, 0
    changed = {name: part for name, (part, number) in cleaned.items() if number}
    if isinstance(value, tuple):
        return tuple(changed.get(place, part) for place, part in parts.items()), removed
    return replace(value, **changed), removed
