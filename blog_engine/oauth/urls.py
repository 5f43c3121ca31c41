"""The URL patterns of the authorization server, below ``<mount>/mcp/oauth/``."""

from django.urls import path

from blog_engine.oauth.consent import authorize
from blog_engine.oauth.endpoints import register, revoke, token

urlpatterns = [
    path("authorize", authorize, name="oauth_authorize"),
    path("token", token, name="oauth_token"),
    path("revoke", revoke, name="oauth_revoke"),
    path("register", register, name="oauth_register"),
]
