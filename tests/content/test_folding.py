import unicodedata
from collections.abc import Callable
from itertools import groupby
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content import text
from blog_engine.content.text import MOST_MARKS, composed, fold


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


@pytest.mark.parametrize("normalise", [fold, composed])
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

    return SimpleNamespace(normalize=normalize)


def longest_run_of_marks(text: str) -> int:
    runs = groupby(text, key=lambda character: unicodedata.category(character)[0] == "M")
    return max((len(list(run)) for is_mark, run in runs if is_mark), default=0)
