"""Origin and body of a request, with size, encoding and strict JSON."""

import json
import re
from collections.abc import Sequence
from math import isfinite
from typing import NoReturn

from django.http import HttpRequest

from blog_engine.conf import get_settings
from blog_engine.errors import LengthRequired, PayloadTooLarge, UnknownField, UnsupportedMediaType, ValidationFailed

MAX_NESTING = 64
MAX_KEYS = 1000
"""Keys of one object. Each unknown key costs a look-up and a line of the refusal."""
MAX_JSON_BYTES = 3 * 1024 * 1024
"""Bytes of JSON without images."""
UPLOAD_MARGIN = 1024 * 1024
"""Bytes of a body beside the image that it holds."""
_JSON_TYPES = {"PATCH": ("application/json", "application/merge-patch+json")}
_MAX_INTEGER_DIGITS = 20
# A string matches as a whole, even an unclosed one, so that brackets inside it do not count and no text makes the scan
# start over.
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_BETWEEN_QUOTES = re.compile(rb'[^"]*+')
_SURROGATE = re.compile("[\ud800-\udfff]")


def origin_of(request: HttpRequest) -> str:
    """Return the origin of absolute URLs: ``public_base_url`` or the request's.

    It has no trailing slash. Raises Django's ``DisallowedHost`` for a forged ``Host`` without ``public_base_url``.
    """
    return get_settings().public_base_url or f"{request.scheme}://{request.get_host()}"


def read_json_body(request: HttpRequest, *, limit: int, hint: str = "") -> bytes:
    """Return a JSON body of at most ``limit`` bytes, empty if there is none.

    Raises ``UnsupportedMediaType``, with ``hint``, for another content type, and what ``body_length`` and
    ``read_exactly`` raise.
    """
    refuse_encoding(request)
    is_sent = request.headers.get("Transfer-Encoding") or request.META.get("CONTENT_LENGTH") not in {None, "", "0"}
    # Checked first, since a host's middleware may already have consumed a form.
    if is_sent and request.content_type not in _JSON_TYPES.get(str(request.method), ("application/json",)):
        raise UnsupportedMediaType(hint=hint)
    return read_exactly(request, body_length(request, limit=limit))


def refuse_encoding(request: HttpRequest) -> None:
    """Raise ``UnsupportedMediaType`` for a compressed body (RFC 9110, 8.4)."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType(hint="Send the body without Content-Encoding.")


def read_exactly(request: HttpRequest, length: int) -> bytes:
    """Return so many bytes of a body; raises ``ValidationFailed`` (``body``) when it ends early."""
    parts: list[bytes] = []
    while length and (part := request.read(length)):
        parts.append(part)
        length -= len(part)
    if length:
        raise _invalid("The body is shorter than its Content-Length.")
    return b"".join(parts)


def body_length(request: HttpRequest, *, limit: int, instead: str = "Send a large image as a url.") -> int:
    """Return the number of bytes of the body, before anything of it is read.

    ``limit`` is in bytes, and ``instead`` is what the refusal of a larger body advises. A request without
    ``Content-Length`` and ``Transfer-Encoding`` has no body. Raises ``LengthRequired`` for one with
    ``Transfer-Encoding`` only, ``PayloadTooLarge``, and ``ValidationFailed`` (``body``) for a malformed length.
    """
    content_length = request.META.get("CONTENT_LENGTH")
    if not content_length:
        if request.headers.get("Transfer-Encoding"):
            raise LengthRequired
        return 0
    if not re.fullmatch("[0-9]+", content_length):
        raise _invalid("Content-Length is not a number.")
    digits = content_length.lstrip("0") or "0"
    if len(digits) > len(str(limit)) or int(digits) > limit:
        raise PayloadTooLarge(hint=f"At most {limit} bytes are allowed. {instead}")
    return int(digits)


def json_object(raw: bytes) -> dict[str, object]:
    """Return the fields of a JSON body; an empty body has none.

    Raises ``ValidationFailed`` (``body``) for what ``read_json`` refuses and for a text, number, boolean or null, and
    ``UnknownField`` (``body``) for a list (``api.input.strict-json``).
    """
    value = read_json(raw) if raw else {}
    if isinstance(value, list):
        raise UnknownField(["body"], hint="The body must be a JSON object, not a list.")
    if not isinstance(value, dict):
        raise _invalid("The body must be a JSON object.")
    return value


def read_json(raw: bytes) -> object:
    """Return the value of a JSON text in UTF-8.

    Raises ``ValidationFailed`` (``body``) for other encodings, a byte order mark, malformed JSON, a key that occurs
    twice or contains a lone surrogate, more than 1,000 keys in one object, a number that is infinite, not a number or
    does not fit in 64 bits, and more than 64 levels of nesting.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _invalid("The body is not UTF-8.") from None
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
        raise _invalid(f"The body is not JSON: line {error.lineno}, column {error.colno}.") from None


def _refuse_deep_nesting(text: str) -> None:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        character = text[match.start()]
        if character in "[{":
            depth += 1
            if depth > MAX_NESTING:
                raise _invalid(f"The body nests more than {MAX_NESTING} levels deep.")
        elif character != '"':
            depth -= 1


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    if len(pairs) > MAX_KEYS:
        raise _invalid(f"An object has more than {MAX_KEYS} keys.")
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise _invalid("An object has the same key twice.")
        if _SURROGATE.search(key):
            raise _invalid("A key contains a lone surrogate.")
        result[key] = value
    return result


def _integer(digits: str) -> int:
    # The length is checked first, since conversion takes quadratic time.
    value = int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else None
    if value is None or not -(2**63) <= value < 2**63:
        raise _invalid("A number does not fit in 64 bits.")
    return value


def _number(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise _invalid("A number is too large.")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise _invalid(f"{name} is not JSON.")


def _invalid(hint: str) -> ValidationFailed:
    return ValidationFailed(["body"], hint=hint)


def max_upload_bytes() -> int:
    """Return the maximum bytes of a body with an image, in Base64 or as a file."""
    return 2 * get_settings().max_image_bytes + UPLOAD_MARGIN


def refuse_bulk(raw: bytes) -> None:
    """Raise ``PayloadTooLarge`` for too much JSON beside its longest text.

    The longest text may be an image of megabytes. As many bytes of other texts are more than the API accepts, and as
    many bytes of small values would take minutes of computing.
    """
    # Each value but the first follows one of these marks, and each text is in quotes. Base64 has none of the marks.
    if sum(raw.count(mark) for mark in (b",", b"[", b"{", b'"')) > MAX_JSON_BYTES:
        raise PayloadTooLarge(hint="The body has too many values.")
    if len(raw) > MAX_JSON_BYTES and len(raw) - _longest_text(raw) > MAX_JSON_BYTES:
        raise PayloadTooLarge(hint=f"At most {MAX_JSON_BYTES} bytes are allowed besides an image in Base64.")


def _longest_text(raw: bytes) -> int:
    return max(found.end() - found.start() for found in _BETWEEN_QUOTES.finditer(raw))
