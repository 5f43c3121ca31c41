"""Functions on text: characters, folding, slugs and log lines."""

import json
import re
import sys
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from itertools import groupby
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content import text
from blog_engine.content.text import (
    MAX_SLUG_LENGTH,
    MOST_MARKS,
    SLUG_PATTERN,
    compose,
    fold,
    has_long_mark_run,
    is_slug,
    log_line,
    numbered_slugs,
    slug_from_name,
    slug_from_title,
    with_allowed_characters,
    without_long_mark_runs,
)
from tests.requirements import requirement


@pytest.mark.parametrize("character", [*"\x00\x01\x08\x0b\x0c\x0e\x1f\x7f\x80\x9f\ufdd0\ufffe\uffff"])
def test_what_documents_may_not_have_becomes_a_space(character: str) -> None:
    assert with_allowed_characters(f"one{character}two") == "one two"


def test_everything_else_stays() -> None:
    text = "\t\n\r ~\xa0é\u200d\u202e\ud7ff\ue000\ufdcf\ufdf0\ufffd\U0001f331\U0010fffd"

    assert with_allowed_characters(text) == text


@pytest.mark.parametrize("mark", ["\u0301", "\u0f73", "\u094d", "\ufe0f", "\uff9e", "\U0001d165"], ids=ascii)
def test_thirty_marks_in_a_row_are_allowed(mark: str) -> None:
    text = f"a{mark * MOST_MARKS}b{mark * MOST_MARKS}"

    assert not has_long_mark_run(text)
    assert without_long_mark_runs(text) == text


@pytest.mark.parametrize("mark", ["\u0301", "\u0f73", "\u094d", "\ufe0f", "\uff9e", "\U0001d165"], ids=ascii)
def test_further_marks_are_too_many(mark: str) -> None:
    text = f"漢字 a{mark * (MOST_MARKS + 1)}b"

    assert has_long_mark_run(text)
    assert without_long_mark_runs(text) == f"漢字 a{mark * MOST_MARKS}b"


def test_letters_of_any_script_are_no_marks() -> None:
    assert not has_long_mark_run("漢" * 1000 + "ж" * 1000 + "ก" * 1000 + "e\u0301" * 1000)


def test_everything_that_normalisation_sorts_is_a_mark() -> None:
    sorted_by_normalisation = [
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if any(map(unicodedata.combining, unicodedata.normalize("NFKD", character)[:1]))
    ]

    assert len(sorted_by_normalisation) > 800
    assert [one for one in sorted_by_normalisation if not has_long_mark_run(one * (MOST_MARKS + 1))] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("ÉTÉ", "été"), ("e\u0301te", "Éte"), ("STRASSE", "straße"), ("\u212b", "å"), ("ΣΊΣΥΦΟΣ", "σίσυφος")],
)
def test_texts_that_differ_only_in_case_or_form_fold_to_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_different_letters_stay_different() -> None:
    assert fold("ete") != fold("été")


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    folded = fold(text)

    assert fold(folded) == folded
    assert unicodedata.is_normalized("NFC", folded)


@pytest.mark.parametrize("normalise", [fold, compose])
def test_a_run_of_marks_is_bounded_before_it_is_normalised(
    normalise: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(text, "unicodedata", recording(seen))

    normalise("\u0301\u0316" * 1000 + "a" + "\u0f73" * 1000)

    assert seen
    assert max(map(longest_run_of_marks, seen)) <= 2 * MOST_MARKS


def recording(seen: list[str]) -> SimpleNamespace:
    """Record the texts that are passed to the normalisation of the standard library."""

    def normalize(form: str, text: str) -> str:
        seen.append(text)
        return unicodedata.normalize(form, text)

    return SimpleNamespace(normalize=normalize, decomposition=unicodedata.decomposition)


def longest_run_of_marks(text: str) -> int:
    runs = groupby(text, key=lambda character: unicodedata.category(character)[0] == "M")
    return max((len(list(run)) for is_mark, run in runs if is_mark), default=0)


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
    assert slug_from_title(title, language="en") == slug


@requirement("posts.slug.language")
@pytest.mark.parametrize(
    ("language", "title", "slug"),
    [
        ("de", "Größere Übung", "groessere-uebung"),
        ("de-AT", "A\u0308RGER \u1e9e", "aerger-ss"),
        ("sv", "Räksmörgås", "raksmorgas"),
        ("fi", "Hyvää yötä", "hyvaa-yota"),
        ("da", "Smørrebrød på Ærø", "smoerrebroed-paa-aeroe"),
        ("nb", "Ålesund", "aalesund"),
        ("nn-NO", "blåbær", "blaabaer"),
        ("fr", "Où ça, Zoë ?", "ou-ca-zoe"),
        ("zh-Hans", "日记", "riji"),
        ("ja", "ひらがな", "hiragana"),
        ("ja", "Django 5", "django-5"),
        ("ja", "日本語の組版", "post-606927b72ca2"),
        ("ja-JP", "人々", "post-%s"),
        ("JA", "Python 入門", "post-%s"),
        ("en", "日本", "riben"),
    ],
)
def test_a_title_is_spelled_as_in_its_language(language: str, title: str, slug: str) -> None:
    expected = slug.replace("%s", sha256(title.encode()).hexdigest()[:12])

    assert slug_from_title(title, language=language) == expected
    assert slug_from_name(title, kind="post", language=language) == expected


@requirement("posts.slug.derived")
def test_a_title_without_letters_becomes_a_digest() -> None:
    assert slug_from_title("!!!", language="en") == "post-e84c538e7fe2"


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
    assert slug_from_name(name, kind="tag", language="en") == slug


def test_numbered_slugs_keep_the_limit() -> None:
    numbers = numbered_slugs("a" * MAX_SLUG_LENGTH)

    assert [next(numbers)[-4:] for _ in range(3)] == ["aaaa", "aa-2", "aa-3"]
    assert {len(next(numbers)) for _ in range(20)} == {MAX_SLUG_LENGTH}


@requirement("posts.slug.derived", "taxonomy.slugs.fallback")
def test_a_name_without_letters_becomes_its_kind_and_a_digest() -> None:
    assert slug_from_name("!!!", kind="tag", language="en") == "tag-e84c538e7fe2"
    assert slug_from_name("Low tide", kind="tag", language="en") == "low-tide"


def test_a_slug_is_cut_without_a_hanging_separator() -> None:
    assert slug_from_title("a" * 199 + " bcd", language="en") == "a" * 199
    assert slug_from_title("a" * 300, language="en") == "a" * MAX_SLUG_LENGTH


@given(st.text())
def test_every_title_gives_a_slug_of_bounded_length(title: str) -> None:
    slug = slug_from_title(title, language="en")

    assert is_slug(slug)
    assert len(slug) <= MAX_SLUG_LENGTH


@requirement("host.log")
def test_fields_with_a_value_are_in_the_given_order() -> None:
    fields = {
        "who": "Ada",
        "post": 12,
        "code": None,
        "took": 1.5,
        "dry_run": False,
        "last": True,
        "none": 0,
        "text": "",
    }

    assert log_line(fields) == 'who="Ada" post=12 took=1.5 last=true none=0 text=""'


@requirement("host.log.format")
@pytest.mark.parametrize(
    "name",
    [
        'Ada" outcome="done',
        "Ada\nERROR forged",
        "Ada\r\nx",
        "\x1b[31mred\x1b[0m",
        "a\x85b\u2028c\u2029d\x0be\x0cf\x1cg",
        "\u202egro.live",
        "zero\u200bwidth",
        "\ud800",
        "tag \U000e0041",
        "back\\slash \\n",
    ],
    ids=ascii,
)
def test_a_name_stays_one_value_of_one_line(name: str) -> None:
    line = log_line({"actor": name, "post": 1})

    assert line.isprintable()
    assert len(line.splitlines()) == 1
    value, end = json.JSONDecoder().raw_decode(line, len("actor="))
    assert (value, line[end:]) == (name, " post=1")


def test_letters_of_every_script_stay_readable() -> None:
    assert log_line({"actor": "Zoë 李 🖋"}) == 'actor="Zoë 李 🖋"'
