"""The alphabetical order of names."""

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content import collation
from blog_engine.content.collation import first_letter, sort_key
from tests.requirements import requirement


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
        ("ja", ["あき", "うみ", "かな", "カナ", "ガム", "かわ", "きしゃ", "キッチン", "海"]),
        ("ru", ["или", "йод", "кот"]),
        ("ru", ["елка", "ёлка", "ель"]),
        ("uk", ["гриб", "ґанок", "дім", "еко", "єнот", "жук", "час", "ящик"]),
        ("uk", ["иа", "ірис", "їжак", "йод", "кіт"]),
        ("be", ["ель", "ёлка", "жук", "зіма", "інжыр", "йод", "узор", "ўсход", "фарба"]),
        ("bg", ["иглика", "йод", "кон"]),
        ("sr", ["дан", "ђак", "зима", "икра", "јесен", "лов", "љубав", "чај", "џем", "шума"]),
        ("fa", ["آب", "باد", "پدر", "تاب", "جان", "چای", "زن", "ژاله", "قند", "کتاب", "گل", "لب", "وان", "هوا", "یاس"]),
        ("ar", ["أب", "إبل", "ابن", "آخر", "باب"]),
        ("vi", ["an", "ạp", "ăn", "ắp", "âm", "ấp", "da", "đa", "ơn", "ợt", "pa", "ưa"]),
        ("hu", ["ábel", "alma", "oz", "öböl", "őz", "zab"]),
        ("th", ["กา", "เกม", "ไก่", "ขน", "แขก", "คน"]),
        ("ko", ["가나", "간", "나무"]),
        ("en", ["#django", "1984", "«A»", "¿Qué?", "a", "日本"]),
        ("zh-hans", ["2024", "Python", "技术", "海"]),
        ("en", ["week 2", "week 10", "week 100"]),
    ],
)
def test_names_are_in_alphabetical_order(language: str, names: list[str]) -> None:
    other_order = names[::-1]

    assert sorted(other_order, key=lambda name: sort_key(name, language=language)) == names


@given(st.text(), st.text())
@settings(deadline=None, max_examples=30)
def test_different_names_have_different_places(one: str, other: str) -> None:
    assert (sort_key(one, language="sv") == sort_key(other, language="sv")) == (one == other)


@pytest.mark.parametrize(
    ("language", "name", "letter"),
    [
        *(
            ("en", name, letter)
            for name, letter in [("soil", "S"), (" soil", "S"), ("1984", "#"), ("", "#"), ("ß", "S")]
        ),
        *(("de", "ärger", "A"), ("sv", "ärger", "Ä"), ("sv-FI", "ǻ", "Å"), ("fr", "œuf", "O"), ("fr", "école", "E")),
        *(("es", "ñandú", "Ñ"), ("es", "ábaco", "A"), ("es", "«A»", "#"), ("es", "¿Qué?", "#"), ("fr", "ñandú", "N")),
        *(("ar", "أب", "ا"), ("ar", "آخر", "ا"), ("fa", "پدر", "پ"), ("vi", "ấp", "Â"), ("vi", "đa", "Đ")),  # noqa: RUF001
        *(("hu", "őz", "Ö"), ("ru", "ёж", "Е"), ("ru", "йод", "Й"), ("uk", "Їжак", "Ї"), ("th", "เกม", "ก")),  # noqa: RUF001
        *(("ja", "カナ", "か"), ("ja", "ガム", "か"), ("ja", "海", "漢字"), ("zh-hans", "海", "漢字")),
        *(("ko", "간", "ㄱ"), ("ka", "დრო", "დ"), ("el", "Άνοιξη", "Α"), ("en", "㎐", "H")),  # noqa: RUF001
    ],
)
def test_a_name_is_listed_under_its_first_letter(language: str, name: str, letter: str) -> None:
    assert first_letter(name, language=language) == letter


LANGUAGES = sorted({*collation._AFTER, "ar", "de", "en", "fr", "ja", "ko", "th", "zh-hans"})
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=4)
LATIN = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F), max_size=3)


@requirement("pages.browse.order")
@given(st.lists(NAMES | LATIN, max_size=40), st.sampled_from(LANGUAGES))
@settings(deadline=None)
def test_no_letter_is_repeated(names: list[str], language: str) -> None:
    names.sort(key=lambda name: sort_key(name, language=language))

    letters = [letter for letter, _ in groupby(names, key=lambda name: first_letter(name, language=language))]

    assert len(letters) == len(set(letters))


@requirement("pages.browse.order")
@pytest.mark.parametrize(
    "language",
    [name if name in {"de", "ja", "ru", "vi"} else pytest.param(name, marks=pytest.mark.heavy) for name in LANGUAGES],
)
def test_no_letter_of_unicode_is_repeated(language: str) -> None:
    codes = [*range(0x3100), *range(0xFB00, 0x1_0000)]
    letters = [chr(code) for code in codes if chr(code).isalpha()]
    letters.sort(key=lambda name: sort_key(name, language=language))

    shown = [letter for letter, _ in groupby(letters, key=lambda name: first_letter(name, language=language))]

    assert len(shown) == len(set(shown))
