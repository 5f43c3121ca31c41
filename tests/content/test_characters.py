"""Characters that no document may have."""

import pytest

from blog_engine.content.characters import with_allowed_characters


@pytest.mark.parametrize("character", [*"\x00\x01\x08\x0b\x0c\x0e\x1f\x7f\x80\x9f\ufdd0\ufffe\uffff"])
def test_what_documents_may_not_have_becomes_a_space(character: str) -> None:
    assert with_allowed_characters(f"one{character}two") == "one two"


def test_everything_else_stays() -> None:
    text = "\t\n\r ~\xa0é\u200d\u202e\ud7ff\ue000\ufdcf\ufdf0\ufffd\U0001f331\U0010fffd"

    assert with_allowed_characters(text) == text
