"""The alphabetical order of names, and their initials."""

import unicodedata
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content import names as names_module
from blog_engine.content.names import first_letter, initials_of, sort_key
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


LANGUAGES = sorted({*names_module._AFTER, "ar", "de", "en", "fr", "ja", "ko", "th", "zh-hans"})
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
