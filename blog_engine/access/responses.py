"""Refusals and faults as HTTP responses, and the call that a request makes."""

from collections.abc import Mapping
from datetime import datetime

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from blog_engine.access.authenticate import challenge
from blog_engine.actor import Actor, Call
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.errors import InternalError, MethodNotAllowed, Refusal, Unauthenticated
from blog_engine.http.faults import answer_to_fault, report_bug

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


def call_for(request: HttpRequest, *, actor: Actor, now: datetime) -> Call:
    """What the operations know of a request.

    Raises Django's ``DisallowedHost`` when the addresses in the answer would be made of a forged ``Host``.
    """
    return Call(actor=actor, now=now, base_url=base_url(request))


def base_url(request: HttpRequest) -> str:
    """The origin of absolute addresses: ``public_base_url``, else the request's own scheme and host."""
    return get_settings().public_base_url or f"{request.scheme}://{request.get_host()}"
