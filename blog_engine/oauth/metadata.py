"""Discovery: the metadata of the protected resources (RFC 9728) and of the authorization server (RFC 8414)."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from blog_engine.actor import Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings, issues_tokens
from blog_engine.content.text import compact_json
from blog_engine.errors import NotFound
from blog_engine.http.origins import shared_with_origins
from blog_engine.http.protected_resources import ProtectedResource, issuer, issuers, resource_url
from blog_engine.http.requests import origin_of
from blog_engine.http.responses import JSON, exempt_from_host_rules, never_stored, refuse

_METHODS = ["GET", "HEAD"]
_CLIENT_AUTHENTICATION = ["none", "client_secret_basic", "client_secret_post"]
"""Clients that register themselves get no secret; those that an administrator registered may have one."""


@exempt_from_host_rules
@shared_with_origins
def protected_resource(
    request: HttpRequest, resource: ProtectedResource = ProtectedResource.AGENTS, **captured: str
) -> HttpResponse:
    """Return the metadata of the agent endpoint or the API as a protected resource (RFC 9728, section 3.2).

    ``captured`` is what the URL pattern has already checked.
    """
    servers = issuers(request, resource)
    if not servers:
        return refuse(NotFound())
    return _document(
        request,
        {
            "resource": resource_url(request, resource),
            "authorization_servers": servers,
            "scopes_supported": [scope.value for scope in Scope],
            "bearer_methods_supported": ["header"],
            "resource_name": get_settings().site_name,
        },
    )


@exempt_from_host_rules
@shared_with_origins
def authorization_server(request: HttpRequest, **captured: str) -> HttpResponse:
    """Return the metadata of the authorization server (RFC 8414, section 2)."""
    if not issues_tokens():
        return refuse(NotFound())
    urls = BlogURLs.on(origin_of(request))
    registration = {"registration_endpoint": urls.oauth_url("register")} if get_settings().oauth_registration else {}
    return _document(
        request,
        {
            "issuer": issuer(request),
            "authorization_endpoint": urls.oauth_url("authorize"),
            "token_endpoint": urls.oauth_url("token"),
            "revocation_endpoint": urls.oauth_url("revoke"),
            **registration,
            "scopes_supported": [scope.value for scope in Scope],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": _CLIENT_AUTHENTICATION,
            "revocation_endpoint_auth_methods_supported": _CLIENT_AUTHENTICATION,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "client_id_metadata_document_supported": True,
        },
    )


def _document(request: HttpRequest, document: dict[str, object]) -> HttpResponse:
    if request.method not in _METHODS:
        return never_stored(HttpResponseNotAllowed(_METHODS))
    return never_stored(HttpResponse(compact_json(document).encode(), content_type=JSON))
