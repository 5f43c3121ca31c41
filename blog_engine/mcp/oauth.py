"""OAuth discovery: which authorization server issues tokens for the agent endpoint (RFC 9728)."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from blog_engine.actor import Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.errors import NotFound
from blog_engine.http.requests import origin_of
from blog_engine.http.responses import JSON, exempt_from_host_rules, never_stored, refuse

_METHODS = ["GET", "HEAD"]


def metadata_url(request: HttpRequest) -> str | None:
    """Return the URL of the metadata of the agent endpoint, or ``None`` when the host names no server.

    It is below the mount, where the engine can serve it; RFC 9728, section 5.1, lets the challenge name any URL.
    """
    return f"{_urls(request).mcp_url()}/oauth-protected-resource" if _is_offered() else None


@exempt_from_host_rules
def protected_resource(request: HttpRequest, **captured: str) -> HttpResponse:
    """Return the metadata of the agent endpoint as a protected resource (RFC 9728, section 3.2).

    ``captured`` is what the URL pattern has already checked.
    """
    if not _is_offered():
        return refuse(NotFound())
    if request.method not in _METHODS:
        return never_stored(HttpResponseNotAllowed(_METHODS))
    settings = get_settings()
    document = {
        "resource": _urls(request).mcp_url(),
        "authorization_servers": list(settings.oauth_authorization_server or ()),
        "scopes_supported": [scope.value for scope in Scope],
        "bearer_methods_supported": ["header"],
        "resource_name": settings.site_name,
    }
    return never_stored(HttpResponse(compact_json(document).encode(), content_type=JSON))


def _is_offered() -> bool:
    """Return whether tokens of an authorization server can be accepted: only a host's hook does that."""
    settings = get_settings()
    return bool(settings.oauth_authorization_server) and settings.authenticate is not None and settings.mcp.enabled


def _urls(request: HttpRequest) -> BlogURLs:
    return BlogURLs.on(origin_of(request))
