"""The alphabetical order of names in a language."""

import re
import unicodedata
from functools import cache
from typing import Final

_AFTER: Final = {
    "cs": "cč rř sš zž",
    "da": "zæøå",
    "es": "nñ",
    "et": "sš zž wõäöü",
    "fi": "zåäö",
    "hr": "cčć dđ sš zž",
    "is": "aá dð eé ií oó uú yý zþæö",
    "lt": "cč sš zž",
    "lv": "cč gģ kķ lļ nņ sš zž",
    "nb": "zæøå",
    "nn": "zæøå",
    "no": "zæøå",
    "pl": "aą cć eę lł nń oó sś zźż",
    "ro": "aăâ iî sș tț",
    "sk": "aä cč oô sš zž",
    "sl": "cč sš zž",
    "sv": "zåäö",
    "tr": "cç gğ oö sş uü",
}
"""For a language, the letters that have a place of their own, after the first letter of each group."""
_PLAIN: Final = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"})
_NUMBER: Final = re.compile("[0-9]+")
_DIGITS: Final = 20
_LAST: Final = "\U0010ffff"
"""Sorts after every letter that may follow."""


def sort_key(name: str, *, language: str) -> tuple[str, str]:
    """Return by what a name is sorted in a language: its letters, without case and marks; then the name itself.

    Numbers are sorted by their value. Letters that have a place of their own in the alphabet of the language keep it.
    Other scripts are in the order of Unicode.
    """
    folded = unicodedata.normalize("NFC", name.casefold())
    parts = "".join(_places(language.partition("-")[0].lower()).get(letter, letter) for letter in folded)
    letters = unicodedata.normalize("NFKD", parts.translate(_PLAIN))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _NUMBER.sub(lambda number: number[0].rjust(_DIGITS, "0"), plain), name


def first_letter(name: str) -> str:
    """Return the letter under which a name is listed, without marks and in upper case; ``#`` for anything else."""
    letter = unicodedata.normalize("NFC", name.lstrip())[:1].upper()
    return letter[:1] if letter.isalpha() else "#"


@cache
def _places(language: str) -> dict[str, str]:
    """Return for each such letter what it is sorted as: the letter before it, and its number after that."""
    return {
        letter: f"{group[0]}{_LAST}{place}"
        for group in _AFTER.get(language, "").split()
        for place, letter in enumerate(group[1:])
    }
