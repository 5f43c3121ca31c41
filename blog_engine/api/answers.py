"""What an operation answers, as HTTP (service.md section 1)."""

from django.http import HttpResponse

from blog_engine.access.refusing import JSON, never_stored
from blog_engine.outputs.base import Output


def answer(output: Output | None, *, status: int) -> HttpResponse:
    """The answer of an operation; 204 without a body when it has nothing to say."""
    if output is None:
        response = HttpResponse(status=204)
        del response.headers["Content-Type"]
    else:
        response = HttpResponse(output.model_dump_json().encode(), status=status, content_type=JSON)
    return never_stored(response)
