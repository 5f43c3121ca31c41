"""Lines of text in a picture."""

import pytest
from PIL import Image, ImageDraw

from blog_engine.images.fonts import FontSet
from blog_engine.images.lettering import Lettering
from tests.requirements import requirement

SIZES = (80, 60, 40)


@pytest.fixture(scope="module")
def fonts() -> FontSet:
    return FontSet()


def lettering(fonts: FontSet, *, is_rtl: bool = False) -> Lettering:
    return Lettering(fonts, is_bold=True, language="en", is_rtl=is_rtl)


def test_a_width_is_that_of_the_ink(fonts: FontSet) -> None:
    bold = lettering(fonts)
    canvas = Image.new("L", (800, 120))

    bold.draw(ImageDraw.Draw(canvas), "HHHHH", x=10, y=90, size=80, fill="white")

    left, top, right, bottom = canvas.getbbox() or (0, 0, 0, 0)
    assert (left, right) == pytest.approx((10, 10 + bold.width("HHHHH") * 80), abs=12)
    assert (90 - top, 90 - bottom) == pytest.approx((bold.ink("H").above * 80, 0), abs=2)


@requirement("media.social.text")
def test_a_title_has_the_largest_size_in_which_it_fits(fonts: FontSet) -> None:
    bold = lettering(fonts)

    short = bold.fitted("Short", width=1000, height=300, sizes=SIZES, most_lines=4)
    longer = bold.fitted("One word after another " * 5, width=1000, height=300, sizes=SIZES, most_lines=4)
    word = bold.fitted("Unbreakable" * 3, width=1000, height=300, sizes=SIZES, most_lines=4)

    assert (short.lines, short.size) == (("Short",), 80)
    assert longer.size == 60
    assert (len(word.lines), word.size) == (1, 40)
    assert max(block.height for block in (short, longer, word)) <= 300


@requirement("media.social.text")
@pytest.mark.parametrize(
    "text",
    ["Many words " * 40, "Endless" * 60, pytest.param("漢字" * 200, marks=pytest.mark.fonts), "a " * 300],
    ids=["words", "one word", "ideographs", "letters"],
)
def test_what_is_too_much_ends_in_an_ellipsis(fonts: FontSet, text: str) -> None:
    bold = lettering(fonts)
    fitted = bold.fitted(text, width=600, height=200, sizes=SIZES, most_lines=3)

    assert (len(fitted.lines), fitted.size) == (3, 40)
    assert [line.endswith("…") for line in fitted.lines] == [False, False, True]
    assert max(map(bold.width, fitted.lines)) * 40 <= 601
    assert text.startswith(fitted.lines[0])


def test_lines_are_about_equally_long(fonts: FontSet) -> None:
    fitted = lettering(fonts).fitted(
        "Eight short words that would leave one alone", width=1000, height=400, sizes=(60,), most_lines=4
    )

    assert fitted.lines == ("Eight short words that", "would leave one alone")


@pytest.mark.fonts
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("state-of-the-art", ("state-of-", "the-art")),
        ("漢字漢「字」", ("漢字漢", "「字」")),
        ("one\u200btwo", ("one", "two")),
        ("-5 -5 -5", ("-5 -5", "-5")),
        ("서버 시간을", ("서버", "시간을")),
    ],
    ids=["hyphens", "ideographs", "zero width space", "minus", "hangul"],
)
def test_lines_end_where_they_may(fonts: FontSet, text: str, lines: tuple[str, ...]) -> None:
    bold = lettering(fonts)
    width = max(map(bold.width, lines)) * 50 + 1

    assert bold.fitted(text, width=width, height=400, sizes=(50,), most_lines=4).lines == lines


def test_a_line_is_shortened_to_its_width(fonts: FontSet) -> None:
    bold = lettering(fonts)

    shown = bold.shortened("A name that goes on", width=bold.width("A name…") + 0.01)

    assert shown == "A name…"
    assert bold.shortened("Name", width=100) == "Name"


@pytest.mark.fonts
@requirement("media.social.scripts")
def test_directions_are_mixed_as_readers_expect(fonts: FontSet) -> None:
    def drawn(text: str, *, is_rtl: bool) -> bytes:
        canvas = Image.new("L", (500, 60))
        lettering(fonts, is_rtl=is_rtl).draw(ImageDraw.Draw(canvas), text, x=2, y=45, size=40, fill="white")
        return canvas.tobytes()

    # Of one direction the order of the paragraph is the same; of two it is not.
    assert drawn("שלום", is_rtl=True) == drawn("שלום", is_rtl=False)
    assert drawn("ab", is_rtl=True) == drawn("ab", is_rtl=False)
    assert drawn("ab שלום", is_rtl=True) == drawn("שלום ab", is_rtl=False)
    assert drawn("(שלום)", is_rtl=True) == drawn("(שלום)", is_rtl=False)
