import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content.folding import fold


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
