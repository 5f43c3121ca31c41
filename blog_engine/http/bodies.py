"""Reading request bodies: size, encoding and strict JSON."""

import json
import re
from collections.abc import Sequence
from math import isfinite
from typing import NoReturn, Protocol

from django.http import HttpRequest

from blog_engine.conf import get_settings
from blog_engine.errors import LengthRequired, PayloadTooLarge, UnknownField, UnsupportedMediaType, ValidationFailed

DEEPEST_NESTING = 64
_LONGEST_INTEGER = 20
_MOST_KEYS = 1000
"""Far more than any input has: each unknown one is looked up and named in the refusal."""

# A string is swallowed whole, also an unclosed one, so that the brackets inside it do not count
# and no text makes the scan start over.
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Stream(Protocol):
    """What is read from: a WSGI input, a request, a file."""

    def read(self, size: int, /) -> bytes: ...


def read_body(stream: Stream, *, content_length: str | None, transfer_encoding: str | None, limit: int) -> bytes:
    """The whole body, as long as the request says.

    The headers and the limit are those of ``body_length``, which refuses before anything is read. Raises
    ``ValidationFailed`` (``body``) for a body that ends early.
    """
    length = body_length(content_length=content_length, transfer_encoding=transfer_encoding, limit=limit)
    parts: list[bytes] = []
    while length and (part := stream.read(length)):
        parts.append(part)
        length -= len(part)
    if length:
        raise _refused("The body is shorter than its Content-Length.")
    return b"".join(parts)


def body_length(*, content_length: str | None, transfer_encoding: str | None, limit: int) -> int:
    """How many bytes the body has.

    ``content_length`` and ``transfer_encoding`` are the headers as they came, ``limit`` is in bytes. A
    request with neither header has no body. Raises ``LengthRequired`` when only the second one is
    there, ``PayloadTooLarge``, and ``ValidationFailed`` (``body``) for a length that is no number.
    """
    if not content_length:
        if transfer_encoding:
            raise LengthRequired
        return 0
    if not re.fullmatch("[0-9]+", content_length):
        raise _refused("Content-Length is not a number.")
    digits = content_length.lstrip("0") or "0"
    if len(digits) > len(str(limit)) or int(digits) > limit:
        raise PayloadTooLarge(hint=f"It may have {limit} bytes; let a large image be fetched from its url.")
    return int(digits)


def json_object(raw: bytes) -> dict[str, object]:
    """The fields of a body; an empty body has none.

    Raises ``ValidationFailed`` (``body``) for what ``read_json`` refuses and for a text, number, boolean
    or null, ``UnknownField`` (``body``) for a list, which counts as one unknown field (decisions.md 8.7).
    """
    value = read_json(raw) if raw else {}
    if isinstance(value, list):
        raise UnknownField(["body"], hint="The body must be a JSON object, not a list.")
    if not isinstance(value, dict):
        raise _refused("The body must be a JSON object.")
    return value


def read_json(raw: bytes) -> object:
    """The value of a JSON text in UTF-8.

    Raises ``ValidationFailed`` (``body``) for other encodings, a byte order mark, faulty JSON, keys that
    come twice, hold a lone surrogate or are more than 1,000 in one object, numbers that are infinite, not a number or
    beyond 64 bits, and nesting over 64 levels.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _refused("The body is not UTF-8.") from None
    _refuse_deep_nesting(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise _refused(f"The body is not JSON: line {error.lineno}, column {error.colno}.") from None


def _refuse_deep_nesting(text: str) -> None:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        character = text[match.start()]
        if character in "[{":
            depth += 1
            if depth > DEEPEST_NESTING:
                raise _refused(f"The body nests more than {DEEPEST_NESTING} levels deep.")
        elif character != '"':
            depth -= 1


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    if len(pairs) > _MOST_KEYS:
        raise _refused(f"An object has more than {_MOST_KEYS} keys.")
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise _refused("A key comes twice in one object.")
        if _SURROGATE.search(key):
            raise _refused("A key holds a lone surrogate.")
        result[key] = value
    return result


def _integer(digits: str) -> int:
    # Counted first: converting takes time that grows with the square of the length.
    value = int(digits) if len(digits) <= _LONGEST_INTEGER else None
    if value is None or not -(2**63) <= value < 2**63:
        raise _refused("A number is beyond 64 bits.")
    return value


def _number(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise _refused("A number is too large.")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise _refused(f"{name} is not JSON.")


def _refused(hint: str) -> ValidationFailed:
    return ValidationFailed(["body"], hint=hint)


LARGEST_BODY = 3 * 1024 * 1024
"""Bytes of JSON without images (decisions.md 3.11)."""


_BESIDE_AN_IMAGE = 1024 * 1024
_BETWEEN_QUOTES = re.compile(rb'[^"]*+')


def largest_upload() -> int:
    """The bytes of a body that may hold an image, whichever way it travels (decisions.md 9)."""
    return 2 * get_settings().max_image_bytes + _BESIDE_AN_IMAGE


def read_json_body(request: HttpRequest, *, limit: int, or_else: str = "") -> bytes:
    """A body that is called JSON, of at most ``limit`` bytes; a request without body gives none.

    Raises ``UnsupportedMediaType`` for any other kind, and what ``read_body`` raises. ``or_else`` tells such a client
    what the address takes besides JSON.
    """
    refuse_encoding(request)
    length, encoding = request.META.get("CONTENT_LENGTH"), request.headers.get("Transfer-Encoding")
    # Asked first: of a form nothing may be left to read, since a host's middleware has looked into it.
    if request.content_type != "application/json" and (encoding or length not in {None, "", "0"}):
        raise UnsupportedMediaType(hint=or_else)
    return read_body(request, content_length=length, transfer_encoding=encoding, limit=limit)


def refuse_encoding(request: HttpRequest) -> None:
    """Raise ``UnsupportedMediaType`` for a compressed body (RFC 9110, 8.4): nobody here would unpack it."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType(hint="Send it without Content-Encoding.")


def refuse_bulk(raw: bytes) -> None:
    """Raise ``PayloadTooLarge`` for JSON that is larger than ``LARGEST_BODY`` without its longest text.

    An image takes megabytes as one text. As many bytes of other texts are more than the API takes, and as many of small
    values would take minutes of computing.
    """
    # Each value but the first comes after one of these, each text between two quotes; no Base64 text has them.
    if sum(raw.count(mark) for mark in (b",", b"[", b"{", b'"')) > LARGEST_BODY:
        raise PayloadTooLarge(hint="It has too many values.")
    if len(raw) > LARGEST_BODY and len(raw) - _longest_text(raw) > LARGEST_BODY:
        raise PayloadTooLarge(hint=f"Without an image in Base64 it may have {LARGEST_BODY} bytes.")


def _longest_text(raw: bytes) -> int:
    return max(found.end() - found.start() for found in _BETWEEN_QUOTES.finditer(raw))
