"""Clients that register themselves, and their redirect URIs."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from blog_engine.oauth.endpoints import REGISTRATIONS_RATE
from blog_engine.queries.oauth import client_label, oauth_model
from blog_engine.services import oauth
from tests.admin.desk import EDITOR, desk
from tests.oauth.flow import CALLBACK, OAUTH, Flow, register, registered
from tests.requirements import requirement
from tests.support.clients import refusal_in


def clients() -> list[Any]:
    """The clients that are stored, the first one first."""
    return [*oauth_model("application").objects.order_by("pk")]


@requirement("oauth.register")
def test_a_client_gets_an_id_and_no_secret() -> None:
    answer = register(
        redirect_uris=[CALLBACK, "http://127.0.0.1:3000/cb"],
        client_name=" Claude ",
        token_endpoint_auth_method="client_secret_post",
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        scope="publish",
        software_id="x",
    )

    [stored] = clients()
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    assert answer.json() == {
        "client_id": stored.client_id,
        "client_id_issued_at": int(stored.created.timestamp()),
        "client_name": "Claude",
        "redirect_uris": [CALLBACK, "http://127.0.0.1:3000/cb"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    assert (stored.client_type, stored.client_secret, stored.user, stored.skip_authorization) == (
        *("public", "", None),
        False,
    )


@requirement("oauth.register.refused", "oauth.redirects")
@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://localhost.evil.example/cb",
        "http://127.0.0.1@evil.example/cb",
        "https://claude.ai@evil.example/cb",
        "https://evil.example\\@claude.ai/cb",
        "https://claude.ai/cb#x",
        "https://claude.ai/cb#",
        "https://*.claude.ai/cb",
        "https://claude.ai/c b",
        "https://claude.ai/cb\n",
        "https://claude.ai:99999/cb",
        "https://cläude.ai/cb",
        "//claude.ai/cb",
        "/cb",
        "https:claude.ai",
        "https://",
        "https://:443/cb",
        "javascript:alert(1)",
        "javascript://claude.ai/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "myapp://callback",
        f"https://claude.ai/{'x' * 2048}",
        "",
    ],
)
def test_a_redirect_uri_that_could_lead_astray_is_refused(uri: str) -> None:
    answer = register(redirect_uris=[CALLBACK, uri])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")
    assert clients() == []


@requirement("oauth.redirects")
@pytest.mark.parametrize(
    "uri",
    [
        *("https://chatgpt.com/connector_platform_oauth_redirect", "https://a.example:8443/cb?x=1"),
        *("http://localhost/cb", "http://[::1]:3000/cb", "http://127.0.0.1/cb"),
        *("cursor://anysphere.cursor-mcp/oauth/callback", "vscode://vscode.mcp/cb"),
    ],
)
def test_the_redirect_uris_of_known_clients_are_taken(uri: str) -> None:
    assert register(redirect_uris=[uri]).status_code == 201


@requirement("oauth.register.refused")
@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://claude.ai/cb"}, "invalid_redirect_uri"),
        ({"redirect_uris": [1]}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK] * 11}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK], "client_name": 1}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "client_name": "x" * 256}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "client_name": "\0"}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "client_name": "\ud800"}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "grant_types": "authorization_code"}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "response_types": ["token"]}, "invalid_client_metadata"),
    ],
    ids=str,
)
def test_faulty_metadata_are_refused(sent: dict[str, Any], error: str) -> None:
    answer = register(**sent)

    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert clients() == []


@requirement("oauth.register.refused")
@pytest.mark.parametrize("body", ["", "{", "[]", '"x"', '{"redirect_uris": 1e999}', "\ufeff{}", '{"a": 1, "a": 2}'])
def test_what_is_no_json_object_is_refused(body: str) -> None:
    answer = Client().post(f"{OAUTH}/register", body.encode(), content_type="application/json")

    assert answer.status_code in {400, 422}
    assert clients() == []


@requirement("oauth.register.limits")
def test_a_flood_from_one_address_is_stopped() -> None:
    most = int(REGISTRATIONS_RATE.split("/")[0])

    statuses = [register(redirect_uris=[CALLBACK]).status_code for _ in range(most + 2)]

    assert statuses == [201] * most + [429] * 2
    assert len(clients()) == most


@requirement("oauth.register.limits")
def test_a_flood_from_many_addresses_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oauth, "MOST_UNUSED", 2)

    answers = [register(redirect_uris=[CALLBACK]) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 503]
    assert refusal_in(answers[2])[1] == "unavailable"


@requirement("oauth.register.limits")
def test_clients_without_a_connection_are_removed_after_a_day(flow: Flow) -> None:
    flow.tokens()
    unused = registered(name="Unused")
    oauth_model("application").objects.update(created=timezone.now() - timedelta(days=1, minutes=1))

    newest = registered(name="New")

    assert {client.client_id for client in clients()} == {flow.client_id, newest}
    assert unused != newest


@requirement("oauth.register.limits")
def test_a_large_registration_is_not_read() -> None:
    answer = register(redirect_uris=[CALLBACK], client_name="x" * 17_000)

    assert refusal_in(answer)[:2] == (413, "payload_too_large")


@requirement("oauth.redirects")
@pytest.mark.parametrize(
    ("uris", "name", "label"),
    [
        (["https://claude.ai/cb"], "Chat", "claude.ai"),
        (["https://claude.ai/cb", "https://claude.ai/other"], "Chat", "claude.ai"),
        (["https://evil.example/cb", "http://localhost/cb"], "claude.ai", "claude ai"),
        (["http://localhost/cb"], "Claude Code (blog)", "Claude Code (blog)"),
        (["http://localhost/cb"], "Ada, who <b>approved</b> it\u202e", "Ada who b approved b it"),
        (["http://localhost/cb"], "", "an agent"),
        (["http://localhost/cb"], "...", "an agent"),
        (["cursor://anysphere.cursor-mcp/cb"], "x" * 200, "x" * 60),
    ],
)
def test_a_client_is_called_by_its_host_or_else_by_a_name_that_is_none(uris: list[str], name: str, label: str) -> None:
    register(redirect_uris=uris, client_name=name)

    assert [client_label(client) for client in clients()] == [label]


@requirement("oauth.consent")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('" onload="x', "&quot; onload=&quot;x"),
        ("a\u202eb\u2066c\u200bd\n", "abcd"),
        ("x" * 200, "x" * 60),
    ],
)
def test_the_name_of_a_client_is_plain_text_on_the_page(name: str, shown: str) -> None:
    flow = Flow(desk(*EDITOR), registered((CALLBACK,), name))

    page = flow.open().content.decode()

    assert f"<dd>{shown}</dd>" in page
