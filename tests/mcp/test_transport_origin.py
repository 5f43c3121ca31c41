"""Which origins can call the endpoint from a browser."""

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import MCP, call_of, post, refusal_in, request, result_of, stateless, tool_answer
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

PING = request("ping")
SAVE = call_of("blog_save_draft", {"title": "Frost"})

OURS = [
    "http://testserver",
    "http://testserver:80",
    "HTTP://TestServer",
    "https://example.com",
    "https://example.com:443",
    "https://EXAMPLE.com",
]
NOT_OURS = [
    "http://testserver:8080",
    "http://testserver:0",
    "https://testserver",
    "https://testserver:80",
    "http://example.com",
    "https://example.com:8443",
    "https://www.example.com",
    "https://example.com.evil.example",
    "https://evil.example",
    "http://testserver.",
    "null",
    "NULL",
    "",
    " ",
    "*",
    "testserver",
    "//testserver",
    "http://",
    "http:testserver",
    "http:///testserver",
    "file://",
    "ftp://testserver",
    "chrome-extension://testserver",
    "http://testserver/",
    "http://testserver/blog/mcp",
    "http://testserver?x=1",
    "http://testserver?",
    "http://testserver#x",
    "http://testserver#",
    "http://user@testserver",
    "http://user:secret@testserver",
    "http://@testserver",
    "http://evil.example\\@testserver",
    "http://testserver\\.evil.example",
    "http://testserver http://evil.example",
    "http://testserver, http://testserver",
    "http://testserver,http://testserver",
    "http://testserver\thttp://evil.example",
    "http://testserver\x00",
    "http://testserver%2e",
    "http://testserver:http",
    "http://testserver:-80",
    "http://testserver:65536",
    "http://testserver:" + "9" * 5000,
    "http://testserver:80:80",
    "http://t\u00e9stserver",
    "http://[testserver]",
    "http://[::1",
    "http://::1]",
    "http://[::1]]",
    "http://[::1%25eth0]",
    "http://[v1.x]",
    "http://" + "a" * 100_000,
    "http://testserver" + ":" * 100_000,
    "http://testserver" + "/" * 100_000,
]


@requirement("agents.origin")
@pytest.mark.parametrize("origin", OURS)
def test_pages_of_the_site_can_call(agent: Client, origin: str) -> None:
    assert result_of(post(agent, PING, {"Origin": origin})) == {}


@requirement("agents.origin")
def test_programs_send_no_origin(agent: Client) -> None:
    assert tool_answer(agent, "blog_list_posts")["total"] == 0


@requirement("agents.origin", "agents.transport-refusals")
@pytest.mark.parametrize("origin", NOT_OURS, ids=lambda origin: repr(origin[:40]))
def test_pages_of_other_sites_cannot_call(agent: Client, origin: str) -> None:
    answer = post(agent, SAVE, {"Origin": origin})

    assert refusal_in(answer) == (403, "scope_required", ["origin"])
    assert not Post.objects.exists()


@requirement("agents.origin")
def test_the_stateless_version_and_notifications_are_no_way_round(agent: Client) -> None:
    message = {key: value for key, value in SAVE.items() if key != "id"}
    described, headers = stateless(SAVE)

    answers = [
        post(agent, message, {"Origin": "null"}),
        post(agent, described, headers | {"Origin": "null"}),
    ]

    assert [refusal_in(answer) for answer in answers] == [(403, "scope_required", ["origin"])] * 2
    assert not Post.objects.exists()


@requirement("agents.origin")
@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("testserver:8080", "http://testserver:8080", 200),
        ("testserver:8080", "http://testserver", 403),
        ("testserver", "http://testserver:8080", 403),
        ("localhost:80", "http://localhost", 200),
        ("localhost", "http://127.0.0.1", 403),
    ],
)
def test_the_port_and_the_name_of_the_request_count(agent: Client, host: str, origin: str, status: int) -> None:
    assert post(agent, PING, {"Host": host, "Origin": origin}).status_code == status


@requirement("agents.origin")
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://[::1]:8000", 200),
        ("http://[0:0:0:0:0:0:0:1]:8000", 403),
        ("http://[::1]", 403),
        ("http://[::2]:8000", 403),
        ("https://[::1]:8000", 403),
    ],
)
def test_an_ipv6_address_in_brackets_is_an_origin(agent: Client, settings: Settings, origin: str, status: int) -> None:
    settings.ALLOWED_HOSTS = ["[::1]"]

    assert post(agent, PING, {"Host": "[::1]:8000", "Origin": origin}).status_code == status


@requirement("agents.origin")
def test_the_scheme_is_the_one_that_the_host_trusts_its_proxy_for(agent: Client, settings: Settings) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"X-Forwarded-Proto": "https", "Host": "testserver"}

    inside, outside = (post(agent, PING, headers | {"Origin": f"{it}://testserver"}) for it in ("https", "http"))

    assert (inside.status_code, outside.status_code) == (200, 403)


@requirement("agents.origin")
@pytest.mark.parametrize("origin", ["http://evil.example", "https://example.com", None])
def test_a_forged_host_is_no_help(agent: Client, origin: str | None) -> None:
    headers = {"Host": "evil.example"} | ({"Origin": origin} if origin else {})

    answer = post(agent, SAVE, headers)

    assert answer.status_code == 400
    assert not Post.objects.exists()


@requirement("agents.origin")
def test_without_a_public_base_url_only_the_request_counts(agent: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)

    answers = [post(agent, PING, {"Origin": it}) for it in ("http://testserver", "https://example.com")]

    assert [answer.status_code for answer in answers] == [200, 403]


@requirement("agents.origin", "api.origins.exact")
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://app.example", 200),
        ("https://app.example:443", 200),
        ("https://app.example:8443", 403),
        ("http://app.example", 403),
        ("https://sub.app.example", 403),
        ("https://app.example.evil.example", 403),
        ("null", 403),
        ("https://example.com", 200),
    ],
)
def test_the_host_can_allow_other_origins(agent: Client, settings: Settings, origin: str, status: int) -> None:
    settings.BLOG_ENGINE = blog_settings(api_allowed_origins=["https://App.example/"])

    answer = post(agent, PING, {"Origin": origin})

    assert answer.status_code == status
    assert answer.headers["Vary"] == "Origin"
    shown = answer.headers.get("Access-Control-Allow-Origin")
    assert shown == (origin if "app.example" in origin and status == 200 else None)


@requirement("agents.origin")
def test_a_page_of_others_learns_nothing_about_the_token() -> None:
    answer = Client().post(MCP, {}, content_type="application/json", headers={"Origin": "https://evil.example"})

    assert refusal_in(answer) == (403, "scope_required", ["origin"])
    assert "WWW-Authenticate" not in answer.headers
