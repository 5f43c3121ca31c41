"""Colour arithmetic: contrast (WCAG 2.2), mixtures, OKLCH, and the colours that are derived from an accent.

Colours are texts ``#rgb``, ``#rrggbb`` or ``#rrggbbaa``.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

_Triple: TypeAlias = tuple[float, float, float]

_CHROMA_STEPS: Final = 24


class Lch(NamedTuple):
    """A colour in OKLCH: lightness from 0 to 1, chroma from 0, hue in radians."""

    lightness: float
    chroma: float
    hue: float


class _Color(NamedTuple):
    red: float
    green: float
    blue: float
    alpha: float


def contrast(text: str, *grounds: str) -> float:
    """Return the contrast ratio of text on its backgrounds, from 1 to 21.

    ``grounds`` are in order from the nearest; the last one counts as opaque.
    """
    one, other = _luminance(_flatten(text, *grounds)), _luminance(_flatten(*grounds))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def flatten(*colors: str) -> str:
    """Return the first colour on the others as an opaque one; the last is opaque."""
    return _to_hex(_flatten(*colors))


def mix(front: str, behind: str, *, share: float) -> str:
    """Return ``behind`` mix with a share (0 to 1) of ``front``; both are opaque."""
    return _to_hex(_blend(_read(behind), _read(front)._replace(alpha=share)))


def lch_of(color: str) -> Lch:
    """Return an opaque colour in OKLCH."""
    red, green, blue = (_linear(part) for part in _read(color)[:3])
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    return Lch(lightness, math.hypot(a, b), math.atan2(b, a))


def color_of(lch: Lch) -> str:
    """Return the colour as ``#rrggbb``, with less chroma if it is outside of sRGB."""
    chroma = lch.chroma
    if not _is_in_srgb(_rgb_of(lch)):
        low, high = 0.0, chroma
        for _ in range(_CHROMA_STEPS):
            chroma = (low + high) / 2
            low, high = (chroma, high) if _is_in_srgb(_rgb_of(lch._replace(chroma=chroma))) else (low, chroma)
        chroma = low
    return _to_hex(_rgb_of(lch._replace(chroma=chroma)))


def _read(color: str) -> _Color:
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, alpha = bytes.fromhex(digits.ljust(8, "f"))
    return _Color(red / 255, green / 255, blue / 255, alpha / 255)


def _to_hex(color: _Color | _Triple) -> str:
    return "#" + bytes(round(min(1.0, max(0.0, part)) * 255) for part in color[:3]).hex()


def _flatten(*colors: str) -> _Color:
    behind = _read(colors[-1])
    for color in reversed(colors[:-1]):
        behind = _blend(behind, _read(color))
    return behind


def _blend(behind: _Color, front: _Color) -> _Color:
    red, green, blue = (
        own * front.alpha + other * (1 - front.alpha) for own, other in zip(front[:3], behind[:3], strict=True)
    )
    return _Color(red, green, blue, 1.0)


def _luminance(color: _Color) -> float:
    red, green, blue = (_linear(part) for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _to_srgb(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _rgb_of(lch: Lch) -> _Triple:
    a, b = lch.chroma * math.cos(lch.hue), lch.chroma * math.sin(lch.hue)
    long = (lch.lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lch.lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lch.lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _to_srgb(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _to_srgb(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _to_srgb(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def _is_in_srgb(color: _Triple) -> bool:
    return all(-0.0001 <= part <= 1.0001 for part in color)


READABLE: Final = 4.5
"""The least contrast of text (WCAG 1.4.3)."""

_ENOUGH: Final = READABLE + 0.05
"""The least contrast of derived colours: translucent colours are rounded on the way."""
_COMFORTABLE: Final = 6.0
"""The contrast of an accent that has to be adapted: it allows tints of the accent behind its text."""
_STEP: Final = 0.005
_HOVER: Final = 0.09
_SECOND: Final = 0.12
"""Lightness by which the second accent is nearer to the page than the first, if it is readable."""
_TINTS: Final = 20
_GROUNDS: Final = ("surface", "surface_raised", "surface_sunken")
"""The backgrounds of text; the accent itself is not used for text on the last one."""


@dataclass(frozen=True, slots=True)
class _Tints:
    """Shares of a colour in that of the page."""

    soft: float
    notice: float
    line: float


_LIGHT: Final = _Tints(soft=0.13, notice=0.06, line=0.28)


_DARK: Final = _Tints(soft=0.2, notice=0.08, line=0.3)


def brand_colors(accent: str, known: Mapping[str, str], *, is_exact: bool) -> dict[str, str]:
    """Return ``accent`` and the colours of a mode derived from it, by name.

    ``known`` are the other colours of the mode, all opaque. Text in the returned colours has a contrast of at least
    4.5:1: an accent that is too faint keeps its hue and becomes darker or lighter, unless ``is_exact``.
    """
    grounds = [known[name] for name in _GROUNDS]
    is_light = contrast("#000000", grounds[0]) >= contrast("#ffffff", grounds[0])
    tints = _LIGHT if is_light else _DARK
    away = -1 if is_light else 1
    words = [known["heading"], known["text"]]

    own = lch_of(flatten(accent, grounds[0]))
    is_kept = is_exact or _least_contrast(flatten(accent, grounds[0]), grounds[:2]) >= READABLE
    shown = accent if is_kept else _readable(own, grounds, away=away, enough=_COMFORTABLE)
    opaque = flatten(shown, grounds[0])
    at = lch_of(opaque)
    hover = _readable(at._replace(lightness=at.lightness + away * _HOVER), grounds, away=away)
    second = _readable(at._replace(lightness=at.lightness - away * _SECOND), grounds, away=away)
    notice = _tint(opaque, grounds[0], share=tints.notice, words=[*words, opaque, hover])
    return {
        "accent": shown,
        "accent_hover": hover,
        "accent_soft": _tint(opaque, grounds[0], share=tints.soft, words=[*words, opaque, hover]),
        "accent_contrast": _most_readable(at, on=[opaque, hover]),
        "accent_2": second,
        "accent_2_soft": _tint(second, grounds[0], share=tints.soft, words=[*words, second]),
        "notice_bg": notice,
        "notice_border": mix(opaque, grounds[0], share=tints.line),
        "notice_text": _readable(Lch(0.3 if is_light else 0.9, min(at.chroma, 0.04), at.hue), [notice], away=away),
    }


def _readable(lch: Lch, grounds: list[str], *, away: int, enough: float = _ENOUGH) -> str:
    """Return the colour, with its lightness changed until the contrast is enough."""
    color = color_of(lch._replace(lightness=min(1.0, max(0.0, lch.lightness))))
    lightness = lch.lightness
    while _least_contrast(color, grounds) < enough and 0 < lightness + away * _STEP < 1:
        lightness += away * _STEP
        color = color_of(lch._replace(lightness=lightness))
    return color


def _tint(color: str, ground: str, *, share: float, words: Iterable[str]) -> str:
    """Return the ground with a share of the colour, less where words would be faint."""
    # Words that are faint on the ground itself are faint on every tint.
    needed = {word: min(_ENOUGH, contrast(word, ground)) for word in words if contrast(word, ground) >= READABLE}
    tints = (mix(color, ground, share=share * left / _TINTS) for left in range(_TINTS, -1, -1))
    return next(tint for tint in tints if all(contrast(word, tint) >= least for word, least in needed.items()))


def _most_readable(lch: Lch, *, on: list[str]) -> str:
    """Return white, a dark tone of the hue or black.

    It is the first that is readable on all colours of ``on``, else the one with the most contrast to the first of them.
    """
    choices = ["#ffffff", color_of(Lch(0.22, min(lch.chroma, 0.05), lch.hue)), "#000000"]
    readable = [color for color in choices if _least_contrast(color, on) >= READABLE]
    return readable[0] if readable else max(choices, key=lambda color: contrast(color, on[0]))


def _least_contrast(color: str, grounds: list[str]) -> float:
    return min(contrast(color, ground) for ground in grounds)
