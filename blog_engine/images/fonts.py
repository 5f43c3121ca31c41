"""Installed fonts with their characters, and the choice of a font for each piece of a text."""

import struct
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from PIL import ImageFont

SYSTEM_FOLDERS: Final = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/texmf/fonts/opentype",
    "/run/current-system/sw/share/X11/fonts",
    "/opt/homebrew/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "C:/Windows/Fonts",
)
OWN_FOLDER: Final = Path(__file__).parent / "fonts"

_SUFFIXES: Final = frozenset({".ttf", ".otf", ".ttc"})
MOST_FILES: Final = 2_000
_LARGEST_TABLE: Final = 4_194_304
_UNSUITABLE: Final = (
    *("italic", "oblique", "slanted", "mono", "condensed", "narrow", "display", "light", "thin", "black", "unjoined"),
    *("emoji", "symbol", "math", "music", "blank", "lastresort", "unifont", "rashi", "nastaliq", "kufi", "looped"),
)
"""Parts of the names of files that are not for titles."""
_FAMILIES: Final = ("notosans", "notonaskh", "noto", "dejavusans", "liberationsans")
"""Beginnings of the names of families that are preferred."""
_BOLD: Final = ("bold", "-bd", "arialbd")


@dataclass(frozen=True)
class FoundFont:
    """A font, of a collection the first."""

    path: str

    @property
    def is_readable(self) -> bool:
        """Whether the file is a font with characters."""
        return bool(self._ranges[0])

    @cached_property
    def is_bold(self) -> bool:
        """Whether its name says that it is bold."""
        return any(part in Path(self.path).name.lower() for part in _BOLD)

    def has(self, character: str) -> bool:
        """Return whether the font has a glyph for the character."""
        starts, ends = self._ranges
        at = bisect_right(starts, ord(character)) - 1
        return at >= 0 and ord(character) <= ends[at]

    @cached_property
    def _ranges(self) -> "tuple[array[int], array[int]]":
        """The first and the last code point of each range of characters; none for a file that cannot be read."""
        starts, ends = array("L"), array("L")
        try:
            with Path(self.path).open("rb") as file:
                found = sorted(set(_characters(_cmap_table(file))))
        except (OSError, struct.error, ValueError):
            return starts, ends
        for first, last in found:
            if ends and first <= ends[-1] + 1:
                ends[-1] = max(ends[-1], last)
            else:
                starts.append(first)
                ends.append(last)
        return starts, ends


def font_files(own: Iterable[str]) -> tuple[tuple[FoundFont, ...], ...]:
    """Return all fonts, in groups by how early they are used: those of ``own``, the engine's, those of the system.

    ``own`` are paths of files and folders.
    """
    chosen = tuple(dict.fromkeys(font for place in own for font in fonts_at(place)))
    return (*([chosen] if chosen else []), *_installed_fonts(SYSTEM_FOLDERS, MOST_FILES))


@cache
def _installed_fonts(folders: tuple[str, ...], most: int) -> tuple[tuple[FoundFont, ...], ...]:
    """Return the engine's fonts and those of the system; the characters of each are read once in a process."""
    system: dict[tuple[int, bool], list[str]] = {}
    found = [path for folder in folders for path in _in_folder(folder) if _is_suitable(path)]
    for path in sorted(found[:most]):
        system.setdefault(_preference(path), []).append(path)
    groups = [_in_folder(str(OWN_FOLDER)), *(paths for _, paths in sorted(system.items()))]
    return tuple(tuple(FoundFont(path) for path in dict.fromkeys(paths)) for paths in groups if paths)


def fonts_at(place: str) -> tuple[FoundFont, ...]:
    """Return the font at a path, or those in the folder at it, as far as they can be read."""
    paths = _in_folder(place) if Path(place).is_dir() else [place]
    return tuple(font for font in map(FoundFont, paths) if font.is_readable)


def _in_folder(folder: str) -> list[str]:
    return sorted(str(path) for path in Path(folder).rglob("*") if path.suffix.lower() in _SUFFIXES)


def _is_suitable(path: str) -> bool:
    name = Path(path).name.lower()
    return not any(part in name for part in _UNSUITABLE)


def _preference(path: str) -> tuple[int, bool]:
    name = Path(path).name.lower()
    rank = next((rank for rank, family in enumerate(_FAMILIES) if name.startswith(family)), len(_FAMILIES))
    return rank, "serif" in name


def _cmap_table(file: BinaryIO) -> bytes:
    """Return the table of characters (OpenType, ``cmap``) of a font, of a collection that of the first font."""
    start = 0
    if file.read(4) == b"ttcf":
        file.seek(12)
        (start,) = struct.unpack(">I", file.read(4))
    file.seek(start + 4)
    (count,) = struct.unpack(">H6x", file.read(8))
    for _ in range(count):
        tag, offset, length = struct.unpack(">4s4xII", file.read(16))
        if tag == b"cmap" and length <= _LARGEST_TABLE:
            file.seek(offset)
            return file.read(length)
    raise ValueError("no cmap")


def _characters(table: bytes) -> Iterator[tuple[int, int]]:
    """Yield the first and last code point of ranges of characters that have a glyph.

    Of the Unicode subtables the largest is read: format 12, else 4.
    """
    (count,) = struct.unpack_from(">H", table, 2)
    formats = {}
    for number in range(count):
        platform, encoding, offset = struct.unpack_from(">HHI", table, 4 + 8 * number)
        if platform == 0 or (platform == 3 and encoding in {1, 10}):
            formats[struct.unpack_from(">H", table, offset)[0]] = offset
    if 12 in formats:
        yield from _segmented_coverage(table, formats[12])
    elif 4 in formats:
        yield from _segment_mapping(table, formats[4])


def _segmented_coverage(table: bytes, at: int) -> Iterator[tuple[int, int]]:
    (groups,) = struct.unpack_from(">I", table, at + 12)
    for first, last, glyph in struct.iter_unpack(">III", table[at + 16 : at + 16 + 12 * groups]):
        if last >= first + (not glyph):
            yield first + (not glyph), last


def _segment_mapping(table: bytes, at: int) -> Iterator[tuple[int, int]]:
    (doubled,) = struct.unpack_from(">H", table, at + 6)
    count, begin = doubled // 2, at + 14
    ends = struct.unpack_from(f">{count}H", table, begin)
    starts, deltas, offsets = (
        struct.unpack_from(f">{count}H", table, begin + 2 + part * doubled) for part in (1, 2, 3)
    )
    for number, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code + delta
            if offset:
                place = begin + 2 + 3 * doubled + 2 * number + offset + 2 * (code - first)
                (glyph,) = struct.unpack_from(">H", table, place)
            if glyph & 0xFFFF:
                yield code, code


_MOST_REMEMBERED: Final = 20_000
_MOST_LOADED: Final = 32
_JOINERS: Final = "\u200c\u200d"
_BREAK: Final = "\u200b"
"""The zero width space, after which a line can end."""
_VIRAMA: Final = 9
"""The combining class of signs that join consonants."""
_BEFORE_CONSONANT: Final = frozenset("เแโใไເແໂໃໄ")
"""Thai and Lao vowels that are written before their consonant."""
_AFTER_CONSONANT: Final = frozenset("ะาำๅๆฯະາຳໆຯ")
"""Thai and Lao vowels and signs that belong to the letter before them."""
_PICTURES: Final = ((0x2300, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0xFE00, 0xFE0F), (0x1F000, 0x1FAFF))
_BOX: Final = "\u25a1"
_KEYCAP: Final = "\u20e3"
_NEEDED: Final = frozenset("LMN")
"""Categories of characters without which a text says something else; others are left out if no font has them."""


@dataclass(frozen=True, slots=True)
class FontRun:
    """A piece of a text and the font that has all of its characters."""

    text: str
    font: FoundFont


def has_shaping() -> bool:
    """Return whether Pillow can join letters and place marks, which many scripts need."""
    from PIL import features

    return features.check("raqm") is True


def plain_characters(text: str) -> str:
    """Return a text on one line without emoji, invisible characters and those without a meaning."""
    kept: list[str] = []
    for character in " ".join(unicodedata.normalize("NFC", text).split()):
        if character in _JOINERS:
            # Joiners of letters; those of emoji lose what they join.
            if kept and unicodedata.category(kept[-1])[0] in "LM":
                kept.append(character)
        elif character == _BREAK or not _is_left_out(character):
            kept.append(character)
    return " ".join("".join(kept).split())


def clusters(text: str) -> list[str]:
    """Return the letters of a text, each with the marks that belong to it."""
    found: list[str] = []
    for character in text:
        joins = found and (
            unicodedata.category(character)[0] == "M"
            or character in _JOINERS
            or character in _AFTER_CONSONANT
            or found[-1][-1] in _BEFORE_CONSONANT
            or found[-1][-1] == "\u200d"
            or unicodedata.combining(found[-1][-1]) == _VIRAMA
        )
        if joins:
            found[-1] += character
        else:
            found.append(character)
    return found


class FontSet:
    """The fonts of a machine, in the order in which they are tried."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        groups = font_files(own)
        self._ordered = {
            is_bold: tuple(
                font for group in groups for font in sorted(group, key=lambda found: found.is_bold is not is_bold)
            )
            for is_bold in (False, True)
        }
        self._is_shaping = has_shaping()
        self._remembered: dict[tuple[str, bool], FoundFont | None] = {}

    def missing(self, text: str) -> str:
        """Return the letters and digits of a text that cannot be drawn, each once; the text went through
        ``plain_characters``."""
        lost = (
            cluster
            for cluster in dict.fromkeys(clusters(text))
            if self._font_for(cluster, is_bold=True) is None and _is_needed(cluster)
        )
        return "".join(lost)

    def with_boxes(self, text: str) -> str:
        """Return a text with a box in place of each letter and digit that cannot be drawn; empty if these are most."""
        found = [cluster for cluster in clusters(text) if _is_needed(cluster)]
        lost = {cluster for cluster in found if self._font_for(cluster, is_bold=True) is None}
        if 2 * sum(cluster in lost for cluster in found) > len(found):
            return ""
        return "".join(_BOX if cluster in lost else cluster for cluster in clusters(text))

    def runs(self, text: str, *, is_bold: bool) -> list[FontRun]:
        """Return the text in pieces of one font, without the characters that no font has.

        Spaces and signs have the font of the letters before them.
        """
        found: list[FontRun] = []
        for cluster in clusters(text.replace(_BREAK, "")):
            before = found[-1].font if found else None
            if before and unicodedata.category(cluster[0])[0] not in "LM" and _has_all(before, cluster):
                font: FoundFont | None = before
            else:
                font = self._font_for(cluster, is_bold=is_bold)
            if font is None:
                continue
            if font == before:
                found[-1] = FontRun(found[-1].text + cluster, font)
            else:
                found.append(FontRun(cluster, font))
        return found

    def _font_for(self, cluster: str, *, is_bold: bool) -> FoundFont | None:
        key = cluster, is_bold
        try:
            # Asked only once, since another thread can clear the memory at any time.
            return self._remembered[key]
        except KeyError:
            found = self._search(cluster, is_bold=is_bold)
        if len(self._remembered) >= _MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = found
        return found

    def _search(self, cluster: str, *, is_bold: bool) -> FoundFont | None:
        if not self._is_shaping and any(map(_needs_shaping, cluster)):
            return None
        return next((font for font in self._ordered[is_bold] if _has_all(font, cluster)), None)


@lru_cache(maxsize=_MOST_LOADED)
def loaded_font(font: FoundFont, *, size: int) -> "ImageFont.FreeTypeFont":
    """Return a font in a size in pixels. Raises ``OSError`` for a file that is no font."""
    from PIL import ImageFont

    engine = ImageFont.Layout.RAQM if has_shaping() else ImageFont.Layout.BASIC
    return ImageFont.truetype(font.path, size, layout_engine=engine)


def _has_all(font: FoundFont, cluster: str) -> bool:
    return all(character in _JOINERS or font.has(character) for character in cluster)


def _is_needed(cluster: str) -> bool:
    return any(unicodedata.category(character)[0] in _NEEDED for character in cluster)


def _is_left_out(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character)[0] == "C"
        or character == _KEYCAP
        or 0xE0000 <= code <= 0xE0FFF
        or any(first <= code <= last for first, last in _PICTURES)
    )


def _needs_shaping(character: str) -> bool:
    return unicodedata.bidirectional(character) in {"R", "AL", "AN"} or unicodedata.category(character) in {"Mn", "Mc"}


def writing_systems_of(characters: str) -> Iterator[str]:
    """Yield the names of scripts, such as ``Khmer``, as far as the names of the characters have them."""
    names = (unicodedata.name(character, "").split(" ")[0].capitalize() for character in characters)
    yield from dict.fromkeys(name for name in names if name)
