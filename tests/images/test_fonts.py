"""Fonts of the machine, the characters they have, and which one a piece of text is drawn with."""

import struct
from pathlib import Path

import pytest
from PIL import ImageFont, features

from blog_engine.images.fonts import (
    OWN_FOLDER,
    FontSet,
    FoundFont,
    clusters,
    font_files,
    fonts_at,
    plain_characters,
    writing_systems_of,
)
from tests.requirements import requirement

BOLD, REGULAR = (str(OWN_FOLDER / f"NotoSans-{weight}.ttf") for weight in ("Bold", "Regular"))
SYSTEM_FOLDERS = "blog_engine.images.fonts.SYSTEM_FOLDERS"
CHARACTERS = [*range(0x21, 0x7F), *range(0xA1, 0x600, 7), *range(0x1E00, 0x2200, 5), 0x20AC, 0x4E00, 0x1F600]


def is_drawn(font: ImageFont.FreeTypeFont, character: str) -> bool:
    unknown = font.getmask("\U0010fffd"), font.getmask("\U0010fffd").size
    mask = font.getmask(character)
    return (bytes(mask), mask.size) != (bytes(unknown[0]), unknown[1])


@pytest.mark.parametrize("path", [BOLD, REGULAR], ids=["bold", "regular"])
def test_a_font_has_the_characters_that_it_draws(path: str) -> None:
    font, drawn = FoundFont(path), ImageFont.truetype(path, 20, layout_engine=ImageFont.Layout.BASIC)

    wrong = [hex(code) for code in CHARACTERS if font.has(chr(code)) != is_drawn(drawn, chr(code))]

    assert wrong == []
    assert {font.has(character) for character in "aé\u0308ΩЖ"} == {True}
    assert {font.has(character) for character in "漢אक"} == {False}


def test_the_fonts_of_the_engine_are_small() -> None:
    assert sum(path.stat().st_size for path in OWN_FOLDER.iterdir()) < 400_000
    assert (OWN_FOLDER / "OFL.txt").is_file()


@pytest.mark.parametrize(
    "data",
    [b"", b"no font", b"ttcf", Path(BOLD).read_bytes()[:200], b"\0\1\0\0\0\1" + bytes(6) + b"cmap" + b"\xff" * 12],
    ids=["empty", "text", "collection", "cut off", "table out of the file"],
)
def test_a_file_that_is_no_font_has_no_characters(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "font.ttf"
    path.write_bytes(data)

    assert not FoundFont(str(path)).has("a")
    assert fonts_at(str(path)) == ()


def cmap(*subtables: tuple[int, int, bytes]) -> bytes:
    """Return a file with nothing but a table of characters."""
    at, entries, bodies = 4 + 8 * len(subtables), b"", b""
    for platform, encoding, body in subtables:
        entries += struct.pack(">HHI", platform, encoding, at + len(bodies))
        bodies += body
    table = struct.pack(">HH", 0, len(subtables)) + entries + bodies
    head = struct.pack(">IH6x", 0x10000, 1)
    return head + struct.pack(">4s4xII", b"cmap", len(head) + 16, len(table)) + table


def segments(*found: tuple[int, int, int]) -> bytes:
    """Return a subtable of format 4: first and last character and what is added to get the glyph."""
    count = len(found)
    ends, starts, deltas = (struct.pack(f">{count}H", *(one[at] & 0xFFFF for one in found)) for at in (1, 0, 2))
    body = struct.pack(">4H", 2 * count, 0, 0, 0) + ends + bytes(2) + starts + deltas + bytes(2 * count)
    return struct.pack(">3H", 4, len(body) + 6, 0) + body


def groups(*found: tuple[int, int, int]) -> bytes:
    """Return a subtable of format 12: first and last character and the first glyph."""
    body = b"".join(struct.pack(">III", *group) for group in found)
    return struct.pack(">HHIII", 12, 0, len(body) + 16, 0, len(found)) + body


@pytest.mark.parametrize(
    ("subtables", "has", "lacks"),
    [
        ([(3, 1, segments((0x61, 0x63, 1), (0xFFFF, 0xFFFF, 1)))], "abc", "d`"),
        ([(3, 1, segments((0x61, 0x63, -0x62)))], "ac", "b"),
        ([(3, 10, groups((0x61, 0x62, 5), (0x1F600, 0x1F601, 9)))], "ab\U0001f600", "c"),
        ([(0, 4, groups((0x61, 0x62, 0)))], "b", "a"),
        ([(3, 1, segments((0x61, 0x61, 1))), (3, 10, groups((0x62, 0x62, 5)))], "b", "a"),
        ([(1, 0, segments((0x61, 0x61, 1)))], "", "a"),
    ],
    ids=["segments", "segments without a glyph", "groups", "groups without a glyph", "both", "not Unicode"],
)
def test_the_table_of_characters_is_read(
    tmp_path: Path, subtables: list[tuple[int, int, bytes]], has: str, lacks: str
) -> None:
    path = tmp_path / "font.ttf"
    path.write_bytes(cmap(*subtables))

    found = FoundFont(str(path))

    assert [character for character in has + lacks if found.has(character)] == list(has)


@requirement("media.social.fonts")
def test_fonts_of_the_host_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, name in (("own", "Own-Regular.otf"), ("system", "NotoSansX-Regular.ttf"), ("system", "Abc.ttf")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_bytes(Path(REGULAR).read_bytes())
    for name in ("NotoSans-Italic.ttf", "NotoEmoji.ttf", "notes.txt"):
        (tmp_path / "system" / name).write_bytes(b"")
    monkeypatch.setattr(SYSTEM_FOLDERS, (str(tmp_path / "system"),))

    found = [Path(font.path).name for group in font_files([str(tmp_path / "own")]) for font in group]

    assert found == [
        "Own-Regular.otf",
        "NotoSans-Bold.ttf",
        "NotoSans-Regular.ttf",
        "NotoSansX-Regular.ttf",
        "Abc.ttf",
    ]
    assert FontSet([str(tmp_path / "own")]).runs("a", is_bold=True)[0].font.path.endswith("Own-Regular.otf")


@requirement("media.social.no-font")
def test_letters_without_a_font_are_named(no_system_fonts: None) -> None:
    missing = FontSet().missing("Straße 漢字 Ω ५ → 漢")

    assert missing == "漢字५"
    assert list(writing_systems_of("ខក漢५")) == ["Khmer", "Cjk", "Devanagari"]


def test_without_shaping_only_simple_scripts_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    there = features.check
    monkeypatch.setattr(features, "check", lambda name: name != "raqm" and there(name))

    fonts = FontSet()

    assert fonts.missing("Straße Ωμέγα") == ""
    assert fonts.missing("אב") == "אב"
    assert fonts.missing("x\u0331") == "x\u0331"


@pytest.mark.fonts
def test_text_is_cut_into_runs_of_one_font() -> None:
    runs = FontSet().runs("Ab, 12 漢字!", is_bold=True)

    assert ["".join(run.text for run in runs), len({run.font for run in runs})] == ["Ab, 12 漢字!", len(runs)]
    assert runs[0].text == "Ab, 12 "
    assert runs[0].font.path == BOLD


@requirement("media.social.emoji")
@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Party 🎉 with 👩‍💻 and ❤️ and 1️⃣", "Party with and and 1"),
        ("a\u0301 line\n two\x00", "á line two"),
        ("क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष"),
        ("\u202eabc\u2066 soft\u00adhyphen 🇩🇪", "abc softhyphen"),
        ("🎉", ""),
    ],
    ids=["emoji", "white space", "joiners", "controls", "nothing"],
)
def test_what_cannot_be_drawn_is_left_out(written: str, kept: str) -> None:
    assert plain_characters(written) == kept


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("añ", ["a", "ñ"]),
        ("a\u0308b", ["a\u0308", "b"]),
        ("क्षि", ["क्षि"]),
        ("เมือง", ["เมื", "อ", "ง"]),
        ("น้ำ", ["น้ำ"]),
        ("\u0301a", ["\u0301", "a"]),
    ],
)
def test_marks_stay_with_their_letter(text: str, expected: list[str]) -> None:
    assert clusters(text) == expected
