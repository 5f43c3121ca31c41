"""Scripts: letters that are written without spaces, punctuation beside them, the length of texts, raised numbers."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

SPACELESS: Final = (
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Japanese, Chinese
    "\U00020000-\U0003ffff"  # rare characters
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
)
"""The letters of scripts that are written without spaces, for a class of a regular expression."""
HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
"""The letters of Korean, which has spaces between words, but none between a word and the particle after it."""
FULL_WIDTH_MARKS: Final = (
    "\u3001-\u3004\u3008-\u3020\u3030\u303d-\u303f\ufe10-\ufe19\ufe30-\ufe6b"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
"""Punctuation and brackets that are as wide as Chinese characters."""

RAISED: Final = str.maketrans(
    "0123456789+-\u2212=()n",
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207c\u207d\u207e\u207f",
)
LOWERED: Final = str.maketrans(
    "0123456789+-\u2212=()",
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b\u208b\u208c\u208d\u208e",
)
"""The signs that have a raised or lowered character of their own."""

WORDS_PER_MINUTE: Final = 238
LETTERS_PER_MINUTE: Final = 450
"""What is read in a minute in a script without spaces."""

_LETTER: Final = re.compile(f"[{SPACELESS}]")
_LETTER_OR_HANGUL: Final = re.compile(f"[{SPACELESS}{HANGUL}]")
_FULL_WIDTH_MARK: Final = re.compile(f"[{FULL_WIDTH_MARKS}]")
_LETTERS_AND_MARKS: Final = re.compile(f"[{SPACELESS}{FULL_WIDTH_MARKS}]+")
_IN_WORDS: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class TextLength:
    """The words of a text between white space, and its letters in scripts without spaces."""

    words: int
    letters: int = 0

    def __add__(self, other: Self) -> "TextLength":
        return TextLength(self.words + other.words, self.letters + other.letters)

    @property
    def word_count(self) -> int:
        """The words, each letter of a script without spaces as one (rendering.word-count)."""
        return self.words + self.letters

    @property
    def reading_time_minutes(self) -> int:
        """Whole minutes at 238 words and 450 such letters a minute, rounded up, at least 1."""
        needed = self.words * LETTERS_PER_MINUTE + self.letters * WORDS_PER_MINUTE
        return max(1, -(-needed // (WORDS_PER_MINUTE * LETTERS_PER_MINUTE)))


def text_length(text: str) -> TextLength:
    """Return the length of a text."""
    letters = 0 if text.isascii() else len(_LETTER.findall(text))
    if not letters:
        return TextLength(len(text.split()))
    # Quotation marks between such letters are no words.
    others = _LETTERS_AND_MARKS.sub(" ", text).split()
    return TextLength(sum(_IN_WORDS.search(other) is not None for other in others), letters)


def with_own_characters(text: str, table: Mapping[int, int | str]) -> str:
    """Return a text with its raised or lowered characters, or as it is if one of them has none."""
    text = text.strip()
    return text.translate(table) if all(ord(character) in table for character in text) else text


def is_letter_beside_marks(char: str) -> bool:
    """Return whether a letter can stand beside a mark of emphasis without a space, as in ``これは**重要**です``."""
    return _LETTER_OR_HANGUL.match(char) is not None


def is_full_width_mark(char: str) -> bool:
    """Return whether a character is punctuation of the scripts of China, Japan and Korea."""
    return _FULL_WIDTH_MARK.match(char) is not None


def is_punctuation(char: str) -> bool:
    """Return whether a character is punctuation or a symbol, as CommonMark defines it."""
    return unicodedata.category(char)[0] in "PS"
