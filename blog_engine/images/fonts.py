"""Choice of a font for each piece of a text."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import ImageFont, features

from blog_engine.images._font_files import FoundFont, font_files, fonts_at

__all__ = [
    "FontRun",
    "FontSet",
    "clusters",
    "fonts_at",
    "has_shaping",
    "loaded_font",
    "plain_characters",
    "writing_systems_of",
]

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
def loaded_font(font: FoundFont, *, size: int) -> ImageFont.FreeTypeFont:
    """Return a font in a size in pixels. Raises ``OSError`` for a file that is no font."""
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
