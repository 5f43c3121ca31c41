"""The alphabetical order of names in a language."""

import re
import unicodedata
from functools import cache
from typing import Final

IDEOGRAPHS: Final = "漢字"
"""The heading of names that begin with a Chinese character: there are too many for a heading each."""

_AFTER: Final = {
    "be": "гґ её зій уў",
    "bg": "ий",
    "cs": "cč rř sš zž",
    "da": "zæøå",
    "eo": "cĉ gĝ hĥ jĵ sŝ uŭ",
    "es": "nñ",
    "et": "sš zž wõäöü",
    "fa": "بپ جچ زژ قکگ وهی",
    "fi": "zåäö",
    "hr": "cčć dđ sš zž",
    "hu": "oö uü",
    "is": "aá dð eé ií oó uú yý zþæö",
    "lt": "cč sš zž",
    "lv": "cč gģ kķ lļ nņ sš zž",
    "mk": "дѓ зѕ иј лљ нњ тќ чџ",
    "nb": "zæøå",
    "nn": "zæøå",
    "no": "zæøå",
    "pl": "aą cć eę lł nń oó sś zźż",
    "ro": "aăâ iî sș tț",
    "ru": "ий",
    "sk": "aä cč oô sš zž",
    "sl": "cč sš zž",
    "sr": "дђ иј лљ нњ тћ чџ cčć dđ sš zž",
    "sv": "zåäö",
    "tr": "cç gğ oö sş uü",
    "uk": "гґ еє иіїй",
    "vi": "aăâ dđ eê oôơ uư",
}
"""For a language, the letters that have a place of their own, after the first letter of each group."""
_SAME: Final = {
    "fa": str.maketrans({"ك": "ک", "ي": "ی"}),
    "hu": str.maketrans({"ő": "ö", "ű": "ü"}),
    "ro": str.maketrans({"ş": "ș", "ţ": "ț"}),
}
"""For a language, letters that are sorted as another one with a place of its own."""
_PLAIN: Final = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"})
_KANA: Final = {
    **{code: code - 0x60 for code in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)},
    **str.maketrans("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ", "あいうえおつやゆよわ" * 2),
}
"""Katakana are sorted as hiragana, small ones as large ones."""
_FIRST_VOWEL: Final = re.compile("([เแโใไ])([ก-ฮ])|([ເແໂໃໄ])([ກ-ຮ])")
"""Thai and Lao vowels that are written before the consonant by which a word is sorted."""
_VOWELS: Final = frozenset("\u0e38\u0e39\u0eb8\u0eb9")
"""Thai and Lao vowels that Unicode counts as marks."""
_INITIALS: Final = dict(zip(map(chr, range(0x1100, 0x1113)), "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", strict=True))
"""The consonants with which Korean syllables begin, and how they are written alone."""
_NUMBER: Final = re.compile("[0-9]+")
_DIGITS: Final = 20
_LAST: Final = "\U0010ffff"
"""Sorts after every letter that may follow."""
_SIGN: Final = "0"
_LETTER: Final = "1"
_IDEOGRAPH: Final = "2"


def sort_key(name: str, *, language: str) -> tuple[str, str]:
    """Return by what a name is sorted in a language: its letters, without case and marks; then the name itself.

    Names that begin with a number or sign come first, and those that begin with a Chinese character last. Numbers are
    sorted by their value. Letters that have a place of their own in the alphabet of the language keep it; others are
    in the order of Unicode.
    """
    letters = _letters(name, language)
    return _rank(letters) + _NUMBER.sub(lambda number: number[0].rjust(_DIGITS, "0"), letters), name


def first_letter(name: str, *, language: str) -> str:
    """Return the letter under which a name is listed: the first by which it is sorted, in upper case.

    ``#`` for a number or sign, and ``IDEOGRAPHS`` for a Chinese character.
    """
    letters = _letters(name, language)
    rank = _rank(letters)
    if rank != _LETTER:
        return "#" if rank == _SIGN else IDEOGRAPHS
    own = _own_letters(_primary(language)).get(letters[:3])
    return (own or _INITIALS.get(letters[0], letters[0])).title()


def _letters(name: str, language: str) -> str:
    """Return the letters of a name by which it is sorted."""
    if name.isascii():
        return name.casefold().strip()
    primary = _primary(language)
    simple = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()
    folded = simple.translate(_SAME.get(primary, {}))
    places = _places(primary)
    placed = "".join(_placed(letter, places) for letter in folded) if places else folded
    parts = unicodedata.normalize("NFD", placed)
    plain = "".join(letter for letter in parts if letter in _VOWELS or not unicodedata.combining(letter))
    return _FIRST_VOWEL.sub(r"\2\1\4\3", plain.translate(_PLAIN | _KANA)).strip()


def _rank(letters: str) -> str:
    """Return what a name begins with, in the order of these."""
    if not letters[:1].isalpha():
        return _SIGN
    return _IDEOGRAPH if unicodedata.name(letters[0], "").startswith("CJK ") else _LETTER


def _primary(language: str) -> str:
    return language.partition("-")[0].lower()


def _placed(letter: str, places: dict[str, str]) -> str:
    """Return what a letter is sorted as, such as ``ắ`` as ``ă`` where that is a letter of its own."""
    if letter in places or letter.isascii():
        return places.get(letter, letter)
    base, *marks = list(unicodedata.normalize("NFD", letter))
    own = (unicodedata.normalize("NFC", base + mark) for mark in ("", *marks))
    return next((places[one] for one in own if one in places), letter)


@cache
def _own_letters(language: str) -> dict[str, str]:
    return {place: letter for letter, place in _places(language).items()}


@cache
def _places(language: str) -> dict[str, str]:
    """Return for each such letter what it is sorted as: the letter before it, and its number after that."""
    return {
        letter: f"{group[0]}{_LAST}{place}"
        for group in _AFTER.get(language, "").split()
        for place, letter in enumerate(group[1:])
    }
