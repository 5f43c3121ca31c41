"""Media files: original images and variants, with byte ranges (RFC 9110), and the pictures drawn for posts."""

import logging
import re
from collections.abc import AsyncIterator
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
from blog_engine.content.figures import SHARED_TYPES, SHARED_WIDTH, VARIANT_TYPES, variant_formats, variant_widths
from blog_engine.errors import Unavailable
from blog_engine.images.files import file_name, image_storage, unavailable_on_fault
from blog_engine.images.links import StorageLink, storage_link
from blog_engine.images.shared import shared_copy
from blog_engine.images.social import picture_of_post, stored_social_picture
from blog_engine.images.variants import TooLargeToDraw, variant
from blog_engine.models import Image
from blog_engine.queries.image_uses import post_without_image
from blog_engine.queries.images import image_of_digest
from blog_engine.reader.page import default_social_image
from blog_engine.reader.view import ReaderView

logger = logging.getLogger("blog_engine")

_IMMUTABLE: Final = {"Cache-Control": "max-age=31536000, public, immutable"}
_UNTIL_DRAWN: Final = "no-store"
_FOR_A_DAY: Final = "max-age=86400, public"
_TYPES: Final = {**VARIANT_TYPES, **SHARED_TYPES}
_HARMLESS: Final = {
    "X-Content-Type-Options": "nosniff",
    # If a browser opens the bytes as a page, they can run and load nothing.
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
# Without the encoding, Django's GZipMiddleware would compress it once more.
_PNG: Final = {"Content-Type": "image/png", "Content-Encoding": "identity"}
_RETRY_AFTER_SECONDS: Final = 5
_BLOCK: Final = 65_536

_SINGLE_RANGE: Final = re.compile(r"bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*", re.IGNORECASE)
_MAX_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file whose bytes never change."""

    name: str
    content_type: str
    filename: str
    """The name under which browsers save the file."""
    tag: str
    """The value of the ``ETag``, which no other bytes have."""


class MediaView(ReaderView):
    """An original image or a variant, redirected to the storage or streamed.

    The digest alone identifies the image; the file name in the URL is ignored (``media.lookup``).
    """

    def get(
        self, request: HttpRequest, *, sha256: str, width: str = "", format: str = "", **kwargs: Any
    ) -> HttpResponseBase:
        image = image_of_digest(sha256)
        if image is not None and image.filename == f"w{width}.{format}":
            # An earlier version took such names of files.
            width = ""
        if image is None or (width and not _is_offered(image, width=width, format=format)):
            return self.fallback()
        try:
            response = self._from_storage(image, width=width, format=format)
        except Unavailable:
            return _unavailable()
        return self.not_found() if response is None else response

    def _from_storage(self, image: Image, *, width: str, format: str) -> HttpResponseBase | None:
        """Return the file, or ``None`` if it is missing. Raises ``Unavailable``."""
        with unavailable_on_fault(f"The image {image.sha256} could not be delivered."):
            try:
                if not width:
                    return self._deliver(_original(image))
                return self._deliver_variant(image, width=int(width), format=format)
            except FileNotFoundError:
                logger.warning("A file of the image %s is missing in the storage.", image.sha256)
                return None

    def _deliver_variant(self, image: Image, *, width: int, format: str) -> HttpResponseBase:
        """Return the variant, or a redirect to the original until it is drawn.

        Images that are too large to draw are always redirected.
        """
        is_shared = format in SHARED_TYPES
        try:
            name = shared_copy(image) if is_shared else variant(image, width=width, format=format)
        except TooLargeToDraw:
            return self._redirect_to_original(image, cache_control=_FOR_A_DAY)
        if name is None:
            return self._redirect_to_original(image, cache_control=_UNTIL_DRAWN)
        if is_shared and not name.endswith(f".{format}"):
            path = self.urls.variant_path(image.sha256, width=width, format=name.rpartition(".")[2])
            return HttpResponseRedirect(path, headers={"Cache-Control": _FOR_A_DAY})
        return self._deliver(_variant(image, name, width=width, format=format))

    def _redirect_to_original(self, image: Image, *, cache_control: str) -> HttpResponse:
        path = self.urls.media_path(image.sha256, image.filename)
        return HttpResponseRedirect(path, headers={"Cache-Control": cache_control})

    def _deliver(self, stored: StoredFile) -> HttpResponseBase:
        if get_settings().image_delivery == "redirect":
            link = storage_link(stored.name, now=self.now)
            if link is not None:
                return _redirect(link)
        return _stream(self.request, stored)


class SocialPictureView(ReaderView):
    """The picture that is drawn for a public post without an image.

    The digest in its URL is that of what it shows now; any other is not found, so that callers cannot make pictures.
    """

    def get(self, request: HttpRequest, *, slug: str, digest: str, **kwargs: Any) -> HttpResponseBase:
        post = post_without_image(slug)
        picture = picture_of_post(post) if post else None
        if post is None or picture is None or picture.digest != digest:
            return self.not_found()
        etag = f'"{digest}"'
        if known := _unmodified(request, etag=etag):
            return known
        try:
            with unavailable_on_fault(f"The picture of the post {post.pk} could not be delivered."):
                data = stored_social_picture(picture, post_id=post.pk)
        except Unavailable:
            return _unavailable()
        if data is None:
            return self._instead()
        headers = _IMMUTABLE | _HARMLESS | _PNG | {"ETag": etag, "Content-Length": str(len(data))}
        return HttpResponse(data, headers=headers)

    def _instead(self) -> HttpResponseBase:
        default = default_social_image(self.urls)
        return HttpResponseRedirect(default, headers={"Cache-Control": "no-store"}) if default else self.not_found()


def _is_offered(image: Image, *, width: str, format: str) -> bool:
    if format in SHARED_TYPES:
        return width == str(SHARED_WIDTH)
    widths = variant_widths(image.width, image.height, is_animated=image.is_animated)
    return width in map(str, widths) and format in variant_formats()


def _original(image: Image) -> StoredFile:
    name = file_name(image.sha256, image.content_type)
    return StoredFile(name=name, content_type=image.content_type, filename=image.filename, tag=image.sha256)


def _variant(image: Image, name: str, *, width: int, format: str) -> StoredFile:
    filename = f"{PurePosixPath(image.filename).stem}-{width}.{format}"
    # The name ends in a digest of the bytes, which differ between versions of Pillow.
    tag = PurePosixPath(name).stem
    return StoredFile(name=name, content_type=_TYPES[format], filename=filename, tag=tag)


def _redirect(link: StorageLink) -> HttpResponse:
    seconds = int(link.lifetime.total_seconds())
    return HttpResponseRedirect(link.url, headers={"Cache-Control": f"max-age={seconds}, public"})


def _unavailable() -> HttpResponse:
    headers = {"Cache-Control": "no-store", "Retry-After": str(_RETRY_AFTER_SECONDS)}
    text = "The image is temporarily unavailable."
    return HttpResponse(text, status=503, content_type="text/plain", headers=headers)


def _stream(request: HttpRequest, stored: StoredFile) -> HttpResponseBase:
    """Return a streaming response with the bytes or a range of them, or 304.

    Raises what the storage raises.
    """
    etag = f'"{stored.tag}"'
    if known := _unmodified(request, etag=etag):
        return known
    file = image_storage().open(stored.name, "rb")
    try:
        return _file_response(request, stored, file, etag=etag)
    except BaseException:
        file.close()
        raise


def _unmodified(request: HttpRequest, *, etag: str) -> HttpResponseBase | None:
    """Return 304 or 412, if the conditions of the request ask for it."""
    known = get_conditional_response(request, etag=etag, response=HttpResponse(headers=_IMMUTABLE | {"ETag": etag}))
    if known is None or known.status_code == 200:
        return None
    # Browsers take over the headers of a 304, and a policy that the host adds would be weaker.
    return _with_headers(known, _HARMLESS)


def _file_response(request: HttpRequest, stored: StoredFile, file: "File[bytes]", *, etag: str) -> HttpResponseBase:
    size = file.size
    try:
        part = requested_range(_range_header(request, etag=etag), size=size)
    except UnsatisfiableRange:
        file.close()
        return HttpResponse(status=416, headers=_HARMLESS | {"Content-Range": f"bytes */{size}"})
    headers = _IMMUTABLE | _HARMLESS | _content_headers(stored, etag=etag)
    headers["Content-Length"] = str(part.length if part else size)
    if part:
        headers["Content-Range"] = f"bytes {part.first}-{part.last}/{size}"
    if request.method == "HEAD":
        file.close()
        return HttpResponse(headers=headers)
    response = _streaming_response(request, _Part(file, part) if part else file)
    response.status_code = 206 if part else 200
    return _with_headers(response, headers)


def _with_headers(response: HttpResponseBase, headers: dict[str, str]) -> HttpResponseBase:
    for name, value in headers.items():
        response.headers[name] = value
    return response


def _content_headers(stored: StoredFile, *, etag: str) -> dict[str, str]:
    return {
        "Content-Type": stored.content_type,
        "Content-Disposition": content_disposition_header(as_attachment=False, filename=stored.filename) or "inline",
        "Accept-Ranges": "bytes",
        # Otherwise Django's GZipMiddleware would compress a range, which no browser could reassemble.
        "Content-Encoding": "identity",
        "ETag": etag,
    }


def _range_header(request: HttpRequest, *, etag: str) -> str | None:
    """Return the ``Range`` of a GET request unless ``If-Range`` names other bytes."""
    condition = request.headers.get("If-Range")
    if request.method != "GET" or (condition is not None and condition.strip() != etag):
        return None
    return request.headers.get("Range")


def _streaming_response(request: HttpRequest, source: "File[bytes] | _Part") -> StreamingHttpResponse:
    if isinstance(request, ASGIRequest):
        # Over ASGI, Django reads a FileResponse to its end before it sends the first byte.
        return StreamingHttpResponse(_AsyncBlocks(source))
    response = FileResponse(source)
    response.block_size = _BLOCK
    return response


class _AsyncBlocks:
    """The blocks of a file or a part of one, read in the request's thread for ASGI."""

    def __init__(self, source: "File[bytes] | _Part") -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while block := await sync_to_async(self._source.read)(_BLOCK):
                yield block
        finally:
            # A disconnecting client ends the iteration, and Django does not close the response then.
            self._source.close()

    def close(self) -> None:
        self._source.close()


class UnsatisfiableRange(Exception):
    """The range begins after the end of the file (416)."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from ``first`` to ``last``, both included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class _Part:
    """A byte range of a file, which can be read like a file."""

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


def requested_range(header: str | None, *, size: int) -> ByteRange | None:
    """Return the range of a file of ``size`` bytes, or ``None`` for the whole file.

    Several ranges, other units and malformed headers are ignored (RFC 9110, 14.2). Raises ``UnsatisfiableRange``.
    """
    single = _SINGLE_RANGE.fullmatch(header or "")
    if single is None or single[1] == single[2] == "" or max(map(len, single.groups())) > _MAX_DIGITS:
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
