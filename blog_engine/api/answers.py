"""What leaves the API: JSON, never stored by caches (service.md section 1, records.md 1.1)."""

import json
from collections.abc import Mapping

from django.http import HttpResponse

from blog_engine.errors import MethodNotAllowed, Refusal
from blog_engine.outputs.base import Output

_JSON = "application/json"


def answer(output: Output | None, *, status: int) -> HttpResponse:
    """The answer of an operation; 204 without a body when it has nothing to say."""
    if output is None:
        response = HttpResponse(status=204)
        del response.headers["Content-Type"]
    else:
        response = HttpResponse(output.model_dump_json().encode(), status=status, content_type=_JSON)
    return _never_stored(response)


def refuse(refusal: Refusal, *, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """The error envelope with the headers that its status calls for; ``headers`` are further ones."""
    body = json.dumps(refusal.envelope(), ensure_ascii=False, separators=(",", ":")).encode()
    response = HttpResponse(body, status=refusal.status, content_type=_JSON, headers=dict(headers or {}))
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    if isinstance(refusal, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(refusal.allowed)
    return _never_stored(response)


def _never_stored(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
