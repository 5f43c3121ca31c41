"""Responses to refusals and faults, and what keeps the host's caches, rules and transactions away from views."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import DisallowedHost
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from blog_engine.content.text import compact_json
from blog_engine.errors import InternalError, MethodNotAllowed, Refusal, Unauthenticated
from blog_engine.http.faults import logged_refusal_of, report_bug

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
