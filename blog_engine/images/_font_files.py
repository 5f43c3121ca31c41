"""Installed fonts, and the characters of each."""

import struct
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import BinaryIO, Final

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
"""How the names of families start that are tried first."""
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
