"""The images of a body as its revision records them (records.md section 6)."""

import hashlib
from collections.abc import Mapping
from typing import TypedDict
from urllib.parse import SplitResult, urlsplit

from blog_engine.addresses import mount, script_name, stored_media_path
from blog_engine.conf import get_settings
from blog_engine.content.figures import own_media_path, stored_image_digest
from blog_engine.content.rendering import Rendered
from blog_engine.content.revision import ImageEntry
from blog_engine.models import Image


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
    here = _here()
    distinct = dict.fromkeys(image.src for image in rendered.images)
    own = {src: digest for src in distinct if (digest := stored_image_digest(src, **here))}
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
    here = _here()
    hosted = (src for src in dict.fromkeys(image.src for image in rendered.images) if parts_of(src).hostname)
    return [src for src in hosted if own_media_path(src, **here) is None]


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
