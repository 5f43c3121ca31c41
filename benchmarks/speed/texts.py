"""The texts of the seeded posts: 800 words each, the same in every run.

A post has the sentences of its pattern and words of its own. Each place of a word has a fixed length, so that a post
becomes another one of its pattern when the words are exchanged, in the Markdown as in everything that is derived from
it.
"""

import re
from functools import cache
from itertools import cycle
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.search.corpus import texts as corpus

PATTERNS: Final = 48
_PLACES: Final = 60
_VOCABULARY: Final = 400
"""Words of each length."""
_SKEW: Final = 3
"""Raises the share of common words: a tenth of the vocabulary has almost half of the places."""

_TITLES: Final = (
    "The {} of {} and {}",
    "Why {} is not {}, and what {} has to do with it",
    "A week with {}, {} and {}",
    "How we moved from {} to {} without {}",
)
_OWN: Final = (
    "The {} of the {} is older than the {} that replaced it.",
    "Nobody asked for {} until the second {} failed on a Sunday.",
    "We compared {} with {} and kept the cheaper one.",
    "A {} needs less {} than most people expect, and more {} than they like.",
    "If the {} comes first, the {} follows within the hour.",
    "Between {} and {} there is room for one more {}.",
)
_CODE: Final = '''```python
def measure(rows: list[int], *, least: int = 3) -> dict[str, float]:
    """Return the mean of each window of the rows."""
    found = {}
    for start in range(0, len(rows) - least):
        window = rows[start : start + least]
        found[f"from {start}"] = sum(window) / len(window)
    return found
```'''


class PostText(NamedTuple):
    """The texts of a post, as the API takes them."""

    title: str
    slug: str
    description: str
    body: str
    faq: list[dict[str, str]]

    def fields(self) -> dict[str, Any]:
        """Return the fields of a call that stores a post."""
        return self._asdict() | {"provenance": "human_written"}


def post_text(number: int) -> PostText:
    """Return the texts of the post with a number, counted from 0."""
    return _fill(number % PATTERNS, number)


def post_slug(number: int) -> str:
    """Return the slug of a post."""
    return f"{'-'.join(own_words(number)[:2])}-{number:06d}"


def own_words(number: int) -> list[str]:
    """Return the different words of a post, by their places."""
    chance = Random(f"words {number}")
    chosen: dict[str, None] = {}
    while len(chosen) < _PLACES:
        words = vocabulary()[5 + len(chosen) % 5]
        chosen.setdefault(words[int(len(words) * chance.random() ** _SKEW)])
    return list(chosen)


@cache
def vocabulary() -> dict[int, list[str]]:
    """Return invented words by their length; none is in the sentences of the patterns."""
    known = set(re.findall("[a-z]+", " ".join(_sentences()).lower()))
    return {length: _invent(length, known=known) for length in range(5, 10)}


def _invent(length: int, *, known: set[str]) -> list[str]:
    chance = Random(f"vocabulary {length}")
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        letters = (chance.choice("bdfgklmnprstvz" if place % 2 == 0 else "aeiou") for place in range(length))
        word = "".join(letters)
        # With one of these letters a word is never that of a tag, an attribute or a style.
        if word not in known and set(word) & set("kvz"):
            words.setdefault(word)
    return list(words)


@cache
def _sentences() -> tuple[str, ...]:
    english = [text.body for text in corpus() if text.body.isascii()]
    return tuple(sentence for body in english for sentence in re.split(r"(?<=[.!?]) ", body))


def _fill(pattern: int, number: int) -> PostText:
    chance = Random(f"pattern {pattern}")
    words = cycle(own_words(number))

    def fill(text: str) -> str:
        return text.format(*(next(words) for _ in range(text.count("{}"))))

    def paragraph() -> str:
        return " ".join([*chance.sample(_sentences(), 3), fill(chance.choice(_OWN))])

    title = fill(chance.choice(_TITLES))
    description = fill("What the {} has to do with a {}, in six steps and with one warning for keepers of {}.")
    blocks = [paragraph(), f"{fill('**{}** and *{}* are described')} [elsewhere](https://example.org/{pattern})."]
    extras = [
        fill("- a {} of {}\n- two {}, or one `{}`\n- [the {}](https://example.net/notes)"),
        _CODE,
        fill("> A {} is only as good as its {}.\n>\n> It says so on the {}."),
        fill("| Part | Cost |\n| --- | --- |\n| {} | 12 |\n| {} | 30 |\n| {} | 7 |"),
        fill("1. Take the {}.\n2. Put it beside the {}.\n3. Wait for the {}."),
        fill("### Notes on {}\n\nSee <https://example.com/notes> for {}."),
    ]
    for extra in extras:
        blocks += [fill("## The {} of {}"), paragraph(), extra, paragraph()]
    faq = [{"question": fill("Is {} enough?"), "answer": fill("With {}, yes.")}] if pattern % 4 == 0 else []
    return PostText(title, post_slug(number), description, "\n\n".join(blocks) + "\n", faq)
