"""URL patterns for the root of the host: ``path("", include("blog_engine.mcp.well_known"))``.

Clients look for metadata there, with the path of the resource or of the issuer behind (RFC 9728 and RFC 8414, section
3.1). The host may serve the metadata of others beside them.
"""

from typing import Final

from django.urls import path, register_converter

from blog_engine.blog_urls import mount, script_name
from blog_engine.http.protected_resources import ProtectedResource
from blog_engine.oauth.metadata import authorization_server, protected_resource

_BELOW_MOUNT: Final = {ProtectedResource.AGENTS: "/mcp", ProtectedResource.API: "/api/v1"}


class IssuerPath:
    """The path of the mount; a web server that strips a prefix of URLs may leave it in these."""

    regex = ".+"
    below = ""

    def to_python(self, value: str) -> str:
        if f"/{value}" not in {mount() + self.below, script_name() + mount() + self.below}:
            raise ValueError(value)
        return value

    def to_url(self, value: str) -> str:
        return value


class AgentsPath(IssuerPath):
    """The path of the agent endpoint."""

    below = _BELOW_MOUNT[ProtectedResource.AGENTS]


class ApiPath(IssuerPath):
    """The path of the API."""

    below = _BELOW_MOUNT[ProtectedResource.API]


register_converter(IssuerPath, "blog_mount")
register_converter(AgentsPath, "blog_agent_endpoint")
register_converter(ApiPath, "blog_api")

_RESOURCES: Final = ".well-known/oauth-protected-resource"
_SERVER: Final = ".well-known/oauth-authorization-server"

urlpatterns = [
    path(f"{_RESOURCES}/<blog_agent_endpoint:at>", protected_resource, {"resource": ProtectedResource.AGENTS}),
    path(f"{_RESOURCES}/<blog_api:at>", protected_resource, {"resource": ProtectedResource.API}),
    path(f"{_SERVER}/<blog_mount:at>", authorization_server),
]
