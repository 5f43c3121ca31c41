"""The URL patterns of the engine, for the host to include."""

from django.urls import include
from django.urls import path as django_path

from blog_engine.conf import oauth_is_installed
from blog_engine.deferred import DeferredURLs, DeferredView, path, re_path
from blog_engine.http.protected_resources import ProtectedResource

app_name = "blog_engine"

_AGENTS, _API = ({"resource": resource} for resource in ProtectedResource)
_RESOURCE = DeferredView("blog_engine.oauth.metadata.protected_resource")
_SERVER = DeferredView("blog_engine.oauth.metadata.authorization_server")

urlpatterns = [
    path("api/v1/oauth-protected-resource", _RESOURCE, _API),
    DeferredURLs("api/", "blog_engine.api.urls"),
    re_path(r"^api\Z", DeferredView("blog_engine.api.schema.unknown_path")),
    re_path(r"^mcp/?\Z", DeferredView("blog_engine.mcp.views.endpoint"), name="mcp"),
    re_path(r"^mcp/oauth-protected-resource\Z", _RESOURCE, _AGENTS, name="oauth_protected_resource"),
    *([django_path("mcp/oauth/", include("blog_engine.oauth.urls"))] if oauth_is_installed() else []),
    # Where clients look when the blog is at the root of its host (RFC 8414 and RFC 9728, section 3.1).
    path(".well-known/oauth-authorization-server", _SERVER),
    path(".well-known/oauth-protected-resource/mcp", _RESOURCE, _AGENTS),
    path(".well-known/oauth-protected-resource/api/v1", _RESOURCE, _API),
    django_path("", include("blog_engine.reader.urls")),
]
