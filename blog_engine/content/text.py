"""Functions on text: characters, folding, slugs, JSON, timestamps, log lines."""

import base64
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
"""The most combining marks in a row: normalisation sorts a run in quadratic time, 40,000 marks in 8 s."""

# The complement of the allowed characters, because that is forty times as fast. Allowed are tab, line ends, and all
# characters except controls and the noncharacters of the basic plane.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")

_FIRST_MARK: Final = "\u0300"
_MAY_BE_MARKS: Final = re.compile(rf"[{_FIRST_MARK}-\U0010ffff]{{{MOST_MARKS + 1},}}")
_COMPATIBLE: Final = frozenset("\uff9e\uff9f")
"""Letters that NFKC and NFKD turn into marks."""

LogValue: TypeAlias = str | int | float | bool | None

SLUG_PATTERN: Final = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
"""The form of a slug as a JSON Schema pattern; ``MAX_SLUG_LENGTH`` is checked separately."""

MAX_SLUG_LENGTH: Final = 200

_SHAPE = re.compile(SLUG_PATTERN)
_OTHERS = re.compile(r"[^a-z0-9]+")
_HEBREW_MARKS: Final = "\u05f3\u05f4"
"""Geresh and gershayim, which are part of a word."""
_HAN: Final = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_NORDIC: Final = str.maketrans({"å": "aa", "ø": "oe", "Å": "Aa", "Ø": "Oe"})
_ARABIC: Final = str.maketrans({"\u0627": "a", "أ": "a", "إ": "i", "آ": "a", "ٱ": "a"})
_SPELLED: Final = {
    "de": _GERMAN,
    **dict.fromkeys(("da", "nb", "nn", "no"), _NORDIC),
    **dict.fromkeys(("ar", "fa", "ur"), _ARABIC),
}
"""Letters that a language spells in another way than by leaving their marks out."""


def with_allowed_characters(text: str) -> str:
    """Replace each character that HTML and XML forbid with a space.

    Word processors write some of them as line ends.
    """
    # No forbidden character is printable. This takes a tenth of the time, and is enough for most pages.
    if text.replace("\n", "").isprintable():
        return text
    return _FORBIDDEN.sub(" ", text)


def has_long_mark_run(text: str) -> bool:
    """Return whether more than 30 combining marks are in a row (limits.texts.marks)."""
    return any(_without_long_runs(found) != found[0] for found in _MAY_BE_MARKS.finditer(text))


def without_long_mark_runs(text: str) -> str:
    """Cut each run of combining marks off after the 30th."""
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
    """Return a name for comparisons (taxonomy.names.same): ``ÉTÉ`` equals ``été``.

    Case, character width and white space make no difference, accents do; the result is in NFC.
    """
    if text.isascii():
        return " ".join(text.split()).casefold()
    narrow = "".join(map(_of_usual_width, without_long_mark_runs(text)))
    folded = unicodedata.normalize("NFD", " ".join(narrow.split())).casefold()
    return unicodedata.normalize("NFC", folded)


def _of_usual_width(character: str) -> str:
    kind, _space, code = unicodedata.decomposition(character).partition(" ")
    return chr(int(code, 16)) if kind in {"<wide>", "<narrow>"} else character


def compose(text: str) -> str:
    """Return the text in NFC, with runs of marks cut.

    For texts that no input has checked: character references can spell a run of any length.
    """
    return unicodedata.normalize("NFC", without_long_mark_runs(text))


def decode_base64(text: str) -> bytes:
    """Return the bytes of a Base64 text.

    Raises ``ValueError`` for another alphabet, white space, and missing or superfluous padding (RFC 4648 section 3.5).
    """
    content = base64.b64decode(text, validate=True)
    # Python accepts superfluous padding and stray bits in the last character.
    if base64.b64encode(content).decode() != text:
        raise ValueError("not canonical Base64")
    return content


def compact_json(value: object) -> str:
    """Return the value as JSON without spaces and without ``\\u`` escapes for letters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def in_utc(time: datetime, timespec: Literal["seconds", "milliseconds"]) -> str:
    """Return a time in UTC with ``Z``, such as ``2026-10-03T20:59:05.711Z``."""
    # strftime's %Y has fewer than four digits before the year 1000 on some systems.
    return time.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def log_line(fields: Mapping[str, LogValue]) -> str:
    """Return ``key=value`` pairs on one line, values as JSON (host.log.format).

    Fields that are ``None`` or ``False`` are left out. Line breaks, characters that change the direction of writing,
    and all others that do not print are escaped.
    """
    shown = {key: value for key, value in fields.items() if value is not None and value is not False}
    return " ".join(f"{key}={_printable(json.dumps(value, ensure_ascii=False))}" for key, value in shown.items())


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def is_slug(text: str) -> bool:
    """Return whether the text has the form of a slug, whatever its length."""
    return _SHAPE.fullmatch(text) is not None


def slug_from_title(title: str, *, language: str) -> str:
    """Return the slug for a title in a language (posts.slug.derived).

    A title without anything to transliterate gives ``post-`` and a digest.
    """
    return _slug(_in_latin(title, language)) or f"post-{_digest(title)}"


def slug_from_name(name: str, *, kind: str, language: str) -> str:
    """Return the slug for the name of a tag, category, series or author.

    Beside other letters, ``+`` is spelled ``plus`` and ``#`` is spelled ``sharp``, so that C, C++ and C# differ. A name
    without anything to transliterate gives ``<kind>-`` and a digest.
    """
    latin = _in_latin(name, language)
    if not _slug(latin):
        return f"{kind}-{_digest(name)}"
    return _slug(latin.replace("+", " plus ").replace("#", " sharp "))


def numbered_slugs(slug: str) -> Iterator[str]:
    """Yield ``slug``, ``slug-2``, ``slug-3``, … without end, each within the limit."""
    yield slug
    for number in count(2):
        ending = f"-{number}"
        yield slug[: MAX_SLUG_LENGTH - len(ending)].rstrip("-_") + ending


def _in_latin(text: str, language: str) -> str:
    """Return a text in ASCII, as its language spells its letters; empty for Japanese with characters of China.

    How these are read depends on the word, and is never as in Chinese.
    """
    if text.isascii():
        return text
    spoken = language.lower().partition("-")[0]
    if spoken == "ja" and _HAN.search(text):
        return ""
    spelled = _SPELLED.get(spoken)
    return "".join(map(_in_latin_letters, compose(text).translate(spelled) if spelled else text))


def _in_latin_letters(sign: str) -> str:
    """Return a character in ASCII; a letter, and a mark on one, without apostrophes that would end its word."""
    latin = anyascii(sign)
    is_in_word = not sign.isascii() and (category(sign)[0] in "LM" or sign in _HEBREW_MARKS)
    return "".join(filter(str.isalnum, latin)) if is_in_word else latin


def _slug(latin: str) -> str:
    joined = _OTHERS.sub("-", latin.lower()).strip("-")
    return joined[:MAX_SLUG_LENGTH].rstrip("-")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
