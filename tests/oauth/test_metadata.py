"""What clients find before they ask a person: the resources, the server, and the challenge that leads to them."""

from types import ModuleType
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from tests.oauth.flow import API, ISSUER, OAUTH, SITE, enabled
from tests.requirements import requirement
from tests.support.clients import post, refusal_in, request
from tests.support.hosts import at, blog_settings

RESOURCES = {"/blog/mcp": f"{SITE}/blog/mcp", "/blog/api/v1": API}
SERVER = "/.well-known/oauth-authorization-server/blog"
PATHS = (
    *("/blog/mcp/oauth-protected-resource", "/blog/api/v1/oauth-protected-resource", SERVER),
    *("/.well-known/oauth-protected-resource/blog/mcp", "/.well-known/oauth-protected-resource/blog/api/v1"),
    *(f"{OAUTH}/{name}" for name in ("authorize", "token", "revoke", "register")),
)


def no_caller(request: HttpRequest) -> None:
    """Accept no caller."""


@requirement("oauth.resources")
@pytest.mark.parametrize(("path", "url"), RESOURCES.items())
def test_a_resource_names_the_blog_as_its_server(path: str, url: str) -> None:
    answer = Client().get(f"{path}/oauth-protected-resource")

    assert answer.json() == {
        "resource": url,
        "authorization_servers": [ISSUER],
        "scopes_supported": ["read", "write", "publish"],
        "bearer_methods_supported": ["header"],
        "resource_name": "The Example Journal",
    }
    assert answer.headers["Cache-Control"] == "no-store"


@requirement("oauth.resources")
@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer bo_x"}, {"Authorization": "Bearer be_x"}])
def test_a_challenge_names_the_metadata_of_what_was_called(sent: dict[str, str]) -> None:
    answers = {"mcp": post(Client(), request("ping"), sent), "api/v1": Client().get("/blog/api/v1/posts", headers=sent)}

    for called, answer in answers.items():
        assert answer.status_code == 401
        named = f'resource_metadata="{ISSUER}/{called}/oauth-protected-resource"'
        assert answer.headers["WWW-Authenticate"].endswith(named)


@requirement("oauth.server")
def test_the_metadata_of_the_server_say_what_it_does() -> None:
    answer = Client().get(SERVER)

    methods = ["none", "client_secret_basic", "client_secret_post"]
    assert answer.json() == {
        "issuer": ISSUER,
        "authorization_endpoint": f"{SITE}{OAUTH}/authorize",
        "token_endpoint": f"{SITE}{OAUTH}/token",
        "revocation_endpoint": f"{SITE}{OAUTH}/revoke",
        "registration_endpoint": f"{SITE}{OAUTH}/register",
        "scopes_supported": ["read", "write", "publish"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }


@requirement("oauth.server")
def test_a_blog_that_registers_no_client_names_no_endpoint_for_it(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(oauth=True, oauth_registration=False)

    assert "registration_endpoint" not in Client().get(SERVER).json()
    assert refusal_in(Client().post(f"{OAUTH}/register", {}, content_type="application/json"))[:2] == (404, "not_found")


@requirement("oauth.root")
@pytest.mark.parametrize("path", RESOURCES)
def test_the_root_of_the_host_has_the_same_metadata(path: str) -> None:
    at_root = Client().get(f"/.well-known/oauth-protected-resource{path}")

    assert at_root.content == Client().get(f"{path}/oauth-protected-resource").content


@requirement("oauth.root")
@pytest.mark.parametrize("path", ["", "/", "/blog/", "/shop", "/blog/mcp", "/blog/x"])
def test_other_issuers_are_left_to_the_host(path: str) -> None:
    assert Client().get(f"/.well-known/oauth-authorization-server{path}").status_code == 404


@requirement("oauth.root")
def test_a_blog_at_the_root_needs_no_line_in_the_urls(settings: Settings) -> None:
    with at("root"):
        settings.BLOG_ENGINE = enabled()

        server = Client().get("/.well-known/oauth-authorization-server").json()
        resource = Client().get("/.well-known/oauth-protected-resource/mcp").json()

    assert (server["issuer"], server["token_endpoint"]) == (SITE, f"{SITE}/mcp/oauth/token")
    assert (resource["resource"], resource["authorization_servers"]) == (f"{SITE}/mcp", [SITE])


@requirement("oauth.root")
@pytest.mark.parametrize("path", ["/blog", "/sub/blog"])
def test_a_prefix_that_the_server_strips_is_known(settings: Settings, path: str) -> None:
    with at("proxy"):
        settings.BLOG_ENGINE = enabled()

        found = Client().get(f"/.well-known/oauth-authorization-server{path}", SCRIPT_NAME="/sub").json()
        resource = Client().get(f"/.well-known/oauth-protected-resource{path}/mcp", SCRIPT_NAME="/sub").json()

    assert found["issuer"] == f"{SITE}/sub/blog"
    assert resource["resource"] == f"{SITE}/sub/blog/mcp"


@requirement("oauth.off")
@pytest.mark.parametrize("changes", [{"oauth": False}, {"authenticate": no_caller}], ids=["off", "hook"])
def test_a_blog_that_issues_no_tokens_has_none_of_it(settings: Settings, changes: dict[str, Any]) -> None:
    settings.BLOG_ENGINE = enabled() | changes

    assert [Client().get(path).status_code for path in PATHS] == [404] * len(PATHS)
    assert [Client().post(path).status_code for path in PATHS] == [404] * len(PATHS)
    assert "resource_metadata" not in post(Client(), request("ping")).headers["WWW-Authenticate"]
    assert "resource_metadata" not in Client().get("/blog/api/v1/posts").headers["WWW-Authenticate"]


@requirement("oauth.off")
def test_a_host_without_the_app_has_none_of_it(settings: Settings) -> None:
    settings.INSTALLED_APPS = [name for name in settings.INSTALLED_APPS if name != "oauth2_provider"]

    assert [Client().get(path).status_code for path in PATHS[:5]] == [404] * 5
    assert "resource_metadata" not in post(Client(), request("ping")).headers["WWW-Authenticate"]


@requirement("oauth.resources")
def test_only_get_reads_metadata() -> None:
    assert {Client().post(path).status_code for path in PATHS[:5]} == {405}


@requirement("oauth.root")
def test_a_host_with_other_metadata_keeps_them(settings: Settings) -> None:
    def own(request: HttpRequest, path: str) -> Any:
        from django.http import JsonResponse

        return JsonResponse({"own": path})

    urls = ModuleType("urls_of_a_test")
    urls.urlpatterns = [  # type: ignore[attr-defined]
        path("", include("blog_engine.mcp.well_known")),
        path(".well-known/oauth-protected-resource/<path:path>", own),
        path("blog/", include("blog_engine.urls")),
    ]
    settings.ROOT_URLCONF = urls

    assert Client().get("/.well-known/oauth-protected-resource/shop").json() == {"own": "shop"}
    assert Client().get("/.well-known/oauth-protected-resource/blog/mcp").json()["authorization_servers"] == [ISSUER]
