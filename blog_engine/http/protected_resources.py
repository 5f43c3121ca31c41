"""The agent endpoint and the API as protected resources of OAuth, and the issuers of tokens for them (RFC 9728)."""

from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from django.http import HttpRequest

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings, issues_tokens
from blog_engine.http.requests import origin_of

METADATA: Final = "oauth-protected-resource"
"""The last segment of the URL of the metadata of a resource."""
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class ProtectedResource(StrEnum):
    """A resource that tokens are bound to."""

    AGENTS = "agents"
    API = "api"


def resource_url(request: HttpRequest, resource: ProtectedResource) -> str:
    """Return the identifier of a resource, which is its URL without a trailing slash."""
    urls = BlogURLs.on(origin_of(request))
    return urls.mcp_url() if resource is ProtectedResource.AGENTS else urls.api_url()


def called_resource(request: HttpRequest) -> str:
    """Return the identifier of the resource that a request calls."""
    match = request.resolver_match
    is_agents = match is not None and match.url_name == "mcp" and "blog_engine" in match.app_names
    return resource_url(request, ProtectedResource.AGENTS if is_agents else ProtectedResource.API)


def known_resource(request: HttpRequest, sent: str) -> str | None:
    """Return the identifier of the resource that a client means, or ``None`` for another one.

    Case of scheme and host, a default port and a trailing slash make no difference; everything else does.
    """
    meant = _comparable(sent)
    known = (resource_url(request, resource) for resource in ProtectedResource)
    return next((url for url in known if meant is not None and _comparable(url) == meant), None)


def _comparable(url: str) -> tuple[str, str, int | None, str] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if "#" in url or "?" in url or "@" in parts.netloc or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port, parts.path.removesuffix("/")


def issuers(request: HttpRequest, resource: ProtectedResource) -> list[str]:
    """Return the issuers of the tokens that a resource accepts; default: none."""
    settings = get_settings()
    if resource is ProtectedResource.AGENTS and not settings.mcp.enabled:
        return []
    if issues_tokens():
        return [issuer(request)]
    # Only a hook of the host accepts the tokens of another server, for which the host names it.
    if resource is ProtectedResource.API or settings.authenticate is None:
        return []
    return list(settings.oauth_authorization_server or ())


def issuer(request: HttpRequest) -> str:
    """Return the identifier of the blog as an authorization server: the URL of its mount."""
    urls = BlogURLs.on(origin_of(request))
    return urls.origin + urls.prefix


def metadata_url(request: HttpRequest, resource: ProtectedResource) -> str | None:
    """Return the URL of the metadata of a resource, or ``None`` when no one issues tokens for it.

    It is below the mount, where the engine can serve it; RFC 9728, section 5.1, lets the challenge name any URL.
    """
    return f"{resource_url(request, resource)}/{METADATA}" if issuers(request, resource) else None
