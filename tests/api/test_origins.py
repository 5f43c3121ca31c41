"""Pages of other sites that the host allows to call the API and the agent endpoint in a browser."""

from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.oauth.flow import OAUTH, enabled
from tests.requirements import requirement
from tests.support.clients import MCP, post, request
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

APP = "https://app.example"
POSTS = "/blog/api/v1/posts"
METHODS = {
    POSTS: "GET, HEAD, POST",
    f"{POSTS}/frost": "DELETE, GET, HEAD, PATCH",
    f"{POSTS}/frost/publish": "POST",
    "/blog/api/v1/schema": "GET, HEAD",
    "/blog/api/v1/images/tickets/1": "PUT",
    MCP: "POST",
    f"{OAUTH}/token": "POST",
    f"{OAUTH}/revoke": "POST",
    f"{OAUTH}/register": "POST",
    "/blog/mcp/oauth-protected-resource": "GET, HEAD",
    "/blog/api/v1/oauth-protected-resource": "GET, HEAD",
    "/.well-known/oauth-authorization-server/blog": "GET, HEAD",
    "/.well-known/oauth-protected-resource/blog/mcp": "GET, HEAD",
}


@pytest.fixture(autouse=True)
def _allowed(settings: Settings) -> None:
    settings.BLOG_ENGINE = enabled(api_allowed_origins=[APP, "http://localhost:6274"])
    cache.clear()


def preflight(path: str, origin: str | None = APP, **headers: str) -> Any:
    sent = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization", **headers}
    return Client().options(path, headers=sent | ({} if origin is None else {"Origin": origin}))


def shared(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("Access-Control")}


@requirement("api.origins", "api.origins.exact", "api.paths.unauthenticated", "agents.method")
@pytest.mark.parametrize(("path", "methods"), METHODS.items())
def test_a_preflight_is_answered(path: str, methods: str) -> None:
    for origin in (APP, "http://localhost:6274"):
        answer = preflight(path, origin)

        assert (answer.status_code, answer.content) == (204, b"")
        allowed = shared(answer)
        assert allowed.pop("Access-Control-Expose-Headers").split(", ")[:4] == [
            *("ETag", "Retry-After", "WWW-Authenticate", "Idempotent-Replayed")
        ]
        assert {"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key"} < {
            *allowed.pop("Access-Control-Allow-Headers").split(", ")
        }
        assert allowed == {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Max-Age": "7200",
        }
        # A host's middleware may add other fields.
        assert ("Origin" in answer.headers["Vary"], answer.headers["Cache-Control"]) == (True, "no-store")
        assert "Content-Type" not in answer.headers
        assert "RateLimit-Limit" not in answer.headers


@requirement("api.origins.exact")
@pytest.mark.parametrize("path", METHODS)
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "https://app.example:8443", "http://app.example", "null", "*"]
)
def test_other_origins_get_no_preflight(path: str, origin: str) -> None:
    answer = preflight(path, origin)

    assert answer.status_code == 405
    assert shared(answer) == {}
    assert "Origin" in answer.headers["Vary"].split(", ")


@requirement("api.origins.exact")
@pytest.mark.parametrize("path", METHODS)
def test_without_the_setting_nothing_is_shared(settings: Settings, path: str) -> None:
    settings.BLOG_ENGINE = enabled(api_allowed_origins=[])

    answer = preflight(path)

    assert answer.status_code == 405
    assert shared(answer) == {}
    assert "Origin" not in answer.headers.get("Vary", "")


@requirement("api.origins")
def test_options_without_a_preflight_is_a_wrong_method() -> None:
    answer = Client().options(POSTS, headers={"Origin": APP})

    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (405, APP)
    assert preflight(POSTS, None).status_code == 405


@requirement("api.origins")
def test_what_is_not_there_has_no_preflight(settings: Settings) -> None:
    assert preflight("/blog/api/v1/none").status_code == 404
    settings.BLOG_ENGINE = blog_settings(mcp={"enabled": False}, oauth=False)
    assert preflight(MCP).status_code == 404
    assert preflight(f"{OAUTH}/token").status_code == 404


@requirement("api.origins", "api.origins.exact")
def test_every_answer_is_shared(editor: Client) -> None:
    headers = {"Origin": APP}
    answers = {
        200: editor.get(POSTS, headers=headers),
        401: Client().get(POSTS, headers=headers),
        404: editor.get(f"{POSTS}/none", headers=headers),
        415: editor.post(POSTS, "x", content_type="text/plain", headers=headers),
        422: editor.post(POSTS, {"x": 1}, content_type="application/json", headers=headers),
    }

    for status, answer in answers.items():
        assert answer.status_code == status
        assert answer.headers["Access-Control-Allow-Origin"] == APP
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Origin" in answer.headers["Vary"].split(", ")
    assert post(editor, request("ping"), headers).headers["Access-Control-Allow-Origin"] == APP
    assert shared(editor.get(POSTS)) == shared(editor.get(POSTS, headers={"Origin": "https://evil.example"})) == {}


@requirement("access.forged-forms")
def test_a_form_with_cookies_of_an_allowed_origin_is_refused(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(
        api_allowed_origins=[APP], authenticate=lambda request: type("Caller", (), {"name": "Ada"})()
    )

    answer = Client().post("/blog/api/v1/images", {"url": "https://a.example/b.png"}, headers={"Origin": APP})

    assert answer.status_code == 403
    assert not Post.objects.exists()


@requirement("api.origins.exact")
@pytest.mark.parametrize(
    "origins", [["*"], "https://app.example", ["https://app.example/path"], ["https://*.example"], [None]]
)
def test_the_setting_takes_exact_origins(settings: Settings, origins: object) -> None:
    settings.BLOG_ENGINE = blog_settings(api_allowed_origins=origins)

    with pytest.raises(SystemCheckError, match="api_allowed_origins"):
        call_command("check")
