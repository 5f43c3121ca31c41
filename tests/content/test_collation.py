"""The alphabetical order of names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content.collation import first_letter, sort_key


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["Élan", "elbow", "Zoë", "zoo"]),
        ("de", ["Ähre", "Apfel", "Öl", "Zaun"]),
        ("sv", ["apelsin", "zon", "Ål", "äpple", "öl"]),
        ("sv-FI", ["zon", "Ål"]),
        ("da", ["zebra", "ære", "øl", "å"]),
        ("es", ["nube", "ñandú", "oso"]),
        ("pl", ["lato", "łuk", "mak"]),
        ("tr", ["cam", "çam", "dam"]),
        ("ru", ["борщ", "щи", "яблоко"]),
        ("ja", ["あき", "うみ", "かわ"]),
        ("en", ["week 2", "week 10", "week 100"]),
    ],
)
def test_names_are_in_alphabetical_order(language: str, names: list[str]) -> None:
    other_order = names[::-1]

    assert sorted(other_order, key=lambda name: sort_key(name, language=language)) == names


@given(st.text(), st.text())
@settings(deadline=None)
def test_different_names_have_different_places(one: str, other: str) -> None:
    assert (sort_key(one, language="sv") == sort_key(other, language="sv")) == (one == other)


@pytest.mark.parametrize(
    ("name", "letter"),
    [("soil", "S"), (" soil", "S"), ("ärger", "Ä"), ("1984", "#"), ("", "#"), ("ß", "S"), ("日", "日")],
)
def test_a_name_is_listed_under_its_first_letter(name: str, letter: str) -> None:
    assert first_letter(name) == letter
