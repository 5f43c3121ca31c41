"""The URL patterns of the engine, for the host to include."""

from django.urls import include, path, re_path

from blog_engine.api.schema import unknown_path
from blog_engine.mcp.oauth import protected_resource
from blog_engine.mcp.views import endpoint

app_name = "blog_engine"

urlpatterns = [
    path("api/", include("blog_engine.api.urls")),
    re_path(r"^api\Z", unknown_path),
    re_path(r"^mcp/?\Z", endpoint, name="mcp"),
    re_path(r"^mcp/oauth-protected-resource\Z", protected_resource, name="oauth_protected_resource"),
    path("", include("blog_engine.reader.urls")),
]
