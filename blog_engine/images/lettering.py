"""Lines of text in a picture: broken, measured and drawn in every script and direction."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

from PIL import ImageDraw

from blog_engine.content.bidi import embedding_levels, visual_order
from blog_engine.images.fonts import FontRun, FontSet, clusters, has_shaping, loaded_font

_UNIT: Final = 100
"""The size in pixels in which texts are measured."""
_LEADING: Final = 1.18
_GAP: Final = 0.16
"""The least space between the ink of two lines, of the size."""
_ELLIPSIS: Final = "…"
_ZERO_WIDTH: Final = "\u200b"
_NO_START: Final = frozenset({"Pe", "Pf", "Po", "Lm"})
"""Categories of characters that begin no line between ideographs: closing and other marks."""
_NO_END: Final = frozenset({"Ps", "Pi"})
_BALANCING: Final = 8
"""Steps of the search for even lines."""
_WITHOUT_SPACES: Final = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE", "TAI")
"""Scripts whose words are not separated by spaces."""


class Ink(NamedTuple):
    """The height of a text above and below its baseline, in sizes."""

    above: float
    below: float


@dataclass(frozen=True, slots=True)
class Block:
    """A text in lines."""

    lines: tuple[str, ...]
    size: int
    """Of the letters, in pixels."""
    step: float
    """From one baseline to the next, in pixels."""
    ink: Ink

    @property
    def height(self) -> float:
        """The pixels from the top of the first line to the bottom of the last."""
        return self.step * (len(self.lines) - 1) + (self.ink.above + self.ink.below) * self.size


@dataclass(frozen=True, slots=True)
class _Word:
    """A part of a text after which a line can end."""

    text: str
    width: float
    """In sizes, without the space at its end."""
    space: float


@dataclass(frozen=True, slots=True)
class Lettering:
    """A weight, a language and a paragraph direction to draw texts in."""

    fonts: FontSet
    is_bold: bool
    language: str
    is_rtl: bool

    def width(self, text: str) -> float:
        """Return the width of a text in sizes."""
        return sum(
            loaded_font(run.font, size=_UNIT).getlength(run.text, **self._options(is_rtl=level % 2 == 1)) / _UNIT
            for level, run in self._runs(text)
        )

    def ink(self, text: str) -> Ink:
        """Return how far a text reaches above and below its baseline, in sizes."""
        boxes = [
            loaded_font(run.font, size=_UNIT).getbbox(run.text, anchor="ls", **self._options(is_rtl=level % 2 == 1))
            for level, run in self._runs(text)
        ]
        above = max((-box[1] for box in boxes), default=0.0)
        below = max((box[3] for box in boxes), default=0.0)
        return Ink(max(above / _UNIT, 0.0), max(below / _UNIT, 0.0))

    def fitted(self, text: str, *, width: float, height: float, sizes: Sequence[int], most_lines: int) -> Block:
        """Return the text in lines, in the first of ``sizes`` in which it fits without breaking words.

        Otherwise it is in the last size, words that are longer than a line are broken, and what is too much is replaced
        by an ellipsis. Lines are about equally long.
        """
        pieces, ink = self._pieces(text), self.ink(text)

        @cache
        def parts_of(piece: _Word) -> list[_Word]:
            # Few words are longer than a line, and each letter has to be measured.
            return [self._piece(cluster) for cluster in clusters(piece.text)]

        step = max(_LEADING, ink.above + ink.below + _GAP)
        for size in sizes:
            possible = _lines_in(height / size, ink, step=step, most=most_lines)
            whole = _with_parts(parts_of, pieces, limit=width / size, every=False)
            lines = _wrapped(whole, limit=width / size)
            if len(lines) <= possible and all(piece.width <= width / size for piece in whole):
                even = _balanced(whole, limit=width / size, count=len(lines))
                return Block(tuple(map(_text_of, even)), size, step * size, ink)
        size = sizes[-1]
        possible = _lines_in(height / size, ink, step=step, most=most_lines)
        lines = _wrapped(_with_parts(parts_of, pieces, limit=width / size, every=True), limit=width / size)
        shown = [_text_of(line) for line in lines[:possible]]
        if len(lines) > possible:
            shown[-1] = self.shortened(shown[-1] + _ELLIPSIS, width=width / size)
        return Block(tuple(shown), size, step * size, ink)

    def shortened(self, text: str, *, width: float) -> str:
        """Return a text in at most ``width`` sizes, if needed cut off with an ellipsis."""
        if self.width(text) <= width:
            return text
        kept = clusters(text.removesuffix(_ELLIPSIS))
        while kept and self.width("".join(kept).rstrip() + _ELLIPSIS) > width:
            kept.pop()
        return "".join(kept).rstrip() + _ELLIPSIS

    def draw(self, canvas: ImageDraw.ImageDraw, text: str, *, x: float, y: float, size: int, fill: str) -> None:
        """Draw a line with its left end at ``x`` and its baseline at ``y``."""
        for level, run in self._runs(text):
            font, options = loaded_font(run.font, size=size), self._options(is_rtl=level % 2 == 1)
            canvas.text((x, y), run.text, fill=fill, font=font, anchor="ls", **options)
            x += font.getlength(run.text, **options)

    def _pieces(self, text: str) -> list[_Word]:
        return [self._piece(part) for part in _parts(text)]

    def _piece(self, text: str) -> _Word:
        word = text.rstrip(" ")
        return _Word(text, self.width(word), self.width(" ") if word != text else 0.0)

    def _runs(self, text: str) -> list[tuple[int, FontRun]]:
        """Return the runs of a line from left to right, each with its level."""
        shown = text.replace(_ZERO_WIDTH, "")
        levels = embedding_levels(shown, base=int(self.is_rtl))
        runs: list[tuple[int, FontRun]] = []
        for level, group in groupby(zip(levels, shown, strict=True), key=lambda pair: pair[0]):
            same = "".join(character for _, character in group)
            runs += ((level, run) for run in self.fonts.runs(same, is_bold=self.is_bold))
        return [runs[at] for at in visual_order([level for level, _ in runs])]

    def _options(self, *, is_rtl: bool) -> dict[str, Any]:
        if not has_shaping():
            return {}
        return {"direction": "rtl" if is_rtl else "ltr", "language": self.language}


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text after which a line can end."""
    start = 0
    for at, (one, other) in enumerate(pairwise(text), start=1):
        is_after_dash = (one == "/" or unicodedata.category(one) == "Pd") and other.isalpha()
        if one in f" {_ZERO_WIDTH}" or is_after_dash or _is_between_ideographs(one, other):
            yield text[start:at]
            start = at
    if text[start:]:
        yield text[start:]


def _is_between_ideographs(one: str, other: str) -> bool:
    after = unicodedata.category(other)
    is_bound = after in _NO_START or after[0] in "MZ" or " SMALL " in unicodedata.name(other, "")
    if is_bound or unicodedata.category(one) in _NO_END:
        return False
    return _is_ideograph(one) or _is_ideograph(other)


def _is_ideograph(character: str) -> bool:
    return unicodedata.east_asian_width(character) in {"W", "F"} and not unicodedata.name(character, "").startswith(
        "HANGUL"
    )


def _has_no_spaces(text: str) -> bool:
    return any(unicodedata.name(character, "").startswith(_WITHOUT_SPACES) for character in text)


def _with_parts(
    parts_of: Callable[[_Word], Sequence[_Word]], pieces: Sequence[_Word], *, limit: float, every: bool
) -> list[_Word]:
    """Return the pieces, those that are longer than a line in their parts.

    Unless ``every``, only those in scripts whose words are not separated.
    """
    result: list[_Word] = []
    for piece in pieces:
        is_broken = piece.width > limit and (every or _has_no_spaces(piece.text))
        result += parts_of(piece) if is_broken else [piece]
    return result


def _lines_in(height: float, ink: Ink, *, step: float, most: int) -> int:
    """Return how many lines fit, all lengths in sizes; at least one."""
    return max(1, min(most, int((height - ink.above - ink.below) / step) + 1))


def _wrapped(pieces: Sequence[_Word], *, limit: float) -> list[list[_Word]]:
    lines: list[list[_Word]] = []
    left = 0.0
    for piece in pieces:
        if not lines or piece.width > left + 1e-6:
            lines.append([])
            left = limit
        lines[-1].append(piece)
        left -= piece.width + piece.space
    return lines


def _balanced(pieces: Sequence[_Word], *, limit: float, count: int) -> list[list[_Word]]:
    """Return ``count`` lines of which the longest is as short as possible."""
    low, high = 0.0, limit
    for _ in range(_BALANCING):
        middle = (low + high) / 2
        fits = max(piece.width for piece in pieces) <= middle and len(_wrapped(pieces, limit=middle)) <= count
        low, high = (low, middle) if fits else (middle, high)
    return _wrapped(pieces, limit=high)


def _text_of(line: Sequence[_Word]) -> str:
    return "".join(piece.text for piece in line).strip(f" {_ZERO_WIDTH}")
