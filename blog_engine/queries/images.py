"""Stored images."""

from blog_engine.models import Image


def image_of_digest(sha256: str) -> Image | None:
    """The image whose bytes have this SHA-256."""
    return Image.objects.filter(sha256=sha256).first()
