"""The bytes of stored images and of their variants (reader.md 9, decisions.md 7.3)."""

import logging
from pathlib import PurePosixPath
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

from blog_engine.conf import get_settings
from blog_engine.content.figures import VARIANT_TYPES, variant_formats, variant_widths
from blog_engine.errors import Unavailable
from blog_engine.images.files import file_name, image_storage, unavailable_on_fault
from blog_engine.images.links import StorageLink, storage_link
from blog_engine.images.variants import TooLargeToDraw, variant
from blog_engine.models import Image
from blog_engine.queries.images import image_of_digest
from blog_engine.reader.stored_file import StoredFile, proxied
from blog_engine.reader.view import ReaderView

logger = logging.getLogger("blog_engine")

_SECONDS_TO_WAIT: Final = 5
_NOT_YET: Final = "no-store"
_NEVER: Final = "max-age=86400, public"


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
                if not width:
                    return self._deliver(_original(image))
                return self._deliver_variant(image, width=int(width), format=format)
            except FileNotFoundError:
                logger.warning("A file of the image %s is missing in the storage.", image.sha256)
                return None

    def _deliver_variant(self, image: Image, *, width: int, format: str) -> HttpResponseBase:
        """The variant; the way to the original for one that is not drawn yet, or too large to be drawn at all."""
        try:
            name = variant(image, width=width, format=format)
        except TooLargeToDraw:
            return self._to_original(image, kept=_NEVER)
        if name is None:
            return self._to_original(image, kept=_NOT_YET)
        return self._deliver(_variant(image, name, width=width, format=format))

    def _to_original(self, image: Image, *, kept: str) -> HttpResponse:
        path = self.here.media_path(image.sha256, image.filename)
        return HttpResponseRedirect(path, headers={"Cache-Control": kept})

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


def _variant(image: Image, name: str, *, width: int, format: str) -> StoredFile:
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
