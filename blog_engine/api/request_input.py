"""What a client sent, before anyone looks at its shape (records.md 1.4)."""

from collections.abc import Sequence

from django.http import HttpRequest

from blog_engine.http.bodies import LARGEST_BODY, json_object, read_json_body


class _SentTwice:
    """The value of a name that comes twice: no field accepts it, so it is refused by its name."""


def read_input(request: HttpRequest, *, or_else: str = "") -> dict[str, object]:
    """The query parameters merged with the fields of the JSON body, which win.

    Brackets in a query key mean nothing (decisions.md 9.18). Raises ``LengthRequired``, ``PayloadTooLarge``,
    ``UnsupportedMediaType`` for a body that is not called JSON, and what ``json_object`` raises. ``or_else`` tells
    such a client what the address takes besides JSON.
    """
    return query_of(request) | json_object(read_json_body(request, limit=LARGEST_BODY, or_else=or_else))


def query_of(request: HttpRequest) -> dict[str, object]:
    """The query parameters."""
    return {key: only(values) for key, values in request.GET.lists()}


def only(values: Sequence[object]) -> object:
    """The one value of a name, or what no field accepts when there are several."""
    return values[0] if len(values) == 1 else _SentTwice()
