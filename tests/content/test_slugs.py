import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content.text import (
    MAX_SLUG_LENGTH,
    SLUG_PATTERN,
    is_slug,
    numbered_slugs,
    slug_from_name,
    slug_from_title,
)
from tests.requirements import requirement


@pytest.mark.parametrize("text", ["a", "7", "low-tide", "low_tide", "a-b_c-9", "a" * 300])
def test_a_text_of_the_slug_shape_is_a_slug(text: str) -> None:
    assert is_slug(text)
    assert re.search(SLUG_PATTERN, text)


@pytest.mark.parametrize("text", ["", "A", "a--b", "a_-b", "-a", "a-", "a.b", "a b", "été", "a\n", "a/b", "\u0661"])
def test_another_text_is_not_a_slug(text: str) -> None:
    assert not is_slug(text)


@requirement("posts.slug.derived")
@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Harbour log", "harbour-log"),
        ("  Été à la mer!  ", "ete-a-la-mer"),
        ("foo_bar -- baz", "foo-bar-baz"),
        ("C# & C++", "c-c"),
        ("Straße", "strasse"),
        ("港の日記", "gangnoriji"),
        ("100 %", "100"),
    ],
)
def test_a_title_becomes_a_slug(title: str, slug: str) -> None:
    assert slug_from_title(title) == slug


@requirement("posts.slug.derived")
def test_a_title_without_letters_becomes_a_digest() -> None:
    assert slug_from_title("!!!") == "post-e84c538e7fe2"


@requirement("taxonomy.slugs.symbols")
@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("\uff23\uff0b\uff0b", "c-plus-plus"),
        ("A+B", "a-plus-b"),
        ("#python", "sharp-python"),
        ("#", "tag-334359b90efe"),
        ("+ +", "tag-75f9d4f11ae6"),
    ],
)
def test_names_spell_plus_and_sharp_beside_other_letters(name: str, slug: str) -> None:
    assert slug_from_name(name, kind="tag") == slug


def test_numbered_slugs_keep_the_limit() -> None:
    numbers = numbered_slugs("a" * MAX_SLUG_LENGTH)

    assert [next(numbers)[-4:] for _ in range(3)] == ["aaaa", "aa-2", "aa-3"]
    assert {len(next(numbers)) for _ in range(20)} == {MAX_SLUG_LENGTH}


@requirement("posts.slug.derived", "taxonomy.slugs.fallback")
def test_a_name_without_letters_becomes_its_kind_and_a_digest() -> None:
    assert slug_from_name("!!!", kind="tag") == "tag-e84c538e7fe2"
    assert slug_from_name("Low tide", kind="tag") == "low-tide"


def test_a_slug_is_cut_without_a_hanging_separator() -> None:
    assert slug_from_title("a" * 199 + " bcd") == "a" * 199
    assert slug_from_title("a" * 300) == "a" * MAX_SLUG_LENGTH


@given(st.text())
def test_every_title_gives_a_slug_of_bounded_length(title: str) -> None:
    slug = slug_from_title(title)

    assert is_slug(slug)
    assert len(slug) <= MAX_SLUG_LENGTH
