"""A client of the authorization server, and the browser of the person who connects it."""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpResponse
from django.test import Client

from blog_engine.queries.oauth import oauth_model
from tests.support.clients import post, request
from tests.support.hosts import blog_settings

SITE = "https://example.com"
ISSUER = f"{SITE}/blog"
AGENTS = f"{SITE}/blog/mcp"
API = f"{SITE}/blog/api/v1"
OAUTH = "/blog/mcp/oauth"
CALLBACK = "https://claude.ai/api/mcp/auth_callback"
VERIFIER = "a-verifier-that-is-long-enough-to-be-one-0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
STATE = "xyz&=%/"

_ONWARD = re.compile(r'<a id="onward" href="([^"]+)"')


def enabled(**changes: Any) -> dict[str, Any]:
    """The settings of a blog that issues tokens."""
    return blog_settings(oauth=True, **changes)


def registered(redirect_uris: tuple[str, ...] = (CALLBACK,), name: str = "Claude") -> str:
    """The id of a client that registers itself."""
    answer = register(redirect_uris=[*redirect_uris], client_name=name)
    assert answer.status_code == 201, answer.content
    client_id: str = answer.json()["client_id"]
    return client_id


def register(**metadata: Any) -> Any:
    """The answer to a registration."""
    return Client().post(f"{OAUTH}/register", json.dumps(metadata), content_type="application/json")


@dataclass
class Flow:
    """A client, its request and the browser in which it is opened."""

    browser: Client
    client_id: str
    asked: dict[str, Any] = field(default_factory=dict)
    """Changes to the request; ``None`` leaves a parameter out."""

    @property
    def url(self) -> str:
        """The URL that the client opens in the browser."""
        sent = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": CALLBACK,
            "state": STATE,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": AGENTS,
            **self.asked,
        }
        given = {name: value for name, value in sent.items() if value is not None}
        return f"{OAUTH}/authorize?{urlencode(given, doseq=True)}"

    def open(self) -> Any:
        """The page on which the person is asked."""
        return self.browser.get(self.url)

    def decide(self, *scopes: str, allow: bool = True) -> Any:
        """The answer to the form."""
        return self.browser.post(self.url, {"scopes": scopes, "allow" if allow else "deny": "yes"})

    def code(self, *scopes: str) -> str:
        """The code that the client gets."""
        return answer_for_client(self.decide(*(scopes or ("read", "write"))))["code"]

    def exchange(self, code: str, **changes: Any) -> Any:
        """The answer to the code at the token endpoint."""
        return self.token(
            grant_type="authorization_code",
            code=code,
            **({"redirect_uri": self.asked.get("redirect_uri", CALLBACK), "code_verifier": VERIFIER} | changes),
        )

    def refresh(self, refresh_token: str, **changes: Any) -> Any:
        """The answer to a refresh token at the token endpoint."""
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **changes)

    def token(self, **sent: Any) -> Any:
        """The answer of the token endpoint."""
        return form(f"{OAUTH}/token", {"client_id": self.client_id} | sent)

    def tokens(self, *scopes: str) -> dict[str, Any]:
        """The tokens that the client gets in the end."""
        answer = self.exchange(self.code(*scopes))
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found


def form(path: str, sent: dict[str, Any], **headers: str) -> Any:
    """The answer to a form that a program sends."""
    body = urlencode({name: value for name, value in sent.items() if value is not None}, doseq=True)
    return Client().post(path, body, content_type="application/x-www-form-urlencoded", headers=headers)


def location_in(page: HttpResponse) -> str | None:
    """The URL to which a page leads, or ``None``."""
    found = _ONWARD.search(page.content.decode())
    return unescape(found[1]) if found else None


def answer_for_client(page: HttpResponse) -> dict[str, str]:
    """The parameters with which a page leads on to the client."""
    location = location_in(page)
    assert page.status_code == 200, page.content.decode()
    assert location is not None
    return {name: value for name, [value] in parse_qs(urlsplit(location).query).items()}


def called(access_token: str) -> Any:
    """The answer of the agent endpoint."""
    return post(Client(), request("tools/list"), {"Authorization": f"Bearer {access_token}"})


def read_api(access_token: str) -> Any:
    """The answer of the API."""
    return Client().get("/blog/api/v1/posts", headers={"Authorization": f"Bearer {access_token}"})


def stored_tokens() -> int:
    """The number of access tokens that there are."""
    count: int = oauth_model("access_token").objects.count()
    return count
