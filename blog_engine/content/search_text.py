# ruff: noqa: RUF001 - the endings are in the scripts of their languages
"""The words of a post for the search index, and their stems."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

from blog_engine.content.scripts import SPACELESS

SEARCH_VERSION: Final = "2"
"""Changes whenever the same texts give other words; posts indexed with another version are stale."""

LONGEST_TITLE: Final = 1_000
LONGEST_TEXT: Final = 200_000
"""The most characters that are indexed, for each of description, FAQ and body."""
MOST_WORDS: Final = 5_000
"""The most different words of a post that are indexed."""
LONGEST_WORD: Final = 40
RANKS: Final = (8, 4, 2, 1)
"""The ranks of the words of title, description, FAQ and body."""

_SPACELESS: Final = f"{SPACELESS}\uac00-\ud7a3"
"""With Korean, whose words end in particles."""
_SYLLABLES: Final = "\u0900-\u0963\u0966-\u096f\u0971-\u0dff"
"""Scripts of India, without the sign of abbreviation: ``\\w`` does not match their vowel signs."""

_RUN: Final = re.compile(f"[{_SPACELESS}]+|(?:(?![{_SPACELESS}])(?:[^\\W_]|[{_SYLLABLES}]))+(?:\\+\\+|#(?!\\w))?")
_ASCII_RUN: Final = re.compile(r"[A-Za-z0-9]+(?:\+\+|#(?!\w))?")
"""Finds what ``_RUN`` finds in ASCII, in a quarter of the time."""
_IS_SPACELESS: Final = re.compile(f"[{_SPACELESS}]+")
# Accents on European letters, and the optional vowel signs of Arabic and Hebrew.
_MARKS: Final = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u0591-\u05bd\u05bf-\u05c7\u0640]+")
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
"""Characters that Unicode calls default ignorable: a soft hyphen in a word keeps it from being found."""
_LETTERS: Final = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
        "þ": "th",
        "ð": "d",
        "ى": "ي",
        "ة": "\u0647",
    }
)
_ELISION: Final = re.compile(r"(?<![\w'\u2019])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['\u2019](?=\w)")
# The apostrophe comes first, because a pattern that starts with what is before it is tried at each character.
_APOSTROPHE: Final = re.compile(r"['\u2019](?<=\w['\u2019])(?=\w)")

_ROUNDS: Final = 3

# Ending, replacement, and the fewest characters before the ending. The first match counts.
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


class Searched(NamedTuple):
    """The texts of a post, as ``folded_words`` returns them."""

    title: str
    description: str
    faq: str
    body: str


def folded_words(text: str, *, longest: int = LONGEST_TEXT) -> str:
    """Return the words of a text with a space before and after each.

    Case, accents, width and punctuation are removed. A run in a script without spaces is one word. Only the first
    ``longest`` characters are read.
    """
    folded = _fold(text[:longest])
    if folded.isascii():
        runs = " ".join(run[:LONGEST_WORD] for run in _ASCII_RUN.findall(folded))
    else:
        runs = " ".join(run if is_spaceless(run) else run[:LONGEST_WORD] for run in _RUN.findall(folded))
    return f" {runs} " if runs else ""


def is_spaceless(run: str) -> bool:
    """Return whether a folded word is in a script that is written without spaces."""
    return _IS_SPACELESS.match(run) is not None


def pairs_of(run: str) -> list[str]:
    """Return the pairs of neighbouring characters, indexed in place of words."""
    return list(dict.fromkeys(run[place : place + 2] for place in range(len(run) - 1))) or [run]


def ranked_words(texts: Searched) -> dict[str, int]:
    """Return at most 5,000 words with the rank of the best text that has them.

    A word has the rank of the first text that it is in, see ``RANKS``.
    """
    ranked: dict[str, int] = {}
    for text, rank in zip(texts, RANKS, strict=True):
        words = text.split()
        for word in words if text.isascii() else _index_words(words):
            if word not in ranked:
                if len(ranked) == MOST_WORDS:
                    return ranked
                ranked[word] = rank
    return ranked


def word_key(word: str) -> int:
    """Return the key of a word in the index, 63 bits of a digest: no query needed."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest()) >> 1


def _fold(text: str) -> str:
    small = text.casefold()
    if not small.isascii():
        small = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
        bare = _MARKS.sub("", unicodedata.normalize("NFD", small))
        small = unicodedata.normalize("NFKC", bare).translate(_LETTERS)
    if "'" not in small and "\u2019" not in small:
        return small
    return _APOSTROPHE.sub("", _ELISION.sub("", small))


def _index_words(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if is_spaceless(run):
            yield from pairs_of(run)
        else:
            yield run


def stem(word: str) -> str:
    """Return the stem of a folded word.

    Words with digits, and words in a script without a list of endings, are their own stem.
    """
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
        # A final "ee" or a rest without vowels is no inflection: speed, string.
        is_latin = endings is _LATIN
        if len(rest) < least or (is_latin and (not _VOWEL.search(rest) or (ending[0] == "e" and rest[-1] == "e"))):
            continue
        return rest + instead
    return word
