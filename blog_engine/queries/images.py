"""Stored images by digest or URL."""

from collections.abc import Collection, Iterable

from django.db.models import QuerySet

from blog_engine.blog_urls import blog_location
from blog_engine.content.figures import own_media_path, stored_image_digest
from blog_engine.models import Image


def image_of_digest(sha256: str) -> Image | None:
    """Return the image whose bytes have this SHA-256, or ``None``."""
    return Image.objects.filter(sha256=sha256).first()


def ids_of_digests(digests: Collection[str]) -> dict[str, int]:
    """Return the ids of the images whose bytes have these SHA-256, by digest; one query, and none without digests."""
    return dict(Image.objects.filter(sha256__in=digests).values_list("sha256", "pk")) if digests else {}


def stored_digests(prefix: str) -> set[str]:
    """Return the digests of images that begin with ``prefix``, a hexadecimal text."""
    # A range, which every database finds in the index: g comes after the digits.
    found = Image.objects.filter(sha256__gte=prefix, sha256__lt=f"{prefix}g")
    return set(found.values_list("sha256", flat=True))


def is_own_media(url: str) -> bool:
    """Return whether a URL is below ``<mount>/media/`` and therefore never fetched."""
    return own_media_path(url, **blog_location()) is not None


def image_at(url: str) -> Image | None:
    """Return the image at a media URL of this blog, also of a variant, or ``None``."""
    digest = stored_image_digest(url, **blog_location())
    return image_of_digest(digest) if digest else None


def images_with_ids(ids: Iterable[int]) -> dict[int, Image]:
    """Return images by their ids; one query, and none without ids."""
    return Image.objects.in_bulk(set(ids))


def images_by_filename(words: str) -> QuerySet[Image]:
    """Return the images whose file name contains a text, newest first; with an empty text all."""
    images = Image.objects.order_by("-id")
    return images.filter(filename__icontains=words) if words else images
