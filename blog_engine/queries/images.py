"""Images of posts: covers, pictures and those in a body."""

import hashlib
from collections.abc import Mapping
from typing import Final, TypedDict
from urllib.parse import SplitResult, urlsplit

from blog_engine.blog_urls import BlogURLs, mount, script_name, stored_media_path
from blog_engine.conf import get_settings
from blog_engine.content.figures import (
    VARIANT_TYPES,
    own_media_path,
    stored_image_digest,
    variant_formats,
    variant_size,
    variant_widths,
)
from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.content.rendering import Rendered
from blog_engine.content.revision import ImageEntry
from blog_engine.models import Image


def image_of_digest(sha256: str) -> Image | None:
    """The image whose bytes have this SHA-256."""
    return Image.objects.filter(sha256=sha256).first()


def stored_digests(prefix: str) -> set[str]:
    """The digests of all images that begin with these hexadecimal digits."""
    # As a range, which every database finds in the index: g comes after the last of the digits.
    found = Image.objects.filter(sha256__gte=prefix, sha256__lt=f"{prefix}g")
    return set(found.values_list("sha256", flat=True))


_FALLBACK_WIDTH: Final = 1200
"""For software that takes the one address of an ``img``, such as feed readers."""


def picture_of(image: Image, *, urls: BlogURLs, sizes: str = "") -> KnownImage:
    """An image with its variants, or as it is when it has none; ``sizes`` says how wide the page shows it."""
    widths = _widths_of(image)
    if not widths:
        return KnownImage(original_path(image, urls=urls), image.width, image.height)
    fallback = max(width for width in widths if width <= _FALLBACK_WIDTH)
    return KnownImage(
        path=urls.variant_path(image.sha256, width=fallback, format="webp"),
        width=image.width,
        height=image.height,
        sources=tuple(_source(image, format, widths, urls=urls) for format in variant_formats()),
        sizes=sizes,
    )


def thumbnail_path(image: Image, *, urls: BlogURLs) -> str:
    """The smallest that there is of an image."""
    widths = _widths_of(image)
    if not widths:
        return original_path(image, urls=urls)
    return urls.variant_path(image.sha256, width=widths[0], format="webp")


def original_path(image: Image, *, urls: BlogURLs) -> str:
    """The address of the image as it was uploaded."""
    return urls.media_path(image.sha256, image.filename)


def _widths_of(image: Image) -> tuple[int, ...]:
    """The widths of its variants, ascending; none where WebP, the format that all browsers read, cannot be made."""
    if "webp" not in variant_formats():
        return ()
    return variant_widths(image.width, image.height, is_animated=image.is_animated)


def _source(image: Image, format: str, widths: tuple[int, ...], *, urls: BlogURLs) -> PictureSource:
    choices = (
        f"{urls.variant_path(image.sha256, width=width, format=format)} "
        f"{variant_size(image.width, image.height, to=width)[0]}w"
        for width in widths
    )
    return PictureSource(type=VARIANT_TYPES[format], srcset=", ".join(choices))


class BodyImageEntry(TypedDict):
    """One image in document order; ``sha256`` is ``""`` while its bytes are not known."""

    url: str
    sha256: str
    alt: str


def body_source_digest(body: str, body_format: str) -> str:
    """What tells whether a manifest belongs to a body."""
    return hashlib.sha256(f"{body_format}\0{body}".encode()).hexdigest()


def body_image_entries(rendered: Rendered, *, digests: Mapping[str, str]) -> list[BodyImageEntry]:
    """The entries of a body's images: stored ones by digest and own path, others by their URL.

    ``digests`` has those of the others by their addresses in the body, as far as they are known.
    """
    urls = _here()
    distinct = dict.fromkeys(image.src for image in rendered.images)
    own = {src: digest for src in distinct if (digest := stored_image_digest(src, **urls))}
    stored = {image.sha256: image for image in Image.objects.filter(sha256__in=own.values())} if own else {}
    return [
        _stored_entry(image, one.alt)
        if (image := stored.get(own.get(one.src, "")))
        else BodyImageEntry(url=one.src, sha256=digests.get(one.src, ""), alt=one.alt)
        for one in rendered.images
    ]


def parts_of(src: str) -> SplitResult:
    """The parts of an image address in a sanitised body, which reads a backslash as browsers do: as a slash."""
    return urlsplit(src.replace("\\", "/"))


def external_images(rendered: Rendered) -> list[str]:
    """The addresses of the images on other hosts, as the body has them.

    This blog's own media are not among them, however their origin is spelled (decisions.md 9.9).
    """
    urls = _here()
    hosted = (src for src in dict.fromkeys(image.src for image in rendered.images) if parts_of(src).hostname)
    return [src for src in hosted if own_media_path(src, **urls) is None]


def stored_image_entry(image: Image, *, role: str, alt: str) -> ImageEntry:
    """The entry of a stored image; its path is the same whatever the mount (decisions.md 9.9)."""
    path = stored_media_path(image.sha256, image.filename)
    return ImageEntry(role=role, url=path, sha256=image.sha256, alt=alt)


def _stored_entry(image: Image, alt: str) -> BodyImageEntry:
    return BodyImageEntry(url=stored_media_path(image.sha256, image.filename), sha256=image.sha256, alt=alt)


def is_own_media(url: str) -> bool:
    """Whether a URL or path is under `<mount>/media/` of this blog, and so never fetched."""
    return own_media_path(url, **_here()) is not None


def image_at(url: str) -> Image | None:
    """The stored image that a URL of this blog's media names; of a variant, the original."""
    digest = stored_image_digest(url, **_here())
    return Image.objects.filter(sha256=digest).first() if digest else None


class _Here(TypedDict):
    site_origin: str | None
    mount: str
    script_name: str


def _here() -> _Here:
    """Return where this blog is. Finding the mount takes longer than reading a URL: ask once for all of a body."""
    return _Here(site_origin=get_settings().public_base_url, mount=mount(), script_name=script_name())
