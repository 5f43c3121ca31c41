"""Request bodies of the JSON API: JSON, forms and multipart uploads."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from django.core.exceptions import SuspiciousMultipartForm, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.datastructures import MultiValueDict

from blog_engine.conf import get_settings
from blog_engine.errors import ValidationFailed
from blog_engine.http.requests import (
    MAX_JSON_BYTES,
    body_length,
    json_object,
    max_upload_bytes,
    read_json_body,
    refuse_encoding,
)
from blog_engine.inputs.images import ImageBytes


def read_input(request: HttpRequest, *, or_else: str = "") -> dict[str, object]:
    """Return the query parameters, overridden by the fields of the JSON body.

    Brackets in the names of query parameters have no meaning. Raises ``LengthRequired``, ``PayloadTooLarge``,
    ``UnsupportedMediaType`` for a body that is not declared as JSON, with the hint ``or_else``, and what
    ``json_object`` raises.
    """
    return query_of(request) | json_object(read_json_body(request, limit=MAX_JSON_BYTES, hint=or_else))


def query_of(request: HttpRequest) -> dict[str, object]:
    """Return the query parameters."""
    return {key: only(values) for key, values in request.GET.lists()}


def only(values: Sequence[object]) -> object:
    """Return the only value of a name, or several as a tuple, which only a list accepts."""
    return values[0] if len(values) == 1 else tuple(values)


MULTIPART = "multipart/form-data"
FILE = "file"

_LONGEST_END = 1024
_MALFORMED = (MultiPartParserError, SuspiciousMultipartForm, TooManyFieldsSent, TooManyFilesSent)


def read_upload(request: HttpRequest) -> dict[str, object]:
    """Return the fields of a form whose part ``file`` is an image, or of JSON, with the query parameters.

    Raises what ``read_form`` and ``read_input`` raise.
    """
    if request.content_type != MULTIPART:
        return read_input(request, or_else=f"Send a file as the part {FILE} of a form ({MULTIPART}).")
    return query_of(request) | read_form(request)


def read_form(request: HttpRequest) -> dict[str, object]:
    """Return the parts of a form by name, with files as ``ImageBytes``, cut one byte past the limit of an image.

    Raises ``LengthRequired`` and ``PayloadTooLarge`` before anything is read, and ``ValidationFailed`` (``body``) for a
    form that is malformed or incomplete.
    """
    refuse_encoding(request)
    most = get_settings().max_image_bytes
    length = body_length(request, limit=max_upload_bytes())
    if not length:
        return {}
    form, files = _parse(request, length=length, most=most + 1)
    found: dict[str, list[object]] = {name: list(values) for name, values in form.lists()}
    for name, uploads in files.lists():
        found.setdefault(name, []).extend(
            ImageBytes(upload.read(most + 1), filename=upload.name or "", content_type=upload.content_type or None)
            for upload in uploads
        )
    return {name: only(values) for name, values in found.items()}


def _parse(
    request: HttpRequest, *, length: int, most: int
) -> "tuple[QueryDict, MultiValueDict[str, UploadedFile[bytes]]]":
    body = _Body(request, length)
    try:
        parser = MultiPartParser(_headers(request), body, [_OneFile(most)], "utf-8")  # type: ignore[arg-type]  # it only reads
        form, files = parser.parse()
    except _MALFORMED as fault:
        raise _not_a_form() from fault
    if body.is_spent:
        # A middleware or a hook of the host has read the form, and Django keeps its parts.
        return request.POST, request.FILES
    boundary = (request.content_params or {}).get("boundary", "")
    if not body.ends_with(f"--{boundary}--".encode()):
        raise _not_a_form()
    return form, files


class _Body:
    """The body of a request, as long as its Content-Length."""

    def __init__(self, request: HttpRequest, length: int) -> None:
        self._request = request
        self._length = self._left = length
        self._end = b""

    def read(self, size: int, /) -> bytes:
        part = self._request.read(min(size, self._left))
        self._left -= len(part)
        self._end = (self._end + part)[-_LONGEST_END:]
        return part

    @property
    def is_spent(self) -> bool:
        """Whether it had been read before."""
        return self._left == self._length

    def ends_with(self, mark: bytes) -> bool:
        """Return whether it was complete, with this mark near its end."""
        return not self._left and mark in self._end


class _OneFile(FileUploadHandler):
    """Keeps the first file named ``file`` in memory, up to ``most`` bytes; other files are empty."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._room_for_the_file = most
        self._room = 0
        self._content = BytesIO()

    def new_file(self, field_name: str, *args: Any, **kwargs: Any) -> None:
        super().new_file(field_name, *args, **kwargs)
        self._content = BytesIO()
        self._room = 0
        if field_name == FILE:
            self._room, self._room_for_the_file = self._room_for_the_file, 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._content.write(raw_data[: max(0, self._room - start)])

    def file_complete(self, file_size: int) -> "UploadedFile[bytes]":
        return SimpleUploadedFile(self.file_name or "", self._content.getvalue(), self.content_type or "")


def _headers(request: HttpRequest) -> dict[str, Any]:
    # Media types are case-insensitive, but not to Django's parser.
    _, semicolon, parameters = request.META["CONTENT_TYPE"].partition(";")
    return {"CONTENT_TYPE": MULTIPART + semicolon + parameters, "CONTENT_LENGTH": request.META["CONTENT_LENGTH"]}


def _not_a_form() -> ValidationFailed:
    return ValidationFailed(["body"], hint="The body is not a complete form (multipart/form-data).")
