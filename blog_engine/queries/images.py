"""Stored images."""

from blog_engine.models import Image


def image_of_digest(sha256: str) -> Image | None:
    """The image whose bytes have this SHA-256."""
    return Image.objects.filter(sha256=sha256).first()


def stored_digests(prefix: str) -> set[str]:
    """The digests of all images that begin with these hexadecimal digits."""
    # As a range, which every database finds in the index: g comes after the last of the digits.
    found = Image.objects.filter(sha256__gte=prefix, sha256__lt=f"{prefix}g")
    return set(found.values_list("sha256", flat=True))
