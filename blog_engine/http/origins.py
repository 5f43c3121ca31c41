"""The origins of web pages that call the API and the agent endpoint: the site's own, and those that the host allows."""

import re
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from blog_engine.blog_urls import origin_parts
from blog_engine.conf import get_settings
from blog_engine.errors import ScopeRequired
from blog_engine.http.responses import keep_out_of_page_caches, never_stored

REPLAYED: Final = "Idempotent-Replayed"
"""The header of an answer that was given before (api.idempotency)."""
_ORIGIN: Final = re.compile(r"https?://[^/?#@\\\s]+", re.IGNORECASE)
_SENT: Final = (
    *("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key"),
    *("Mcp-Method", "Mcp-Name", "MCP-Protocol-Version", "Mcp-Session-Id", "Last-Event-ID"),
)
_READ: Final = (
    *("ETag", "Retry-After", "WWW-Authenticate", REPLAYED, "RateLimit-Limit", "RateLimit-Remaining"),
    *("RateLimit-Reset", "MCP-Protocol-Version", "Mcp-Session-Id"),
)
_MAX_AGE: Final = 7200
"""Seconds; no browser keeps the answer to a preflight much longer."""

View = Callable[..., HttpResponse]


def shared_with_origins(view: View) -> View:
    """Return a view that pages of ``api_allowed_origins`` can call in a browser (api.origins).

    A preflight is answered instead of the 405 that the view has for ``OPTIONS``, whose ``Allow`` names the methods. No
    answer allows credentials, which are the cookies of the site.
    """

    @wraps(view)
    def shared(request: HttpRequest, *args: Any, **captured: Any) -> HttpResponse:
        response = view(request, *args, **captured)
        # The settings may be what is at fault.
        if response.status_code == 500 or not get_settings().api_allowed_origins:
            return response
        origin = request.headers.get("Origin", "")
        is_allowed = _is_among(origin, get_settings().api_allowed_origins)
        if is_allowed and response.status_code == 405 and _is_preflight(request):
            keep_out_of_page_caches(request)
            response = _preflight_response(response.headers["Allow"])
        patch_vary_headers(response, ["Origin"])
        if is_allowed:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Expose-Headers"] = ", ".join(_READ)
        return response

    return shared


def _is_preflight(request: HttpRequest) -> bool:
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def _preflight_response(methods: str) -> HttpResponse:
    allowed = {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": ", ".join(_SENT),
        "Access-Control-Max-Age": str(_MAX_AGE),
    }
    response = HttpResponse(status=204, headers=allowed)
    del response.headers["Content-Type"]
    return never_stored(response)


def _is_among(origin: str, allowed: Collection[str]) -> bool:
    if not _ORIGIN.fullmatch(origin):
        return False
    try:
        return origin_parts(origin) in {origin_parts(one) for one in allowed}
    except ValueError:
        return False


def refuse_other_origins(request: HttpRequest, *, allowed: Collection[str] = ()) -> None:
    """Raise ``ScopeRequired`` (``origin``) for a request from a page of another site.

    A request without ``Origin`` passes. Otherwise scheme, host and port must be those of the request, of
    ``public_base_url`` or of an ``allowed`` origin. Raises Django's ``DisallowedHost`` for a host outside
    ``ALLOWED_HOSTS``.
    """
    sent = request.headers.get("Origin")
    if sent is None:
        return
    own = [f"{request.scheme}://{request.get_host()}", get_settings().public_base_url, *allowed]
    if _origin_parts(sent) not in [_origin_parts(origin) for origin in own if origin]:
        raise ScopeRequired(["origin"], hint="Origin names another site, whose pages must not call this URL.")


def _origin_parts(origin: str) -> tuple[str, str | None, int | None]:
    """Return scheme, host and port. Raises ``ScopeRequired`` for other values."""
    if not _ORIGIN.fullmatch(origin):
        raise ScopeRequired(["origin"], hint="Origin must be that of a web page (http or https).")
    try:
        return origin_parts(origin)
    except ValueError as fault:
        raise ScopeRequired(["origin"], hint="Origin is not a valid web origin.") from fault
