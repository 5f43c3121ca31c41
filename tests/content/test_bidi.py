"""The order of characters of both writing directions on a line, compared with FriBidi."""

import ctypes
import re
from ctypes.util import find_library

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content.bidi import embedding_levels, is_right_to_left, visual_order

LETTERS = "ab אב عب"
SIGNS = '12 ٣٤ +-$%,.:/ ()[]{} !?" \u0301\u05b0\u064b'
_BASES = {0: 0x110, 1: 0x111}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("שלום abc", True), ("abc שלום", False), ("12 - عربي", True), ("12 34", False), ("", False)],
    ids=["hebrew", "latin", "digits first", "no letter", "empty"],
)
def test_the_first_letter_decides_on_the_direction(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected


def shown(text: str, *, base: int) -> str:
    return "".join(text[at] for at in visual_order(embedding_levels(text, base=base)))


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("abc", 0, "abc"),
        ("אבג", 1, "גבא"),
        ("אב 12 גד", 1, "דג 12 בא"),
        ("אב abc גד", 1, "דג abc בא"),
        ("abc אב גד def", 0, "abc דג בא def"),
        ("a (אב) b", 0, "a (בא) b"),
        ("אב (v7.4) גד", 1, "דג )v7.4( בא"),
        ("a אב(ג)\u05b0 b", 0, "a \u05b0)ג(בא b"),
        ("", 1, ""),
    ],
)
def test_pieces_are_ordered_from_left_to_right(text: str, base: int, expected: str) -> None:
    assert shown(text, base=base) == expected


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("\u0628b(a]\u0301)", 1, [1, 2, 2, 2, 2, 2, 2]),
        ("/,\u0628-[\u0639\u05d0?\u064b]", 0, [0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
        (" {א{$2}\u05b0", 0, [0, 0, 1, 1, 2, 2, 1, 1]),
        ("א(ב)\u05b0\u0301", 0, [1, 1, 1, 1, 1, 1]),
    ],
)
def test_a_mark_belongs_to_the_bracket_before_it(text: str, base: int, expected: list[int]) -> None:
    assert embedding_levels(text, base=base) == expected


# FriBidi 1.0.8 does not pair brackets around a mark without a letter, such as "[?\u064b]"; unicode-bidi does.
WITHOUT_LONE_MARKS = st.text(alphabet=LETTERS + SIGNS, max_size=24).filter(
    lambda text: not re.search(r"[()\[\]{}]", text) or not re.search(r"(?:^|\W)[\u0301\u05b0\u064b]", text)
)


@pytest.mark.fonts
@given(text=WITHOUT_LONE_MARKS, base=st.sampled_from([0, 1]))
@settings(deadline=None, max_examples=100)
def test_levels_are_those_of_fribidi(text: str, base: int) -> None:
    assert embedding_levels(text, base=base) == fribidi_levels(text, base=base)


@given(levels=st.lists(st.integers(0, 4), max_size=20))
def test_an_order_has_each_piece_once(levels: list[int]) -> None:
    assert sorted(visual_order(levels)) == list(range(len(levels)))


def fribidi_levels(text: str, *, base: int) -> list[int]:
    library = ctypes.CDLL(find_library("fribidi") or "libfribidi.so.0")
    count = len(text)
    characters = (ctypes.c_uint32 * count)(*map(ord, text))
    kinds, brackets = (ctypes.c_uint32 * count)(), (ctypes.c_uint32 * count)()
    direction, levels = ctypes.c_uint32(_BASES[base]), (ctypes.c_int8 * count)()
    library.fribidi_get_bidi_types(characters, count, kinds)
    library.fribidi_get_bracket_types(characters, count, kinds, brackets)
    library.fribidi_get_par_embedding_levels_ex(kinds, brackets, count, ctypes.byref(direction), levels)
    return list(levels)
