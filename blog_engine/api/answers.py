"""What an operation answers, as HTTP (service.md section 1)."""

from django.http import HttpResponse

from blog_engine.access.responses import JSON, never_stored
from blog_engine.outputs.base import Output

PLAIN_TEXT = "text/plain; charset=utf-8"


def answer(output: Output | None, *, status: int) -> HttpResponse:
    """The answer of an operation; 204 without a body when it has nothing to say."""
    if output is None:
        response = HttpResponse(status=204)
        del response.headers["Content-Type"]
    else:
        response = HttpResponse(output.model_dump_json().encode(), status=status, content_type=JSON)
    return never_stored(response)


def text_answer(text: str) -> HttpResponse:
    """The answer of an operation as plain text."""
    return never_stored(HttpResponse(text.encode(), content_type=PLAIN_TEXT))
