"""The initials of a name, shown where there is no avatar."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_VIRAMA: Final = 9
"""The combining class of signs after which an Indic consonant joins the next one."""
_JOINER: Final = "\u200d"
_MARKS: Final = {"Mn", "Mc", "Me"}
_ONE_INITIAL: Final = re.compile(
    # Hebrew, Arabic, the scripts of India and South-East Asia, Hangul, kana, Han.
    "[\u0590-\u109f\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufb1d-\ufeff\U00020000-\U0003ffff]"
)
_PREPOSED: Final = re.compile("[\u0e40-\u0e44\u0ec0-\u0ec4]")
"""Vowels that Thai and Lao write before their consonant."""


def initials_of(name: str) -> str:
    """Return the initials of the first and the last word of a name, or of its only word; at most two characters.

    Particles in small letters, such as "van", are passed over, and so is punctuation. A name in a script without
    capitals has one initial. A character is what readers see as one, such as an emoji of several code points.
    """
    text = unicodedata.normalize("NFC", name).strip()
    words = [word for word in map(_from_first_letter, re.split(r"[\s\-‐‑·・=＝]+", text)) if word]  # noqa: RUF001
    words = [word for word in words if not word[0].islower()] or words
    if not words:
        return _first_character(text)
    if _ONE_INITIAL.match(words[0]) or len(words) == 1:
        return _capital(words[0])
    return _capital(words[0]) + _capital(words[-1])


def _from_first_letter(word: str) -> str:
    """Return the word from its first letter or digit on; empty if it has none."""
    return next((word[place:] for place, sign in enumerate(word) if sign.isalnum()), "")


def _capital(word: str) -> str:
    first = _first_character(word)
    # Title case, because some letters have no capital of their own; "ß" would become two letters.
    capital = first.title()
    return capital if len(capital) == len(first) else first


def _first_character(text: str) -> str:
    """Return the first grapheme cluster, by the rules of UAX #29 that occur in names."""
    end = min(1, len(text))
    while end < len(text) and _continues(text[:end], text[end]):
        end += 1
    return text[:end]


def _continues(before: Sequence[str], sign: str) -> bool:
    """Return whether a sign belongs to the character that ends before it."""
    last = before[-1]
    if unicodedata.category(sign) in _MARKS or sign == _JOINER or _is_modifier(sign):
        return True
    if _is_flag_letter(sign):
        return len(before) == 1 and _is_flag_letter(last)
    joins = last == _JOINER or unicodedata.combining(last) == _VIRAMA or bool(_PREPOSED.match(last))
    return joins and not sign.isspace()


def _is_modifier(sign: str) -> bool:
    """Return whether a sign is a skin tone or a tag, which change the emoji before them."""
    return "\U0001f3fb" <= sign <= "\U0001f3ff" or "\U000e0020" <= sign <= "\U000e007f"


def _is_flag_letter(sign: str) -> bool:
    """Return whether a sign is a regional indicator, two of which are a flag."""
    return "\U0001f1e6" <= sign <= "\U0001f1ff"
