"""Names of people and things: their alphabetical order in a language, and their initials."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
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


@lru_cache(maxsize=1_000)
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
