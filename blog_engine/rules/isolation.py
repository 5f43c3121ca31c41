"""Isolation of names, titles and paths in sentences, so that each keeps the order of its own characters (UAX 9)."""

from collections.abc import Mapping
from unicodedata import bidirectional

from django.utils.translation import get_language_bidi

_BEGIN, _END = "\u2068", "\u2069"


def isolate(value: object) -> str:
    """Return a value as text, isolated where it or the sentence is written from right to left."""
    text = str(value)
    return f"{_BEGIN}{text}{_END}" if text and (get_language_bidi() or _turns(text)) else text


def isolated(values: Mapping[str, object]) -> dict[str, str]:
    """Return the values of a sentence, each as ``isolate`` does."""
    return {name: isolate(value) for name, value in values.items()}


def _turns(text: str) -> bool:
    return not text.isascii() and any(bidirectional(character) in {"R", "AL"} for character in text)
