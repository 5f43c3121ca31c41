"""The URL patterns of the authorization server, below ``<mount>/mcp/oauth/``."""

from blog_engine.deferred import DeferredView, path

urlpatterns = [
    path("authorize", DeferredView("blog_engine.oauth.consent.authorize"), name="oauth_authorize"),
    path("token", DeferredView("blog_engine.oauth.endpoints.token"), name="oauth_token"),
    path("revoke", DeferredView("blog_engine.oauth.endpoints.revoke"), name="oauth_revoke"),
    path("register", DeferredView("blog_engine.oauth.endpoints.register"), name="oauth_register"),
]
