"""The images of a body as its revision records them (records.md section 6)."""

from typing import TypedDict

from blog_engine.addresses import mount, script_name, stored_media_path
from blog_engine.conf import get_settings
from blog_engine.content.media_paths import stored_image_digest
from blog_engine.content.rendering import Rendered
from blog_engine.content.revision import ImageEntry
from blog_engine.models import Image


class BodyImageEntry(TypedDict):
    """One image in document order; ``sha256`` is ``""`` while its bytes are not known."""

    url: str
    sha256: str
    alt: str


def body_image_entries(rendered: Rendered) -> list[BodyImageEntry]:
    """The entries of a body's images: stored ones by digest and own path, others by their URL and no digest."""
    digests = {image.src: digest for image in rendered.images if (digest := _digest_in(image.src))}
    stored = {image.sha256: image for image in Image.objects.filter(sha256__in=digests.values())} if digests else {}
    return [_entry(image.src, image.alt, stored.get(digests.get(image.src, ""))) for image in rendered.images]


def stored_image_entry(image: Image, *, role: str, alt: str) -> ImageEntry:
    """The entry of a stored image; its path is the same whatever the mount (decisions.md 9.9)."""
    path = stored_media_path(image.sha256, image.filename)
    return ImageEntry(role=role, url=path, sha256=image.sha256, alt=alt)


def _entry(src: str, alt: str, image: Image | None) -> BodyImageEntry:
    if image is None:
        return BodyImageEntry(url=src, sha256="", alt=alt)
    return BodyImageEntry(url=stored_media_path(image.sha256, image.filename), sha256=image.sha256, alt=alt)


def _digest_in(src: str) -> str | None:
    origin = get_settings().public_base_url
    return stored_image_digest(src, site_origin=origin, mount=mount(), script_name=script_name())
