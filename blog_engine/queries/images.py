"""Stored images: by digest or URL, and their paths and variants."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from django.db.models import QuerySet

from blog_engine.blog_urls import BlogURLs, blog_location
from blog_engine.content.figures import (
    VARIANT_TYPES,
    own_media_path,
    stored_image_digest,
    variant_formats,
    variant_size,
    variant_widths,
)
from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.models import Image


def image_of_digest(sha256: str) -> Image | None:
    """Return the image whose bytes have this SHA-256, or ``None``."""
    return Image.objects.filter(sha256=sha256).first()


def stored_digests(prefix: str) -> set[str]:
    """Return the digests of images that begin with ``prefix``, a hexadecimal text."""
    # A range, which every database finds in the index: g comes after the digits.
    found = Image.objects.filter(sha256__gte=prefix, sha256__lt=f"{prefix}g")
    return set(found.values_list("sha256", flat=True))


_FALLBACK_WIDTH: Final = 1200
"""For clients that read only ``src``, such as feed readers."""


def picture_of(image: Image, *, urls: BlogURLs, sizes: str = "") -> KnownImage:
    """Return an image with its variants, if any; ``sizes`` is the HTML attribute."""
    size = image.width, image.height
    # Animations have no variants, and neither has a blog whose Pillow writes no WebP.
    formats = () if image.is_animated else variant_formats()
    return _picture(image.sha256, image.filename, size, formats, urls.prefix, sizes)


@lru_cache(maxsize=1_000)
def _picture(
    sha256: str, filename: str, size: tuple[int, int], formats: tuple[str, ...], prefix: str, sizes: str
) -> KnownImage:
    urls, (width, height) = BlogURLs(origin="", prefix=prefix), size
    widths = variant_widths(width, height, is_animated=False) if "webp" in formats else ()
    if not widths:
        return KnownImage(urls.media_path(sha256, filename), width, height)
    fallback = max(one for one in widths if one <= _FALLBACK_WIDTH)
    return KnownImage(
        path=urls.variant_path(sha256, width=fallback, format="webp"),
        width=width,
        height=height,
        sources=tuple(_source(sha256, size, format, widths, urls=urls) for format in formats),
        sizes=sizes,
    )


def thumbnail_path(image: Image, *, urls: BlogURLs) -> str:
    """Return the path of the smallest variant of an image."""
    widths = variant_widths(image.width, image.height, is_animated=image.is_animated)
    if not widths or "webp" not in variant_formats():
        return original_path(image, urls=urls)
    return urls.variant_path(image.sha256, width=widths[0], format="webp")


def original_path(image: Image, *, urls: BlogURLs) -> str:
    """Return the path of the uploaded file."""
    return urls.media_path(image.sha256, image.filename)


def _source(
    sha256: str, size: tuple[int, int], format: str, widths: tuple[int, ...], *, urls: BlogURLs
) -> PictureSource:
    choices = (
        f"{urls.variant_path(sha256, width=width, format=format)} {variant_size(*size, to=width)[0]}w"
        for width in widths
    )
    return PictureSource(type=VARIANT_TYPES[format], srcset=", ".join(choices))


def is_own_media(url: str) -> bool:
    """Return whether a URL is below ``<mount>/media/`` and therefore never fetched."""
    return own_media_path(url, **blog_location()) is not None


def image_at(url: str) -> Image | None:
    """Return the image at a media URL of this blog, also of a variant, or ``None``."""
    digest = stored_image_digest(url, **blog_location())
    return Image.objects.filter(sha256=digest).first() if digest else None


def images_with_ids(ids: Iterable[int]) -> dict[int, Image]:
    """Return images by their ids; one query, and none without ids."""
    return Image.objects.in_bulk(set(ids))


def images_by_filename(words: str) -> QuerySet[Image]:
    """Return the images whose file name contains a text, newest first; with an empty text all."""
    images = Image.objects.order_by("-id")
    return images.filter(filename__icontains=words) if words else images
