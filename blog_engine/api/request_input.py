"""What a client sent, before anyone looks at its shape (records.md 1.4)."""

from collections.abc import Sequence

from django.http import HttpRequest

from blog_engine.access.body import json_object, read_body
from blog_engine.errors import UnsupportedMediaType

LARGEST_BODY = 3 * 1024 * 1024


class _SentTwice:
    """The value of a name that comes twice: no field accepts it, so it is refused by its name."""


def read_input(request: HttpRequest, *, or_else: str = "") -> dict[str, object]:
    """The query parameters merged with the fields of the JSON body, which win.

    Brackets in a query key mean nothing (decisions.md 9.18). Raises ``LengthRequired``, ``PayloadTooLarge``,
    ``UnsupportedMediaType`` for a body that is not called JSON, and what ``json_object`` raises. ``or_else`` tells
    such a client what the address takes besides JSON.
    """
    return query_of(request) | json_object(_read_json_body(request, or_else=or_else))


def query_of(request: HttpRequest) -> dict[str, object]:
    """The query parameters."""
    return {key: only(values) for key, values in request.GET.lists()}


def only(values: Sequence[object]) -> object:
    """The one value of a name, or what no field accepts when there are several."""
    return values[0] if len(values) == 1 else _SentTwice()


def refuse_encoding(request: HttpRequest) -> None:
    """Raise ``UnsupportedMediaType`` for a compressed body (RFC 9110, 8.4): nobody here would unpack it."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType(hint="Send it without Content-Encoding.")


def _read_json_body(request: HttpRequest, *, or_else: str) -> bytes:
    refuse_encoding(request)
    length, encoding = request.META.get("CONTENT_LENGTH"), request.headers.get("Transfer-Encoding")
    # Asked first: of a form nothing may be left to read, since a host's middleware has looked into it.
    if request.content_type != "application/json" and (encoding or length not in {None, "", "0"}):
        raise UnsupportedMediaType(hint=or_else)
    return read_body(request, content_length=length, transfer_encoding=encoding, limit=LARGEST_BODY)
