"""A refusal as an HTTP answer: the error envelope, never stored by caches (service.md section 1, records.md 1.1)."""

from collections.abc import Mapping

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from blog_engine.access.authenticate import challenge
from blog_engine.access.faults import answer_to_fault, report_bug
from blog_engine.content.compact_json import compact_json
from blog_engine.errors import InternalError, MethodNotAllowed, Refusal, Unauthenticated

JSON = "application/json"


def refuse(refusal: Refusal, *, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """The error envelope with the headers that its status calls for; ``headers`` are further ones."""
    body = compact_json(refusal.envelope()).encode()
    response = HttpResponse(body, status=refusal.status, content_type=JSON, headers=dict(headers or {}))
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    if isinstance(refusal, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(refusal.allowed)
    return never_stored(response)


def refuse_fault(fault: Exception, request: HttpRequest) -> HttpResponse:
    """Return the answer to a request that an exception ended; called while the exception is handled.

    An unknown caller is told how to name itself. A bug is logged, and its answer says nothing about it. A forged
    ``Host`` is raised again, for Django's own 400.
    """
    refusal = answer_to_fault(fault)
    if refusal is None:
        if isinstance(fault, DisallowedHost):
            raise fault
        response = refuse(InternalError())
        report_bug(fault, request, response=response)
        return response
    is_unknown = isinstance(refusal, Unauthenticated)
    return refuse(refusal, headers={"WWW-Authenticate": challenge(request)} if is_unknown else {})


def never_stored(response: HttpResponse) -> HttpResponse:
    """The answer, marked so that no cache keeps it."""
    response.headers["Cache-Control"] = "no-store"
    return response
