"""Responses to refusals and faults, and what keeps the rules and caches of the host away from views."""

import logging
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent
from django.core.signals import got_request_exception
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.log import log_response
from django.views.decorators.csrf import csrf_exempt

from blog_engine.content.text import compact_json
from blog_engine.errors import (
    Busy,
    InternalError,
    MethodNotAllowed,
    PayloadTooLarge,
    Refusal,
    Unauthenticated,
    ValidationFailed,
)
from blog_engine.queries.database import refusal_of_database

logger = logging.getLogger("blog_engine")

# What Django raises while the engine or an authenticate hook reads a request.
_READ_FAULTS: Mapping[type[Exception], Refusal] = {
    RequestDataTooBig: PayloadTooLarge(),
    TooManyFieldsSent: ValidationFailed(hint="The URL has too many query parameters."),
    UnreadablePostError: ValidationFailed(["body"], hint="The body could not be read."),
}


def refusal_of(fault: Exception) -> Refusal | None:
    """Return the refusal to answer an exception with, or ``None`` for a bug.

    That is a refusal itself, the refusal of a request that cannot be read, or ``Busy`` or ``Unavailable`` for a
    temporary fault of the database. Faults of the cache are not handled here, since ``rate_limit`` raises
    ``Unavailable`` itself. A forged ``Host`` header gets Django's own 400.
    """
    read_fault = next((refusal for kind, refusal in _READ_FAULTS.items() if isinstance(fault, kind)), None)
    return read_fault or refusal_of_database(fault)


def logged_refusal_of(fault: Exception) -> Refusal | None:
    """Return ``refusal_of(fault)``, and log it if the installation is at fault."""
    refusal = refusal_of(fault)
    if refusal is not None and refusal is not fault and refusal.is_our_own_fault:
        # Where it was locked says nothing: any write waits as long.
        why, of_fault = str(fault).partition("\n")[0], None if isinstance(refusal, Busy) else fault
        logger.error("A request could not be answered: the database is %s (%s).", refusal.code, why, exc_info=of_fault)
    return refusal


def report_bug(fault: Exception, request: HttpRequest | None = None, *, response: HttpResponse | None = None) -> None:
    """Log a bug with its traceback and send ``got_request_exception``, as Django does.

    Call it while the exception is being handled, since receivers of the signal ask for it. ``response`` is the response
    with status 500, if there is one, which Django then does not log again. Without a request the bug is only logged.
    """
    if request is None:
        logger.error("A tool failed.", exc_info=fault)
        return
    got_request_exception.send(sender=None, request=request)
    answered = response or HttpResponse(status=500)
    log_response("Internal Server Error: %s", request.path, request=request, response=answered, exception=fault)


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


def refuse_fault(fault: Exception, request: HttpRequest, *, metadata_url: str | None = None) -> HttpResponse:
    """Return the response to an exception; called while it is being handled.

    A 401 has a ``WWW-Authenticate`` challenge, which names ``metadata_url``. A bug is logged, and the response does not
    describe it. A forged ``Host`` is raised again for Django's own 400.
    """
    refusal = logged_refusal_of(fault)
    if refusal is None:
        if isinstance(fault, DisallowedHost):
            raise fault
        response = refuse(InternalError())
        report_bug(fault, request, response=response)
        return response
    if not isinstance(refusal, Unauthenticated):
        return refuse(refusal)
    return refuse(refusal, headers={"WWW-Authenticate": challenge(request, metadata_url=metadata_url)})


def challenge(request: HttpRequest, *, metadata_url: str | None = None) -> str:
    """Return the value of ``WWW-Authenticate`` for a 401 (RFC 6750, section 3, and RFC 9728, section 5.1)."""
    sent_a_token = request.headers.get("Authorization", "").lower().startswith("bearer ")
    error = ', error="invalid_token"' if sent_a_token else ""
    metadata = f', resource_metadata="{metadata_url}"' if metadata_url else ""
    return f'Bearer realm="blog_engine"{error}{metadata}'


def never_stored(response: HttpResponse) -> HttpResponse:
    """Mark the response so that no cache keeps it, and return it."""
    response.headers["Cache-Control"] = "no-store"
    return response


def keep_out_of_page_caches(request: HttpRequest) -> None:
    """Keep the response to this request out of ``UpdateCacheMiddleware``.

    The middleware of Django 5.2 does not respect ``no-store``.
    """
    request._cache_update_cache = False  # type: ignore[attr-defined]  # Django's own flag, without a public name


def exempt_from_host_rules(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Exempt a view from CSRF checks, login requirement, page cache and transactions."""

    @wraps(view)
    def uncached(request: HttpRequest, **captured: str) -> HttpResponse:
        keep_out_of_page_caches(request)
        return view(request, **captured)

    exempt: Callable[..., HttpResponse] = csrf_exempt(login_not_required(without_transaction(uncached)))
    return exempt


def without_transaction(view: Any) -> Any:
    """Exempt a view from ``ATOMIC_REQUESTS``, for every database."""
    for alias in connections:
        view = transaction.non_atomic_requests(using=alias)(view)
    return view
