"""The contrast of two colours (WCAG 2.2, definitions of contrast ratio and relative luminance)."""

from typing import NamedTuple


class _Color(NamedTuple):
    red: float
    green: float
    blue: float
    alpha: float


def contrast(text: str, *grounds: str) -> float:
    """The contrast ratio, 1 to 21, of text on what lies behind it, the nearest first and the last one opaque.

    Colours are written ``#rgb``, ``#rrggbb`` or ``#rrggbbaa``; what is not opaque is mixed with what lies behind.
    """
    behind = _read(grounds[-1])
    for ground in reversed(grounds[:-1]):
        behind = _laid_over(behind, _read(ground))
    one, other = _luminance(_laid_over(behind, _read(text))), _luminance(behind)
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def _read(color: str) -> _Color:
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, alpha = bytes.fromhex(digits.ljust(8, "f"))
    return _Color(red / 255, green / 255, blue / 255, alpha / 255)


def _laid_over(behind: _Color, front: _Color) -> _Color:
    mixed = [own * front.alpha + other * (1 - front.alpha) for own, other in zip(front[:3], behind[:3], strict=True)]
    return _Color(mixed[0], mixed[1], mixed[2], 1.0)


def _luminance(color: _Color) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
