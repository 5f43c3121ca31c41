"""The colours that are derived from an accent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from blog_engine.conf.colors import Lch, color_of, contrast, flatten, lch_of, mix

READABLE: Final = 4.5
"""The least contrast of text (WCAG 1.4.3)."""

_ENOUGH: Final = READABLE + 0.05
"""The least contrast of derived colours: translucent colours are rounded on the way."""
_COMFORTABLE: Final = 6.0
"""The contrast of an accent that has to be adapted: it allows tints of the accent behind its text."""
_STEP: Final = 0.005
_HOVER: Final = 0.09
_SECOND: Final = 0.12
"""How much nearer to the page the second accent is than the first in lightness, if it is readable."""
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
    color, lightness = color_of(_clamp(lch)), lch.lightness
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


def _clamp(lch: Lch) -> Lch:
    return lch._replace(lightness=min(1.0, max(0.0, lch.lightness)))
