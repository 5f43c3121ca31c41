"""The passage of a text that is most like another one, and the words around a passage."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from heapq import nlargest
from itertools import islice
from typing import Final

_LONGEST_SHOWN: Final = 400
_MOST_WORDS: Final = 60
"""Of a passage that is not found, with which the nearest one is looked for."""
_LONGEST_SEARCHED: Final = 1_000_000
_MOST_SEARCHED: Final = 200_000
"""Characters and words in which it is looked for."""
_LONGEST_WORD: Final = 40
"""Characters of a word that are compared."""
_MOST_COMPARED: Final = 16
"""Passages with the most in common, of which the most similar one is chosen."""
_LONGEST_COMPARED: Final = 200
"""Characters of each."""
_LEAST_ALIKE: Final = 0.3
"""The part of the wanted passage that the nearest one must have in common with it."""
_GRAM: Final = 3
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]")
"""A word, or a single character of a script without spaces."""

_LONGEST_AROUND: Final = 40
"""Characters that are shown on each side of a passage."""
_LONGEST_WITHIN: Final = 80


def nearest_passage(text: str, wanted: str) -> str:
    """Return a sentence with the passage of the text that is most like ``wanted``, in bounded time."""
    words = [match.group() for match in islice(_WORD.finditer(wanted), _MOST_WORDS)]
    spans = [match.span() for match in islice(_WORD.finditer(text, 0, _LONGEST_SEARCHED), _MOST_SEARCHED)]
    places = _likely_places(text, spans, words)
    if not places:
        return "Nothing in the body is like it: read the body again."
    passages = [text[spans[first][0] : spans[last][1]] for first, last in places]
    sought = SequenceMatcher(None, "", wanted[:_LONGEST_COMPARED], autojunk=False)

    def likeness(passage: str) -> float:
        sought.set_seq1(passage[:_LONGEST_COMPARED])
        return sought.ratio()

    nearest = max(passages, key=likeness)
    if len(nearest) > _LONGEST_SHOWN or len(words) == _MOST_WORDS:
        return f"The nearest passage begins: {nearest[:_LONGEST_SHOWN]}"
    return f"The nearest passage is: {nearest}"


def _likely_places(text: str, spans: Sequence[tuple[int, int]], wanted: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first and the last word of the passages that have most parts of words in common with ``wanted``.

    They have as many words as it, one more or one less, in which a word is missing or added.
    """
    grams = Counter(gram for word in wanted for gram in _grams(word.lower()))
    if not spans or not grams:
        return []

    @cache
    def shared(word: str) -> tuple[str, ...]:
        return tuple(gram for gram in _grams(word) if gram in grams)

    scores = list(_overlaps((shared(text[start:end].lower()) for start, end in spans), grams, len(wanted)))
    best = nlargest(_MOST_COMPARED, range(len(scores)), key=scores.__getitem__)
    if scores[best[0]] < _LEAST_ALIKE * grams.total():
        return []
    return [
        (first, last)
        for end in best
        for last in {end, max(end - 1, 0)}
        for length in {len(wanted), max(len(wanted) - 1, 1), len(wanted) + 1}
        if (first := last - length + 1) >= 0
    ] or [(0, best[0])]


def _overlaps(words: Iterator[Sequence[str]], grams: Counter[str], length: int) -> Iterator[int]:
    """Yield for each word how many ``grams`` the passage of this many words has that ends with it."""
    within: Counter[str] = Counter()
    passage: list[Sequence[str]] = []
    common = 0
    for place, word in enumerate(words):
        passage.append(word)
        for gram in word:
            common += within[gram] < grams[gram]
            within[gram] += 1
        if place >= length:
            for gram in passage[place - length]:
                within[gram] -= 1
                common -= within[gram] < grams[gram]
        yield common


def _grams(word: str) -> list[str]:
    """Return the parts of a word, by which misspelt words are alike."""
    padded = f" {word[:_LONGEST_WORD]} "
    return [padded[start : start + _GRAM] for start in range(len(padded) - _GRAM + 1)]


def around(text: str, start: int, end: int) -> str:
    """Return a passage with the words around it in its line, as they are in the text; a long one is shortened."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = len(text) if (found := text.find("\n", end)) < 0 else found
    first, last = max(line_start, start - _LONGEST_AROUND), min(line_end, end + _LONGEST_AROUND)
    # Whole words only.
    before = text[first:start] if first == line_start else text[first:start].partition(" ")[2]
    after = text[end:last] if last == line_end else text[end:last].rpartition(" ")[0]
    passage = text[start:end]
    if len(passage) > _LONGEST_WITHIN:
        passage = f"{passage[: _LONGEST_WITHIN // 2]}…{passage[-_LONGEST_WITHIN // 2 :]}"
    return f"{before}{passage}{after}".strip()
