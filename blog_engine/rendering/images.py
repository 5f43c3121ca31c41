"""Stored images as pages show them, and the images of a body."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from blog_engine.blog_urls import BlogURLs, blog_location, stored_media_path
from blog_engine.content.figures import (
    SHARED_TYPES,
    SHARED_WIDTH,
    VARIANT_TYPES,
    is_wide,
    own_media_path,
    stored_image_digest,
    variant_formats,
    variant_size,
    variant_widths,
)
from blog_engine.content.options import ImageOrigin, KnownImage, PictureSource
from blog_engine.models import Image
from blog_engine.rules.revision import BodyImageEntry

if TYPE_CHECKING:
    from blog_engine.content.rendering import BodyImage

_SIZES: Final = "(min-width: 44rem) 40rem, 100vw"
"""How wide a body is: the theme's ``--blog-content-width``."""
_WIDE_SIZES: Final = "(min-width: 60rem) 56rem, 100vw"
"""How wide a wide figure is: the theme's ``--blog-wide-width``."""
_NOT_EVERYWHERE: Final = frozenset({"image/avif", "image/webp"})
"""Types that some feed readers and programs for mail do not show."""
_DIGEST_IN_PATH: Final = re.compile(r"/media/([0-9a-f]{64})/")


def picture_of(image: Image, *, urls: BlogURLs, sizes: str = "") -> KnownImage:
    """Return an image with its variants, if any; ``sizes`` is the HTML attribute."""
    size = image.width, image.height
    # Animations have no variants, and neither has a blog whose Pillow writes no WebP.
    formats = () if image.is_animated else variant_formats()
    shared = shared_path(image, urls=urls)
    return _picture(image.sha256, image.filename, image.content_type, size, formats, shared, urls.prefix, sizes)


@lru_cache(maxsize=1_000)
def _picture(
    sha256: str,
    filename: str,
    content_type: str,
    size: tuple[int, int],
    formats: tuple[str, ...],
    shared: str,
    prefix: str,
    sizes: str,
) -> KnownImage:
    urls, (width, height) = BlogURLs(origin="", prefix=prefix), size
    widths = variant_widths(width, height, is_animated=False) if "webp" in formats else ()
    original = urls.media_path(sha256, filename)
    if widths:
        sources = tuple(_source(sha256, size, format, widths, urls=urls) for format in formats)
    elif content_type in _NOT_EVERYWHERE and shared != original:
        sources = (PictureSource(type=content_type, srcset=f"{original} {width}w"),)
    else:
        return KnownImage(original, width, height)
    return KnownImage(shared, width, height, sources, sizes)


def _source(
    sha256: str, size: tuple[int, int], format: str, widths: tuple[int, ...], *, urls: BlogURLs
) -> PictureSource:
    choices = (
        f"{urls.variant_path(sha256, width=width, format=format)} {variant_size(*size, to=width)[0]}w"
        for width in widths
    )
    return PictureSource(type=VARIANT_TYPES[format], srcset=", ".join(choices))


def thumbnail_path(image: Image, *, urls: BlogURLs) -> str:
    """Return the path of the smallest variant of an image."""
    widths = variant_widths(image.width, image.height, is_animated=image.is_animated)
    if not widths or "webp" not in variant_formats():
        return original_path(image, urls=urls)
    return urls.variant_path(image.sha256, width=widths[0], format="webp")


def shared_path(image: Image, *, urls: BlogURLs) -> str:
    """Return the path of the copy for networks and feeds; that of the original if it is too large to draw.

    A copy that was not drawn yet is drawn there, and a PNG is redirected to.
    """
    if image.shared_type and image.shared_type not in SHARED_TYPES:
        return original_path(image, urls=urls)
    return urls.variant_path(image.sha256, width=SHARED_WIDTH, format=image.shared_type or "jpg")


def original_path(image: Image, *, urls: BlogURLs) -> str:
    """Return the path of the uploaded file."""
    return urls.media_path(image.sha256, image.filename)


def digests_named_in(body: str) -> frozenset[str]:
    """Return the SHA-256 in the paths of media that a body has."""
    return frozenset(_DIGEST_IN_PATH.findall(body))


def images_named_in(body: str) -> dict[str, Image]:
    """Return the stored images whose paths a body has, by SHA-256; one query if it has any path of an image."""
    return stored_images(digests_named_in(body))


def stored_images(digests: Collection[str]) -> dict[str, Image]:
    """Return the stored images with these SHA-256, by them; no query without any."""
    return {image.sha256: image for image in Image.objects.filter(sha256__in=digests)} if digests else {}


def known_images(stored: Mapping[str, Image]) -> dict[str, KnownImage]:
    """Return stored images as a body shows them, with the original file that they link to."""
    urls = BlogURLs.on("")
    return {
        sha256: replace(
            picture_of(image, urls=urls, sizes=_WIDE_SIZES if is_wide(image.width, image.height) else _SIZES),
            original=original_path(image, urls=urls),
        )
        for sha256, image in stored.items()
    }


def image_origin(image: Image) -> ImageOrigin:
    """Return what is said of where an image comes from."""
    return ImageOrigin(image.credit, image.digital_source_type)


def origins_of(stored: Mapping[str, Image]) -> dict[str, ImageOrigin]:
    """Return what is said of where stored images come from, by SHA-256."""
    return {sha256: image_origin(image) for sha256, image in stored.items()}


def digests_in(images: Iterable["BodyImage"]) -> dict[str, str]:
    """Return the SHA-256 of the images of a body that are media of this blog, stored or not, by their URL."""
    urls, sources = blog_location(), dict.fromkeys(image.src for image in images)
    return {src: digest for src in sources if (digest := stored_image_digest(src, **urls))}


def image_entry(image: "BodyImage", stored: Image | None) -> BodyImageEntry:
    """Return the entry of an image in the manifest of a body: a stored one by its path, any other by its URL."""
    if stored is None:
        return BodyImageEntry(url=image.src, sha256="", alt=image.alt)
    path = stored_media_path(stored.sha256, stored.filename)
    return BodyImageEntry(url=path, sha256=stored.sha256, alt=image.alt)


def split_image_url(src: str) -> SplitResult:
    """Return the parts of an image URL; a backslash is a slash, as in browsers."""
    return urlsplit(src.replace("\\", "/"))


def external_images(sources: Iterable[str]) -> list[str]:
    """Return those of the URLs of images that are on other hosts, each once."""
    urls = blog_location()
    hosted = (src for src in dict.fromkeys(sources) if split_image_url(src).hostname)
    return [src for src in hosted if own_media_path(src, **urls) is None]
