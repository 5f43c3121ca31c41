"""Stored images as pages show them: in several sizes and formats to choose from (decisions.md 7.2)."""

from typing import Final

from blog_engine.addresses import Addresses
from blog_engine.content.figures import VARIANT_TYPES, variant_formats, variant_size, variant_widths
from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.models import Image

_FALLBACK_WIDTH: Final = 1200
"""For software that takes the one address of an ``img``, such as feed readers."""


def picture_of(image: Image, *, here: Addresses, sizes: str = "") -> KnownImage:
    """An image with its variants, or as it is when it has none; ``sizes`` says how wide the page shows it."""
    widths = _widths_of(image)
    if not widths:
        return KnownImage(original_path(image, here=here), image.width, image.height)
    fallback = max(width for width in widths if width <= _FALLBACK_WIDTH)
    return KnownImage(
        path=here.variant_path(image.sha256, width=fallback, format="webp"),
        width=image.width,
        height=image.height,
        sources=tuple(_source(image, format, widths, here=here) for format in variant_formats()),
        sizes=sizes,
    )


def thumbnail_path(image: Image, *, here: Addresses) -> str:
    """The smallest that there is of an image."""
    widths = _widths_of(image)
    if not widths:
        return original_path(image, here=here)
    return here.variant_path(image.sha256, width=widths[0], format="webp")


def original_path(image: Image, *, here: Addresses) -> str:
    """The address of the image as it was uploaded."""
    return here.media_path(image.sha256, image.filename)


def _widths_of(image: Image) -> tuple[int, ...]:
    """The widths of its variants, ascending; none where WebP, the format that all browsers read, cannot be made."""
    if "webp" not in variant_formats():
        return ()
    return variant_widths(image.width, image.height, is_animated=image.is_animated)


def _source(image: Image, format: str, widths: tuple[int, ...], *, here: Addresses) -> PictureSource:
    choices = (
        f"{here.variant_path(image.sha256, width=width, format=format)} "
        f"{variant_size(image.width, image.height, to=width)[0]}w"
        for width in widths
    )
    return PictureSource(type=VARIANT_TYPES[format], srcset=", ".join(choices))
