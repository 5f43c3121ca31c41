"""Small functions on text: characters, folding, slugs, JSON, time stamps and log lines."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from typing import Final, Literal, TypeAlias
from unicodedata import category

from anyascii import anyascii

MOST_MARKS: Final = 30
"""Combining marks in a row. Unicode normalisation sorts a run in quadratic time: 40,000 marks take eight seconds."""

# Said by what is allowed, because that is forty times as fast. Allowed are all but controls (tab and line ends are) and
# what Unicode keeps free in the basic plane.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")

_FIRST_MARK: Final = "\u0300"
_MAY_BE_MARKS: Final = re.compile(rf"[{_FIRST_MARK}-\U0010ffff]{{{MOST_MARKS + 1},}}")
_COMPATIBLE: Final = frozenset("\uff9e\uff9f")
"""Letters to Unicode, of which NFKC and NFKD make marks."""


def with_allowed_characters(text: str) -> str:
    """The text with a space for each character that HTML and XML forbid; word processors write some as line ends."""
    return _FORBIDDEN.sub(" ", text)


def has_long_mark_run(text: str) -> bool:
    """Return whether the text has more than 30 combining marks in a row."""
    return any(_without_long_runs(found) != found[0] for found in _MAY_BE_MARKS.finditer(text))


def without_long_mark_runs(text: str) -> str:
    """Return the text without the combining marks that follow 30 others in a row."""
    return _MAY_BE_MARKS.sub(_without_long_runs, text)


def _without_long_runs(found: re.Match[str]) -> str:
    kept: list[str] = []
    length = 0
    for character in found[0]:
        length = length + 1 if category(character)[0] == "M" or character in _COMPATIBLE else 0
        if length <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def fold(text: str) -> str:
    """The text case-folded and in Unicode NFC, so that ``ÉTÉ`` and ``été`` become equal on every database."""
    folded = unicodedata.normalize("NFD", without_long_mark_runs(text)).casefold()
    return unicodedata.normalize("NFC", folded)


def composed(text: str) -> str:
    """The text in Unicode NFC, for texts that no input checked: entities can spell any run of marks."""
    return unicodedata.normalize("NFC", without_long_mark_runs(text))


def compact_json(value: object) -> str:
    """The value without spaces, and with its letters as they are (mcp.md, decision 8)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def in_utc(time: datetime, timespec: Literal["seconds", "milliseconds"]) -> str:
    """The moment in UTC with ``Z``, such as ``2026-10-03T20:59:05.711Z``."""
    # strftime's %Y has fewer than four digits before the year 1000 on some systems.
    return time.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


LogValue: TypeAlias = str | int | float | bool | None


def log_line(fields: Mapping[str, LogValue]) -> str:
    """``key=value`` for each field that says something, in the order of the fields; each value is JSON.

    It is one line, and shows what is in it: line breaks of every kind, characters that turn the direction of writing
    and everything else that does not print are escaped. ``None`` and ``False`` say nothing.
    """
    told = {key: value for key, value in fields.items() if value is not None and value is not False}
    return " ".join(f"{key}={_printable(json.dumps(value, ensure_ascii=False))}" for key, value in told.items())


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


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
