# ruff: noqa: RUF001 - the endings are in the letters of their languages
"""A light stemmer without a language: inflected forms of a word get the same stem.

A blog mixes languages and does not name them, so one list of endings serves all languages of a script. It takes off
inflections only and errs on the side of too little. Two unrelated words may share a stem: a stem finds posts, and exact
words rank above it.
"""

import re
from typing import Final

_ROUNDS: Final = 3

# Ending, what replaces it, and the fewest characters before it. The first that fits is taken.
_LATIN: Final = (
    *(("ations", "", 4), ("ation", "", 4), ("ating", "", 4), ("ated", "", 4), ("ates", "", 4), ("ate", "", 4)),
    *(("ements", "", 4), ("ement", "", 4), ("aient", "", 4), ("issons", "", 4), ("erinnen", "", 4), ("erin", "", 4)),
    *(("ungen", "", 4), ("ung", "", 4), ("ments", "", 4), ("ment", "", 4), ("ness", "", 4), ("euses", "", 4)),
    *(("ions", "", 5), ("ion", "", 5), ("ages", "", 5), ("age", "", 5), ("eaux", "eau", 3), ("aux", "al", 4)),
    *(("ings", "", 3), ("ing", "", 3), ("ies", "y", 3), ("ied", "y", 3), ("lich", "", 5), ("ently", "ent", 3)),
    *(("ern", "", 4), ("ers", "", 4), ("ent", "", 5), ("ons", "", 4), ("ait", "", 4), ("ais", "", 4), ("ly", "", 4)),
    *(("iert", "ier", 3), ("ieren", "ier", 3), ("est", "", 4), ("ed", "", 3), ("er", "", 4), ("es", "", 3)),
    *(("en", "", 3), ("em", "", 4), ("ez", "", 4), ("is", "is", 2), ("us", "us", 2), ("ss", "ss", 2)),
    *(("s", "", 3), ("e", "", 3), ("n", "", 5), ("y", "i", 2)),
)
_CYRILLIC: Final = tuple(
    (ending, "", 3)
    for ending in (
        *("иями", "ями", "ами", "ого", "его", "ому", "ему", "ыми", "ими", "иях", "ия", "ии", "ию", "ов", "ев", "ах"),
        *("ях", "ам", "ям", "ой", "ои", "ей", "еи", "ом", "ем", "ыи", "ии", "ая", "яя", "ое", "ее", "ые", "ие", "ых"),
        *("их", "ую", "юю", "ть", "а", "о", "е", "у", "ю", "ы", "и", "я", "ь"),
    )
)
_ARABIC_START: Final = re.compile("^(?:وال|بال|كال|فال|لل|ال|و(?=....))(?=...)")
_ARABIC_END: Final = re.compile("(?<=...)(?:ها|ان|ات|ون|ين|يه|ه|ي)$")
_VOWEL: Final = re.compile("[aeiouy]")
_DOUBLED: Final = re.compile(r"([bcdfghjklmnpqrstvwxz])\1$")


def stem(word: str) -> str:
    """The stem of a folded word; the word itself in scripts without a list of endings and for words with digits."""
    if not word.isalpha():
        return word
    if word.isascii():
        return _stem_of_latin(word)
    if "\u0621" <= word[0] <= "\u064a":
        return _ARABIC_END.sub("", _ARABIC_START.sub("", word))
    if "\u0400" <= word[0] <= "\u04ff":
        return _without_ending(word, _CYRILLIC)
    return word


def _stem_of_latin(word: str) -> str:
    for _ in range(_ROUNDS):
        shorter = _without_ending(word, _LATIN)
        if shorter == word:
            break
        word = shorter
    return _DOUBLED.sub(r"\1", word) if len(word) > 3 else word


def _without_ending(word: str, endings: tuple[tuple[str, str, int], ...]) -> str:
    for ending, instead, least in endings:
        if not word.endswith(ending):
            continue
        rest = word[: len(word) - len(ending)]
        if instead == ending:
            return word
        # "ee" and a rest without a vowel are no inflection: speed, string.
        is_latin = endings is _LATIN
        if len(rest) < least or (is_latin and (not _VOWEL.search(rest) or (ending[0] == "e" and rest[-1] == "e"))):
            continue
        return rest + instead
    return word
