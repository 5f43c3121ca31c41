"""Responses to refusals and faults, and the ``Call`` of a request."""

from collections.abc import Mapping
from datetime import datetime

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from blog_engine.access.authenticate import challenge
from blog_engine.actor import Actor, Call
from blog_engine.content.text import compact_json
from blog_engine.errors import InternalError, MethodNotAllowed, Refusal, Unauthenticated
from blog_engine.http.faults import logged_refusal_of, report_bug
from blog_engine.http.requests import origin_of

JSON = "application/json"


def refuse(refusal: Refusal, *, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return the error envelope with the headers of its status and ``headers``."""
    body = compact_json(refusal.envelope()).encode()
    response = HttpResponse(body, status=refusal.status, content_type=JSON, headers=dict(headers or {}))
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    if isinstance(refusal, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(refusal.allowed)
    return never_stored(response)


def refuse_fault(fault: Exception, request: HttpRequest) -> HttpResponse:
    """Return the response to an exception; called while it is being handled.

    A 401 has a ``WWW-Authenticate`` challenge. A bug is logged, and the response does not describe it. A forged
    ``Host`` is raised again for Django's own 400.
    """
    refusal = logged_refusal_of(fault)
    if refusal is None:
        if isinstance(fault, DisallowedHost):
            raise fault
        response = refuse(InternalError())
        report_bug(fault, request, response=response)
        return response
    is_unknown = isinstance(refusal, Unauthenticated)
    return refuse(refusal, headers={"WWW-Authenticate": challenge(request)} if is_unknown else {})


def never_stored(response: HttpResponse) -> HttpResponse:
    """Mark the response so that no cache keeps it, and return it."""
    response.headers["Cache-Control"] = "no-store"
    return response


def call_for(request: HttpRequest, *, actor: Actor, now: datetime) -> Call:
    """Return what operations know of a request.

    Raises Django's ``DisallowedHost`` for a forged ``Host`` if there is no ``public_base_url``.
    """
    return Call(actor=actor, now=now, base_url=origin_of(request))
