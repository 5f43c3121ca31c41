"""Colour arithmetic: contrast (WCAG 2.2), mixtures, and OKLCH.

Colours are texts ``#rgb``, ``#rrggbb`` or ``#rrggbbaa``.
"""

import math
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
