"""The changed words of two texts, with few words around them, as tools show them."""

import random
import re
from itertools import pairwise

import pytest

from blog_engine.content.differences import changed_words
from tests.content.test_differences import SIZE, each_hostile_pair
from tests.requirements import requirement
from tests.support.costs import takes_at_most

LONG = " ".join(f"word{number}" for number in range(200))
CHANGED = re.compile(r"\[-.*?-\]|\{\+.*?\+\}", re.DOTALL)


@requirement("agents.tools.words")
@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("same", "same", ""),
        ("", "new", "{+new+}\n"),
        ("It leaves at nine.", "It leaves at ten.", "It leaves at [-nine-]{+ten+}.\n"),
        ("One.\n\nTwo.", "One.\n\nThree.", "One. ¶ [-Two-]{+Three+}.\n"),
        (
            LONG,
            LONG.replace("word50 ", "other ").replace("word150 ", ""),
            "…word42 word43 word44 word45 word46 word47 word48 word49 [-word50-]{+other+} word51 word52 word53 word54 "
            "word55 word56 word57 word58…\n"
            "…word142 word143 word144 word145 word146 word147 word148 word149[- word150-] word151 word152 word153 "
            "word154 word155 word156 word157 word158…\n",
        ),
    ],
)
def test_changed_words_are_shown_with_few_words_around_them(old: str, new: str, shown: str) -> None:
    assert changed_words(old, new) == shown


@requirement("agents.tools.words")
def test_there_is_a_difference_exactly_if_the_texts_differ() -> None:
    chance, words = random.Random(2), ["the", "ferry", " ", "\n", "\n\n", "\t", "."]  # noqa: S311  repeatable, not secret
    texts = ["".join(chance.choices(words, k=chance.randrange(8))) for _ in range(200)]

    assert [bool(changed_words(old, new)) for old, new in pairwise(texts)] == [a != b for a, b in pairwise(texts)]


@requirement("agents.tools.words")
def test_at_most_eight_words_stand_beside_each_change() -> None:
    chance = random.Random(3)  # noqa: S311  repeatable, not secret
    words = [f"w{number}" for number in range(3000)]
    other = [word if chance.random() > 0.01 else word.upper() for word in words]

    for line in changed_words(" ".join(words), " ".join(other)).splitlines():
        first, *between, last = CHANGED.sub("|", line).replace("…", "").replace("||", "|").split("|")
        assert len(first.split()) <= 8
        assert len(last.split()) <= 8
        assert all(len(words.split()) <= 16 for words in between)


@requirement("posts.dry-run.difference")
@each_hostile_pair
def test_hostile_texts_take_bounded_time(old: str, new: str) -> None:
    with takes_at_most(10):
        changed_words(old, new)


@requirement("posts.dry-run.difference")
def test_two_other_bodies_of_the_largest_size_take_bounded_time() -> None:
    chance = random.Random(4)  # noqa: S311  repeatable, not secret
    old, new = (" ".join(str(chance.random()) for _ in range(SIZE // 20)) for _ in range(2))
    with takes_at_most(10):
        changed_words(old, new)
