"""Slugs: their shape, and how titles and names become one (reader.md 1.1, records.md 4, decisions.md 9.14)."""

import hashlib
import re
from collections.abc import Iterator
from itertools import count
from typing import Final

from anyascii import anyascii

SLUG_PATTERN: Final = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
"""The shape as a JSON Schema pattern; the length limit is a rule of its own."""

MAX_SLUG_LENGTH: Final = 200

_SHAPE = re.compile(SLUG_PATTERN)
_OTHERS = re.compile(r"[^a-z0-9]+")


def is_slug(text: str) -> bool:
    """Whether the text has the slug shape: lower-case groups joined by single ``-`` or ``_``; any length."""
    return _SHAPE.fullmatch(text) is not None


def slug_from_title(title: str) -> str:
    """The slug of a post without one; a title with nothing to transliterate gives ``post-`` and a digest."""
    return _slug(title) or f"post-{_digest(title)}"


def slug_from_name(name: str, *, kind: str) -> str:
    """Return the slug of a tag, category, series or author.

    ``+`` is spelled ``plus`` and ``#`` is spelled ``sharp`` beside other letters, so that C, C++ and C# differ. A name
    with nothing to transliterate gives ``<kind>-`` and a digest.
    """
    if not _slug(name):
        return f"{kind}-{_digest(name)}"
    return _slug(anyascii(name).replace("+", " plus ").replace("#", " sharp "))


def numbered_slugs(slug: str) -> Iterator[str]:
    """Yield ``slug``, ``slug-2``, ``slug-3`` and so on without end, each within ``MAX_SLUG_LENGTH``."""
    yield slug
    for number in count(2):
        ending = f"-{number}"
        yield slug[: MAX_SLUG_LENGTH - len(ending)].rstrip("-_") + ending


def _slug(text: str) -> str:
    joined = _OTHERS.sub("-", anyascii(text).lower()).strip("-")
    return joined[:MAX_SLUG_LENGTH].rstrip("-")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
