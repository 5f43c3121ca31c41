"""OAuth discovery (RFC 9728): the metadata of the endpoint, and the challenge that names them."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import include, path
from pytest_django import DjangoAssertNumQueries, Settings

from blog_engine.conf.faults import faults_in
from tests.requirements import requirement
from tests.support.clients import post, refusal_in, request
from tests.support.hosts import REQUIRED, blog_settings

pytestmark = pytest.mark.django_db

SERVER = "https://login.example/tenant"
METADATA = "/blog/mcp/oauth-protected-resource"
ROOT = "/.well-known/oauth-protected-resource/blog/mcp"

urlpatterns = [
    path("", include("blog_engine.mcp.well_known")),
    path("blog/", include("blog_engine.urls")),
]


def known(request: HttpRequest) -> object:
    """Accept one token, as a host does after it has checked it with its server."""
    return SimpleNamespace(name="Ada", scopes="read") if "good" in request.headers.get("Authorization", "") else None


def host(**changes: Any) -> dict[str, Any]:
    given = {"authenticate": known, "oauth_authorization_server": SERVER, "public_base_url": "https://blog.example"}
    return blog_settings(**(given | changes))


@requirement("agents.oauth")
def test_the_metadata_name_the_resource_and_its_server(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.BLOG_ENGINE = host(site_name="Lake Journal")

    with django_assert_num_queries(0):
        answer = Client().get(METADATA)

    assert answer.json() == {
        "resource": "https://blog.example/blog/mcp",
        "authorization_servers": [SERVER],
        "scopes_supported": ["read", "write", "publish"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Lake Journal",
    }
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies


@requirement("agents.oauth")
@pytest.mark.parametrize(("sent", "error"), [({}, ""), ({"Authorization": "Bearer x"}, ', error="invalid_token"')])
def test_the_challenge_of_the_endpoint_names_the_metadata(settings: Settings, sent: dict[str, str], error: str) -> None:
    settings.BLOG_ENGINE = host()

    answer = post(Client(), request("ping"), sent)

    assert refusal_in(answer)[0] == 401
    url = f"https://blog.example{METADATA}"
    assert answer.headers["WWW-Authenticate"] == f'Bearer realm="blog_engine"{error}, resource_metadata="{url}"'


@requirement("agents.oauth")
def test_the_named_url_has_the_origin_of_the_request_without_a_public_one(settings: Settings) -> None:
    settings.BLOG_ENGINE = host(public_base_url=None)

    challenge = post(Client(), request("ping")).headers["WWW-Authenticate"]

    assert f'resource_metadata="http://testserver{METADATA}"' in challenge
    assert Client().get(METADATA).json()["resource"] == "http://testserver/blog/mcp"


@requirement("agents.oauth")
def test_the_api_and_accepted_callers_get_no_hint(settings: Settings) -> None:
    settings.BLOG_ENGINE = host()

    api = Client().get("/blog/api/v1/posts")
    accepted = post(Client(), request("ping"), {"Authorization": "Bearer good"})

    assert api.headers["WWW-Authenticate"] == 'Bearer realm="blog_engine"'
    assert (accepted.status_code, "WWW-Authenticate" in accepted.headers) == (200, False)


@requirement("agents.oauth")
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_the_metadata_are_only_read(settings: Settings, method: str) -> None:
    settings.BLOG_ENGINE = host()

    answer = Client(enforce_csrf_checks=True).generic(method, METADATA)

    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert Client().head(METADATA).status_code == 200


@requirement("agents.oauth.off", "agents.unauthenticated")
@pytest.mark.parametrize(
    "changes",
    [
        {"oauth_authorization_server": None},
        {"oauth_authorization_server": []},
        {"authenticate": None},
        {"mcp": {"enabled": False}},
    ],
    ids=str,
)
def test_without_a_server_or_its_tokens_nothing_is_discovered(settings: Settings, changes: dict[str, Any]) -> None:
    settings.ROOT_URLCONF = __name__
    settings.BLOG_ENGINE = host(**changes)

    assert [refusal_in(Client().get(url)) for url in (METADATA, ROOT)] == [(404, "not_found", [])] * 2
    assert "resource_metadata" not in post(Client(), request("ping")).headers.get("WWW-Authenticate", "")


@requirement("agents.oauth.root")
def test_a_line_in_the_urls_of_the_host_serves_the_metadata_at_the_root(settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__
    settings.BLOG_ENGINE = host()

    assert Client().get(ROOT).content == Client().get(METADATA).content


@requirement("agents.oauth.root")
@pytest.mark.parametrize("resource", ["", "/", "/blog", "/blog/mcp/", "/shop/mcp", "/blog/mcp/x", "/mcp"])
def test_other_resources_of_the_host_are_left_to_it(settings: Settings, resource: str) -> None:
    settings.ROOT_URLCONF = __name__
    settings.BLOG_ENGINE = host()

    assert Client().get(f"/.well-known/oauth-protected-resource{resource}").status_code == 404


@requirement("agents.oauth.issuers")
@pytest.mark.parametrize(
    "written",
    ["", "login.example", "ftp://login.example", "https://login.example?x", "https://a.example#b", [1], 1, ["x"], [""]],
    ids=str,
)
def test_anything_but_issuers_is_a_fault(written: object) -> None:
    assert [fault.key for fault in faults_in({**REQUIRED, "oauth_authorization_server": written})] == [
        "oauth_authorization_server"
    ]
