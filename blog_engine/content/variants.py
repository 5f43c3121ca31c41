"""Which smaller versions an image has: a pure function of its size (decisions.md 4, Variants; 7.2)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PIL import features

VARIANT_WIDTHS: Final = (480, 768, 1200, 1600)
"""Pixels."""

VARIANT_TYPES: Final[Mapping[str, str]] = MappingProxyType({"avif": "image/avif", "webp": "image/webp"})
"""The formats of variants with their media types, the smaller files first."""

VARIANT_NAME: Final = r"w(?P<width>[0-9]+)\.(?P<format>avif|webp)"
"""A pattern of the last part of a variant's address."""

_TALLEST: Final = 16_383
"""What WebP can hold, in pixels."""


def variant_formats() -> tuple[str, ...]:
    """The formats that the installed Pillow can write."""
    return tuple(name for name in VARIANT_TYPES if features.check(name))


def variant_widths(width: int, height: int, *, is_animated: bool) -> tuple[int, ...]:
    """The widths in which an image of this size is offered, in pixels; none for an animation and for a small image.

    An image between two widths is offered at the upper one too, and drawn there in its own width.
    """
    if is_animated or width < VARIANT_WIDTHS[0]:
        return ()
    below = (0, *VARIANT_WIDTHS)
    offered = (upper for lower, upper in zip(below, VARIANT_WIDTHS, strict=False) if lower < width)
    return tuple(to for to in offered if variant_size(width, height, to=to)[1] <= _TALLEST)


def variant_size(width: int, height: int, *, to: int) -> tuple[int, int]:
    """The size of the variant of width ``to``; never larger than the image."""
    drawn = min(to, width)
    return drawn, max(1, round(height * drawn / width))
