"""A stored image file, handed on by this server (reader.md 9; decisions.md 4, Redirect delivery)."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from asgiref.sync import sync_to_async
from django.core.files.base import File
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header

from blog_engine.reader.byte_ranges import ByteRange, UnsatisfiableRange, requested_range

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
