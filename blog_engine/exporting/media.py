"""The image files of an export, with their original bytes at their URLs."""

import hashlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import Any, Final
from urllib.parse import unquote

from django.core.files.storage import Storage

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.figures import SHARED_TYPES
from blog_engine.exporting.targets import ExportTarget
from blog_engine.images.files import file_name, image_storage
from blog_engine.images.shared import drawn_shared_copy, stored_shared_copy
from blog_engine.models import Author, Image
from blog_engine.models.taxonomy import blog_storage
from blog_engine.rendering.images import shared_path
from blog_engine.rules.label import image_notice

AVATARS: Final = "files"
"""The folder with the pictures that the host's own forms stored for authors, under their names in the storage."""

_LONGEST: Final = 255
"""Bytes of a file name on the usual file systems."""
_BLOCK: Final = 65_536
_IN_MEMORY: Final = 1_000_000


def site_path(path: str) -> str:
    """Return where the site of an export has the file for a URL path."""
    return f"static{unquote(path)}"


def media_folder(urls: BlogURLs) -> str:
    """Return the folder of the images, which has a folder for each digest."""
    return site_path(f"{urls.prefix}/media")


def media_name(image: Image) -> str:
    """Return the name of an image's file: its own, unless file systems cannot hold a name of that length."""
    return image.filename if len(image.filename.encode()) <= _LONGEST else short_name(image)


def short_name(image: Image) -> str:
    """Return a name for an image whose own one is too long."""
    return f"image{PurePosixPath(file_name(image.sha256, image.content_type)).suffix}"


def write_images(target: ExportTarget, alias: str, *, urls: BlogURLs) -> Iterator[str | None]:
    """Write the image files, their copies for feeds, and the authors' pictures; yield for each file ``None``, or how it
    is lost."""
    for image in Image.objects.using(alias).order_by("pk").iterator(500):
        name = file_name(image.sha256, image.content_type)
        path = f"{media_folder(urls)}/{image.sha256}/{media_name(image)}"
        lost = _copy(image_storage(), name, target, path, sha256=image.sha256)
        yield lost
        if lost is None and image.shared_type in SHARED_TYPES:
            yield _write_shared_copy(image, target, site_path(shared_path(image, urls=urls)))
    pictures = Author.objects.using(alias).exclude(avatar_file="").order_by("pk")
    for name in pictures.values_list("avatar_file", flat=True).iterator(500):
        yield _copy(blog_storage(), name, target, f"{AVATARS}/{name}")


def _write_shared_copy(image: Image, target: ExportTarget, path: str) -> str | None:
    """Write the copy of an image for feeds, drawn first in a restored blog; return ``None``, or how it is lost."""
    try:
        if not stored_shared_copy(image):
            drawn_shared_copy(image)
        name = stored_shared_copy(image)
    except Exception as fault:
        # Exceptions differ by storage; the file is named, and the others are still copied.
        return f"{path}: {type(fault).__name__}"
    return _copy(image_storage(), name, target, path) if name else f"{path}: missing"


def _copy(storage: Storage, name: str, target: ExportTarget, path: str, *, sha256: str | None = None) -> str | None:
    """Copy a file of the storage unless it cannot be read, or has other bytes than its digest."""
    with SpooledTemporaryFile(_IN_MEMORY) as spool:
        digest = hashlib.sha256()
        try:
            with storage.open(name, "rb") as file:
                for chunk in file.chunks(_BLOCK):
                    spool.write(chunk)
                    digest.update(chunk)
        except Exception as fault:
            # Exceptions differ by storage; the file is named, and the others are still copied.
            return f"{name}: {'missing' if isinstance(fault, FileNotFoundError) else type(fault).__name__}"
        if sha256 not in {None, digest.hexdigest()}:
            return f"{name}: it has other bytes than its digest"
        spool.seek(0)
        with target.open(path) as writer:
            while block := spool.read(_BLOCK):
                writer.write(block)
    return None


def renamed_media(alias: str, *, urls: BlogURLs) -> Iterator[tuple[str, str]]:
    """Yield the URL path of each image whose file has another name in an export, and the path of that file."""
    for image in Image.objects.using(alias).order_by("pk").iterator(500):
        if (name := media_name(image)) != image.filename:
            yield urls.media_path(image.sha256, image.filename), urls.media_path(image.sha256, name)


def as_picture(image: Image | None, *, urls: BlogURLs, **more: Any) -> dict[str, Any] | None:
    """Return what front matter has about an image."""
    if image is None:
        return None
    path = urls.media_path(image.sha256, media_name(image))
    size = {"width": image.width, "height": image.height}
    said = {
        "credit": image.credit,
        "digital_source_type": image.digital_source_type,
        "notice": image_notice(image.digital_source_type),
    }
    origin = {name: value for name, value in said.items() if value}
    file = {"image": path, "type": image.content_type, "bytes": image.byte_size}
    return {**file, "shared": _shared(image, urls=urls) or file, **more, **size, **origin}


def _shared(image: Image, *, urls: BlogURLs) -> dict[str, Any] | None:
    """Return the copy of an image for feeds and networks, if it was drawn."""
    if image.shared_type not in SHARED_TYPES:
        return None
    path, content_type = shared_path(image, urls=urls), SHARED_TYPES[image.shared_type]
    return {"image": path, "type": content_type, "bytes": image.shared_bytes}
