"""What a client sent, before anyone looks at its shape (records.md 1.4)."""

from django.http import HttpRequest

from blog_engine.access.body import json_object, read_body
from blog_engine.errors import UnsupportedMediaType

LARGEST_BODY = 3 * 1024 * 1024


class _SentTwice:
    """The value of a query key that comes twice: no field accepts it, so it is refused by its name."""


def read_input(request: HttpRequest) -> dict[str, object]:
    """The query parameters merged with the fields of the JSON body, which win.

    Brackets in a query key mean nothing (decisions.md 9.18). Raises ``LengthRequired``, ``PayloadTooLarge``,
    ``UnsupportedMediaType`` for a body that is not called JSON, and what ``json_object`` raises.
    """
    query = {key: values[0] if len(values) == 1 else _SentTwice() for key, values in request.GET.lists()}
    return query | json_object(_read_json_body(request))


def _read_json_body(request: HttpRequest) -> bytes:
    body = read_body(
        request,
        content_length=request.META.get("CONTENT_LENGTH"),
        transfer_encoding=request.headers.get("Transfer-Encoding"),
        limit=LARGEST_BODY,
    )
    if body and request.content_type != "application/json":
        raise UnsupportedMediaType
    return body
