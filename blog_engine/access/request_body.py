"""The body of a request: which kinds are read, and how much of them (decisions.md 3.11)."""

import re

from django.http import HttpRequest

from blog_engine.access.body import read_body
from blog_engine.conf import get_settings
from blog_engine.errors import PayloadTooLarge, UnsupportedMediaType

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
