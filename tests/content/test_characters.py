"""Characters that are forbidden in HTML and XML."""

import sys
import unicodedata

import pytest

from blog_engine.content.text import MOST_MARKS, has_long_mark_run, with_allowed_characters, without_long_mark_runs


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
