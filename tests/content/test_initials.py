"""The initials of names."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content.initials import initials_of
from tests.requirements import requirement


@requirement("pages.initials")
@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Ada Example", "AE"),
        ("ada example", "AE"),
        ("Rosa", "R"),
        ("J. R. R. Tolkien", "JT"),
        ("Jean-Luc Picard", "JP"),
        ("Jean\N{HYPHEN}Luc", "JL"),
        ("Ludwig van Beethoven", "LB"),
        ("bell hooks", "BH"),
        ("O'Brien", "O"),
        ("\N{LEFT DOUBLE QUOTATION MARK}Ada\N{RIGHT DOUBLE QUOTATION MARK} (Example)", "AE"),
        ("3M", "3"),
        ("e\N{COMBINING ACUTE ACCENT}lise dupont", "\N{LATIN CAPITAL LETTER E WITH ACUTE}D"),
        ("n\N{COMBINING DIAERESIS}eil", "N\N{COMBINING DIAERESIS}"),
        ("\N{LATIN SMALL LETTER SHARP S}a", "\N{LATIN SMALL LETTER SHARP S}"),
        ("Ирина Петрова", "ИП"),
        ("გიორგი", "გ"),
        ("王小明", "王"),
        ("山田 太郎", "山"),
        ("エイダ・エグザンプル", "エ"),
        ("김민수", "김"),
        ("محمد علي", "م"),
        ("עדה כהן", "ע"),
        ("प्रिया शर्मा", "प्रि"),
        ("เอก ชัย", "เอ"),
        ("\U0001f469\U0001f3fd\u200d\U0001f33e Rosa Quay", "RQ"),
        ("\U0001f469\U0001f3fd\u200d\U0001f33e", "\U0001f469\U0001f3fd\u200d\U0001f33e"),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "\U0001f1e9\U0001f1ea"),
        ("\N{HORIZONTAL ELLIPSIS}", "\N{HORIZONTAL ELLIPSIS}"),
        (" ", ""),
        ("", ""),
    ],
)
def test_initials_are_those_of_the_words(name: str, initials: str) -> None:
    assert initials_of(name) == initials


@requirement("pages.initials")
@settings(deadline=None)
@given(st.text(max_size=20))
def test_initials_begin_with_no_mark_and_have_no_space(name: str) -> None:
    initials = initials_of(name)

    assert bool(initials) == bool(name.strip())
    assert not any(sign.isspace() for sign in initials)
    first = unicodedata.normalize("NFC", name).strip()[:1]
    assert not initials or initials[0] == first or not unicodedata.category(initials[0]).startswith("M")
