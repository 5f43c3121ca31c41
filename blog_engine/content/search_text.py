"""What is searched of a post: its texts as folded words, and each word with the best place that it is in.

Both databases store the same words, so a search finds the same on both.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

SEARCH_VERSION: Final = "1"
"""Changes whenever the same texts give other words; posts indexed with another one are stale."""

LONGEST_TITLE: Final = 1_000
LONGEST_TEXT: Final = 200_000
"""Characters of each of description, FAQ and body that are indexed."""
MOST_WORDS: Final = 5_000
"""Different words of a post that are indexed."""
LONGEST_WORD: Final = 40

_SPACELESS: Final = (
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Japanese, Chinese
    "\U00020000-\U0003ffff\uac00-\ud7a3"  # rare characters; Korean, whose words end in particles
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
)
_SYLLABLES: Final = "\u0900-\u0963\u0966-\u0dff"
"""Scripts of India, whose vowel signs Python does not count as parts of words."""

_RUN: Final = re.compile(f"[{_SPACELESS}]+|(?:(?![{_SPACELESS}])(?:[^\\W_]|[{_SYLLABLES}]))+(?:\\+\\+|#(?!\\w))?")
_IS_SPACELESS: Final = re.compile(f"[{_SPACELESS}]+")
# Accents of European letters, and the optional vowel signs of Arabic and Hebrew.
_MARKS: Final = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u0591-\u05bd\u05bf-\u05c7\u0640]+")
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
_APOSTROPHE: Final = re.compile(r"(?<=\w)['\u2019](?=\w)")


class Searched(NamedTuple):
    """The texts of a post as ``folded_words`` gives them."""

    title: str
    description: str
    faq: str
    body: str


def folded_words(text: str, *, longest: int = LONGEST_TEXT) -> str:
    """The words of a text with a space before and after each, without case, accents, width and punctuation.

    Runs of a script without spaces stay whole. Only the first ``longest`` characters are read.
    """
    runs = " ".join(
        run[:LONGEST_WORD] if not is_spaceless(run) else run for run in _RUN.findall(_folded(text[:longest]))
    )
    return f" {runs} " if runs else ""


def is_spaceless(run: str) -> bool:
    """Whether a run of ``folded_words`` is in a script that is written without spaces."""
    return _IS_SPACELESS.match(run) is not None


def pairs_of(run: str) -> list[str]:
    """The pairs of neighbours in a run without spaces, each once: what is indexed in the place of its words."""
    return list(dict.fromkeys(run[place : place + 2] for place in range(len(run) - 1))) or [run]


def ranked_words(texts: Searched) -> dict[str, int]:
    """Each word, at most 5,000, with the rank of the best text that has it: title 8, description 4, FAQ 2, body 1."""
    ranked: dict[str, int] = {}
    for text, rank in zip(texts, (8, 4, 2, 1), strict=True):
        for word in _indexed(text.split()):
            if word not in ranked:
                if len(ranked) == MOST_WORDS:
                    return ranked
                ranked[word] = rank
    return ranked


def word_key(word: str) -> int:
    """The number under which a word is indexed: 63 bits of a digest, so that no table has to be asked for it."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest()) >> 1


def _folded(text: str) -> str:
    small = unicodedata.normalize("NFKC", text).casefold()
    if not small.isascii():
        bare = _MARKS.sub("", unicodedata.normalize("NFD", small))
        small = unicodedata.normalize("NFKC", bare).translate(_LETTERS)
    return _APOSTROPHE.sub("", _ELISION.sub("", small))


def _indexed(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if is_spaceless(run):
            yield from pairs_of(run)
        else:
            yield run
