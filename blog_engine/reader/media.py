"""Media files: originals, variants and byte ranges (RFC 9110)."""

import logging
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.files.base import File
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header

from blog_engine.conf import get_settings
from blog_engine.content.figures import VARIANT_TYPES, variant_formats, variant_widths
from blog_engine.errors import Unavailable
from blog_engine.images.files import file_name, image_storage, unavailable_on_fault
from blog_engine.images.links import StorageLink, storage_link
from blog_engine.images.variants import TooLargeToDraw, variant
from blog_engine.models import Image
from blog_engine.queries.images import image_of_digest
from blog_engine.reader.view import ReaderView

_SINGLE: Final = re.compile(r"bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*", re.IGNORECASE)
_MOST_DIGITS: Final = 18


class UnsatisfiableRange(Exception):
    """The range begins after the end of the file."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from ``first`` to ``last``, both of them included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def requested_range(header: str | None, *, size: int) -> ByteRange | None:
    """The range of a file of ``size`` bytes; ``None`` for the whole file.

    Several ranges, other units and what is no range at all are ignored, as the RFC allows and asks. Raises
    ``UnsatisfiableRange``.
    """
    single = _SINGLE.fullmatch(header or "")
    if single is None or single[1] == single[2] == "" or max(map(len, single.groups())) > _MOST_DIGITS:
        return None
    if not single[1]:
        return _suffix(int(single[2]), size=size)
    first, last = int(single[1]), int(single[2]) if single[2] else size - 1
    if single[2] and last < first:
        return None
    if first >= size:
        raise UnsatisfiableRange
    return ByteRange(first, min(last, size - 1))


def _suffix(length: int, *, size: int) -> ByteRange:
    if not length or not size:
        raise UnsatisfiableRange
    return ByteRange(max(size - length, 0), size - 1)


_BLOCK: Final = 65_536
_KEPT: Final = {"Cache-Control": "max-age=31536000, public, immutable"}
_HARMLESS: Final = {
    "X-Content-Type-Options": "nosniff",
    # Whatever the bytes may also be: opened as a page, they can run and load nothing.
    "Content-Security-Policy": "sandbox; default-src 'none'",
}


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file whose bytes never change. ``tag`` stands for exactly these bytes; ``filename`` is what readers save."""

    name: str
    content_type: str
    filename: str
    tag: str


def proxied(request: HttpRequest, stored: StoredFile, *, open_file: Callable[[], "File[bytes]"]) -> HttpResponseBase:
    """The bytes, streamed; a single range of them; or that the browser has them already.

    Raises what ``open_file`` raises.
    """
    etag = f'"{stored.tag}"'
    known = get_conditional_response(request, etag=etag, response=HttpResponse(headers=_KEPT | {"ETag": etag}))
    if known is not None and known.status_code != 200:
        # Browsers take over the headers of a 304, and a host's own policy would be weaker.
        return _with_headers(known, _HARMLESS)
    file = open_file()
    try:
        return _answer(request, stored, file, etag=etag)
    except BaseException:
        file.close()
        raise


def _answer(request: HttpRequest, stored: StoredFile, file: "File[bytes]", *, etag: str) -> HttpResponseBase:
    size = file.size
    try:
        part = requested_range(_range_header(request, etag=etag), size=size)
    except UnsatisfiableRange:
        file.close()
        return HttpResponse(status=416, headers=_HARMLESS | {"Content-Range": f"bytes */{size}"})
    headers = _KEPT | _HARMLESS | _description(stored, etag=etag)
    headers["Content-Length"] = str(part.length if part else size)
    if part:
        headers["Content-Range"] = f"bytes {part.first}-{part.last}/{size}"
    if request.method == "HEAD":
        file.close()
        return HttpResponse(headers=headers)
    response = _streamed(request, _Part(file, part) if part else file)
    response.status_code = 206 if part else 200
    return _with_headers(response, headers)


def _streamed(request: HttpRequest, source: "File[bytes] | _Part") -> StreamingHttpResponse:
    if isinstance(request, ASGIRequest):
        # Over ASGI Django reads a FileResponse to its end before it sends the first byte.
        return StreamingHttpResponse(_AsyncBlocks(source))
    response = FileResponse(source)
    response.block_size = _BLOCK
    return response


def _with_headers(response: HttpResponseBase, headers: dict[str, str]) -> HttpResponseBase:
    for name, value in headers.items():
        response.headers[name] = value
    return response


def _description(stored: StoredFile, *, etag: str) -> dict[str, str]:
    return {
        "Content-Type": stored.content_type,
        "Content-Disposition": content_disposition_header(as_attachment=False, filename=stored.filename) or "inline",
        "Accept-Ranges": "bytes",
        # Otherwise Django's GZipMiddleware would pack a range, and no browser could put it in its place.
        "Content-Encoding": "identity",
        "ETag": etag,
    }


def _range_header(request: HttpRequest, *, etag: str) -> str | None:
    """The range to honour: only GET has one, and ``If-Range`` withdraws it when it names other bytes."""
    condition = request.headers.get("If-Range")
    if request.method != "GET" or (condition is not None and condition.strip() != etag):
        return None
    return request.headers.get("Range")


class _AsyncBlocks:
    """A file or a part of one, read in the thread of the request while the event loop serves others."""

    def __init__(self, source: "File[bytes] | _Part") -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while block := await sync_to_async(self._source.read)(_BLOCK):
                yield block
        finally:
            # A browser that goes away ends the iteration, and Django does not close the response then.
            self._source.close()

    def close(self) -> None:
        self._source.close()


class _Part:
    """A stretch of a file, to be read like a file."""

    def __init__(self, file: "File[bytes]", part: ByteRange) -> None:
        file.seek(part.first)
        self._file = file
        self._left = part.length

    def read(self, size: int = _BLOCK) -> bytes:
        chunk = bytes(self._file.read(min(size, self._left)))
        self._left -= len(chunk)
        return chunk

    def close(self) -> None:
        self._file.close()


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
        path = self.urls.media_path(image.sha256, image.filename)
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
