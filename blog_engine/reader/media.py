"""The bytes of stored images and of their variants (reader.md 9, decisions.md 7.3)."""

import logging
from pathlib import PurePosixPath
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

from blog_engine.conf import get_settings
from blog_engine.content.variants import VARIANT_TYPES, variant_formats, variant_widths
from blog_engine.errors import Unavailable
from blog_engine.images.files import file_name, image_storage, unavailable_on_fault
from blog_engine.images.links import StorageLink, storage_link
from blog_engine.images.variants import variant
from blog_engine.models import Image
from blog_engine.queries.images import image_of_digest
from blog_engine.reader.stored_file import StoredFile, proxied
from blog_engine.reader.view import ReaderView

logger = logging.getLogger("blog_engine")

_SECONDS_TO_WAIT: Final = 5


class MediaView(ReaderView):
    """An original or one of its variants: sent on to the storage, or handed on by this server.

    The digest alone finds the image; the file name in the address counts for nothing.
    """

    def get(
        self, request: HttpRequest, *, sha256: str, width: str = "", format: str = "", **kwargs: Any
    ) -> HttpResponseBase:
        image = image_of_digest(sha256)
        if image is None or (width and not _is_offered(image, width=width, format=format)):
            return self.elsewhere()
        try:
            answer = self._from_storage(image, width=width, format=format)
        except Unavailable:
            return _out_of_reach()
        return self.not_found() if answer is None else answer

    def _from_storage(self, image: Image, *, width: str, format: str) -> HttpResponseBase | None:
        """The answer with the file; ``None`` when the storage does not have it. Raises ``Unavailable``."""
        with unavailable_on_fault(f"The image {image.sha256} could not be delivered."):
            try:
                return self._deliver(_variant(image, width=int(width), format=format) if width else _original(image))
            except FileNotFoundError:
                logger.warning("A file of the image %s is missing in the storage.", image.sha256)
                return None

    def _deliver(self, stored: StoredFile) -> HttpResponseBase:
        if get_settings().image_delivery == "redirect":
            link = storage_link(stored.name, now=self.now)
            if link is not None:
                return _redirect(link)
        return proxied(self.request, stored, open_file=lambda: image_storage().open(stored.name, "rb"))


def _is_offered(image: Image, *, width: str, format: str) -> bool:
    widths = variant_widths(image.width, image.height, is_animated=image.is_animated)
    return width in map(str, widths) and format in variant_formats()


def _original(image: Image) -> StoredFile:
    name = file_name(image.sha256, image.content_type)
    return StoredFile(name=name, content_type=image.content_type, filename=image.filename, tag=image.sha256)


def _variant(image: Image, *, width: int, format: str) -> StoredFile:
    name = variant(image, width=width, format=format)
    filename = f"{PurePosixPath(image.filename).stem}-{width}.{format}"
    # The name ends in a digest of the bytes, which another version of Pillow may write differently.
    tag = PurePosixPath(name).stem
    return StoredFile(name=name, content_type=VARIANT_TYPES[format], filename=filename, tag=tag)


def _redirect(link: StorageLink) -> HttpResponse:
    seconds = int(link.lifetime.total_seconds())
    return HttpResponseRedirect(link.url, headers={"Cache-Control": f"max-age={seconds}, public"})


def _out_of_reach() -> HttpResponse:
    headers = {"Cache-Control": "no-store", "Retry-After": str(_SECONDS_TO_WAIT)}
    text = "The image is out of reach for a moment."
    return HttpResponse(text, status=503, content_type="text/plain", headers=headers)
