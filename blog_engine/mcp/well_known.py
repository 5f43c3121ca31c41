"""URL patterns for the root of the host: ``path("", include("blog_engine.mcp.well_known"))``.

Clients that ignore ``WWW-Authenticate`` look for the metadata of a protected resource there (RFC 9728, section 3.1).
"""

from django.urls import path, register_converter

from blog_engine.blog_urls import mount
from blog_engine.mcp.oauth import protected_resource


class AgentEndpoint:
    """The path of the agent endpoint; the host may serve the metadata of other resources."""

    regex = ".+"

    def to_python(self, value: str) -> str:
        if f"/{value}" != f"{mount()}/mcp":
            raise ValueError(value)
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(AgentEndpoint, "blog_agent_endpoint")


urlpatterns = [path(".well-known/oauth-protected-resource/<blog_agent_endpoint:resource>", protected_resource)]
