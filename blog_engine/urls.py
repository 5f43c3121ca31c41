"""The URL patterns of the engine, for the host to include."""

from django.urls import include, path, re_path

from blog_engine.api.schema import unknown_path
from blog_engine.conf import oauth_is_installed
from blog_engine.http.protected_resources import ProtectedResource
from blog_engine.mcp.views import endpoint
from blog_engine.oauth.metadata import authorization_server, protected_resource

app_name = "blog_engine"

_AGENTS, _API = ({"resource": resource} for resource in ProtectedResource)

urlpatterns = [
    path("api/v1/oauth-protected-resource", protected_resource, _API),
    path("api/", include("blog_engine.api.urls")),
    re_path(r"^api\Z", unknown_path),
    re_path(r"^mcp/?\Z", endpoint, name="mcp"),
    re_path(r"^mcp/oauth-protected-resource\Z", protected_resource, _AGENTS, name="oauth_protected_resource"),
    *([path("mcp/oauth/", include("blog_engine.oauth.urls"))] if oauth_is_installed() else []),
    # Where clients look when the blog is at the root of its host (RFC 8414 and RFC 9728, section 3.1).
    path(".well-known/oauth-authorization-server", authorization_server),
    path(".well-known/oauth-protected-resource/mcp", protected_resource, _AGENTS),
    path(".well-known/oauth-protected-resource/api/v1", protected_resource, _API),
    path("", include("blog_engine.reader.urls")),
]
