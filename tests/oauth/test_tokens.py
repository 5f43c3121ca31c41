"""Tokens: how they are got, what they open, and how they end."""

import base64
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import set_token_value
from pytest_django import DjangoAssertNumQueries, Settings

from blog_engine.models import Revision
from blog_engine.queries.oauth import SUPPORTING_OPERATIONS, oauth_model
from tests.admin.desk import WRITER, desk, nothing_written
from tests.oauth.flow import (
    AGENTS,
    API,
    CALLBACK,
    OAUTH,
    Flow,
    called,
    form,
    read_api,
    registered,
    stored_tokens,
)
from tests.requirements import requirement
from tests.support.clients import call_of, post, refusal_in, request


def tool(access_token: str, name: str, /, **arguments: Any) -> dict[str, Any]:
    """What a tool answers."""
    answer = post(Client(), call_of(name, arguments), {"Authorization": f"Bearer {access_token}"})
    found: dict[str, Any] = answer.json()["result"]["structuredContent"]  # type: ignore[attr-defined]
    return found


def user_of(flow: Flow) -> Any:
    user = flow.open().context["user"]
    return get_user_model().objects.get(pk=user.pk)


def error_of(answer: Any) -> tuple[int, str]:
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.status_code, answer.json()["error"]


@requirement("oauth.code")
def test_a_code_becomes_tokens(flow: Flow) -> None:
    answer = flow.exchange(flow.code("read", "publish"))

    sent = answer.json()
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert sent.keys() == {"access_token", "token_type", "expires_in", "scope", "refresh_token"}
    assert (sent["token_type"], sent["expires_in"], sent["scope"]) == ("Bearer", 3600, "read publish")
    assert called(sent["access_token"]).status_code == 200


@requirement("oauth.code")
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code": "x"}, "invalid_grant"),
        ({"code": "\0"}, "invalid_request"),
        ({"code": None}, "invalid_request"),
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": "another-verifier-that-is-long-enough-0123456789"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_request"),
        ({"redirect_uri": f"{CALLBACK}/"}, "invalid_request"),
        ({"client_id": "unknown"}, "invalid_client"),
        ({"client_id": None}, "invalid_client"),
        ({"client_id": "https://evil.example/client"}, "invalid_client"),
        ({"client_secret": "x"}, "invalid_client"),
        ({"grant_type": "password", "username": "ed.editor", "password": "x"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "implicit"}, "unsupported_grant_type"),
        ({"grant_type": "urn:ietf:params:oauth:grant-type:device_code"}, "unsupported_grant_type"),
        ({"grant_type": None}, "unsupported_grant_type"),
        ({"client_id": ["a", "b"]}, "invalid_client"),
    ],
    ids=str,
)
def test_a_faulty_exchange_gives_nothing(flow: Flow, changes: dict[str, Any], error: str) -> None:
    sent = {"grant_type": "authorization_code", "code": flow.code(), "redirect_uri": CALLBACK}
    sent |= {"code_verifier": "a-verifier-that-is-long-enough-to-be-one-0123456789"}

    answer = flow.token(**(sent | changes))

    status, found = error_of(answer)
    assert (400 <= status < 500, stored_tokens()) == (True, 0)
    assert found in {error, "invalid_request"}


@requirement("oauth.code")
def test_a_code_of_another_client_is_refused(flow: Flow) -> None:
    other = Flow(flow.browser, registered(name="Other"))

    assert error_of(other.exchange(flow.code())) == (400, "invalid_grant")


@requirement("oauth.code")
def test_a_code_ends_after_a_minute(flow: Flow) -> None:
    code = flow.code()
    oauth_model("grant").objects.update(expires=timezone.now() - timedelta(seconds=1))

    assert error_of(flow.exchange(code)) == (400, "invalid_grant")


@requirement("oauth.code.reuse")
def test_a_code_that_is_sent_again_ends_the_tokens_made_of_it(flow: Flow) -> None:
    code = flow.code()
    first = flow.exchange(code).json()
    newer = flow.refresh(first["refresh_token"]).json()

    again = flow.exchange(code)

    assert error_of(again) == (400, "invalid_grant")
    assert called(newer["access_token"]).status_code == 401
    assert error_of(flow.refresh(newer["refresh_token"])) == (400, "invalid_grant")


@requirement("oauth.code.reuse")
def test_another_connection_of_the_same_client_stays(flow: Flow) -> None:
    kept, code = flow.tokens(), flow.code()
    flow.exchange(code)

    flow.exchange(code)

    assert called(kept["access_token"]).status_code == 200


@requirement("oauth.foreign")
@pytest.mark.parametrize(
    "extra",
    [
        {"nonce": "used x"},
        {"claims": "{"},
        {"user": "1"},
        {"client": "x"},
        {"scopes": "publish"},
    ],
    ids=str,
)
def test_parameters_of_other_protocols_change_nothing(flow: Flow, extra: dict[str, str]) -> None:
    flow.asked |= extra

    sent = flow.exchange(flow.code(), **extra).json()

    assert sent["scope"] == "read write"
    assert called(sent["access_token"]).status_code == 200


@requirement("oauth.audience")
@pytest.mark.parametrize(
    ("resource", "statuses"),
    [
        (AGENTS, (200, 401)),
        (None, (200, 401)),
        (f"{AGENTS}/", (200, 401)),
        ("HTTPS://EXAMPLE.com:443/blog/mcp", (200, 401)),
        (API, (401, 200)),
        ([AGENTS, API], (200, 200)),
    ],
    ids=str,
)
def test_a_token_opens_what_it_was_made_for(flow: Flow, resource: Any, statuses: tuple[int, int]) -> None:
    flow.asked["resource"] = resource

    token = flow.tokens()["access_token"]

    assert (called(token).status_code, read_api(token).status_code) == statuses


@requirement("oauth.audience")
def test_a_token_for_another_site_opens_nothing(settings: Settings, flow: Flow) -> None:
    token = flow.tokens()["access_token"]
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"public_base_url": "https://other.example"}

    assert called(token).status_code == 401


@requirement("oauth.audience")
@pytest.mark.parametrize("resource", [API, "https://evil.example/mcp", "x"])
def test_a_resource_that_was_not_agreed_to_is_refused_at_the_token_endpoint(flow: Flow, resource: str) -> None:
    assert error_of(flow.exchange(flow.code(), resource=resource)) == (400, "invalid_target")
    assert stored_tokens() == 0
    assert error_of(flow.refresh(flow.tokens()["refresh_token"], resource=resource)) == (400, "invalid_target")


@requirement("oauth.audience")
def test_the_resource_can_be_named_again_and_narrowed(flow: Flow) -> None:
    flow.asked["resource"] = [AGENTS, API]

    token = flow.exchange(flow.code(), resource=f"{API}/").json()["access_token"]

    assert (called(token).status_code, read_api(token).status_code) == (401, 200)


@requirement("oauth.scopes.live")
def test_a_scope_ends_with_the_permission(flow: Flow) -> None:
    token = flow.tokens("read", "write", "publish")["access_token"]
    assert "error" not in tool(token, "blog_save_draft", title="One", body="Text.")

    user_of(flow).user_permissions.remove(Permission.objects.get(codename="write_post"))

    assert tool(token, "blog_save_draft", title="Two", body="Text.")["error"]["details"] == ["write"]
    assert "error" not in tool(token, "blog_list_posts")


@requirement("oauth.scopes.live")
@pytest.mark.parametrize("lost", ["publish_post", "approve_post"])
def test_publishing_ends_with_either_permission(flow: Flow, lost: str) -> None:
    token = flow.tokens("read", "write", "publish")["access_token"]
    draft = tool(token, "blog_save_draft", title="One", body="Text.")["post"]["id"]

    user_of(flow).user_permissions.remove(Permission.objects.get(codename=lost))

    assert tool(token, "blog_publish_post", id=draft)["error"]["details"] == ["publish"]


@requirement("oauth.scopes.live")
@pytest.mark.parametrize(("column", "refusal"), [("is_active", "unauthenticated"), ("is_staff", "scope_required")])
def test_a_user_who_leaves_takes_the_agents_along(flow: Flow, column: str, refusal: str) -> None:
    flow.asked["resource"] = API
    tokens, code, user = flow.tokens(), flow.code(), user_of(flow)

    get_user_model().objects.filter(pk=user.pk).update(**{column: False})

    assert refusal_in(read_api(tokens["access_token"]))[1] == refusal
    assert error_of(flow.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert error_of(flow.exchange(code)) == (400, "invalid_grant")


@requirement("oauth.scopes.live")
def test_a_deleted_user_leaves_no_token(flow: Flow) -> None:
    tokens = flow.tokens()

    user_of(flow).delete()

    assert called(tokens["access_token"]).status_code == 401
    assert stored_tokens() == 0


SUPPORTING: dict[str, dict[str, Any]] = {
    "blog_save_category": {"name": "Soil"},
    "blog_save_series": {"name": "Beds"},
    "blog_save_author": {"name": "Eve"},
    "blog_save_redirect": {"old_path": "/a", "new_path": "/b"},
    "blog_save_site_page": {"kind": "editorial", "title": "How", "body": "So."},
    "blog_doctor": {},
    "blog_get_surface_report": {"scope": "site"},
}


@requirement("oauth.supporting")
@pytest.mark.parametrize("name", SUPPORTING)
def test_what_the_desk_does_not_offer_a_writer_is_refused(client_id: str, name: str) -> None:
    token = Flow(desk(*WRITER, "publish_post", "approve_post"), client_id).tokens("read", "write", "publish")
    called(token["access_token"])

    with nothing_written():
        refused = tool(token["access_token"], name, **SUPPORTING[name])

    assert (refused["error"]["code"], refused["error"]["details"]) == ("scope_required", ["manage_supporting"])


@requirement("oauth.supporting")
def test_a_person_who_manages_records_has_agents_who_do(flow: Flow) -> None:
    token = flow.tokens("read", "write")["access_token"]

    assert tool(token, "blog_save_category", name="Soil")["name"] == "Soil"


@requirement("oauth.supporting")
def test_every_operation_that_is_barred_exists() -> None:
    from blog_engine.operations import records, reports

    named = {getattr(one, "name", None) for module in (records, reports) for one in vars(module).values()}

    assert named >= SUPPORTING_OPERATIONS


@requirement("oauth.actor")
def test_the_history_names_the_person_and_the_client(flow: Flow) -> None:
    token = flow.tokens("write", "publish")["access_token"]

    published = tool(token, "blog_publish_post", title="One", body="Text.", provenance="human_written")

    user, client = user_of(flow), oauth_model("application").objects.get()
    made = Revision.objects.get(post=published["post"]["id"])
    assert (made.actor, made.actor_kind, made.actor_id) == (
        *("Ed Editor via claude.ai", "token"),
        f"token:oauth-{client.pk}-{user.pk}",
    )


@requirement("oauth.refresh")
def test_a_refresh_gives_new_tokens_and_ends_the_old_ones(flow: Flow) -> None:
    first = flow.tokens("read", "write")

    second = flow.refresh(first["refresh_token"]).json()

    assert second.keys() == first.keys()
    assert (second["scope"], second["refresh_token"] != first["refresh_token"]) == ("read write", True)
    assert [called(one["access_token"]).status_code for one in (first, second)] == [401, 200]


@requirement("oauth.refresh")
def test_scopes_become_fewer_and_not_more(flow: Flow) -> None:
    first = flow.tokens("read", "write")

    more = flow.refresh(first["refresh_token"], scope="read write publish")
    fewer = flow.refresh(first["refresh_token"], scope="read").json()
    back = flow.refresh(fewer["refresh_token"], scope="read write")

    assert error_of(more) == (400, "invalid_scope")
    assert fewer["scope"] == "read"
    assert error_of(back) == (400, "invalid_scope")


@requirement("oauth.refresh")
def test_a_refresh_token_belongs_to_its_client(flow: Flow) -> None:
    tokens, other = flow.tokens(), Flow(flow.browser, registered(name="Other"))

    assert error_of(other.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert called(tokens["access_token"]).status_code == 200


@requirement("oauth.refresh.reuse")
@pytest.mark.parametrize("steps", [1, 3])
def test_an_old_refresh_token_ends_the_connection(flow: Flow, steps: int) -> None:
    first = flow.tokens()
    newest = first
    for _ in range(steps):
        newest = flow.refresh(newest["refresh_token"]).json()

    again = flow.refresh(first["refresh_token"])

    assert error_of(again) == (400, "invalid_grant")
    assert called(newest["access_token"]).status_code == 401
    assert error_of(flow.refresh(newest["refresh_token"])) == (400, "invalid_grant")


@requirement("oauth.expiry")
def test_an_access_token_ends_and_can_be_refreshed_for_a_month(flow: Flow) -> None:
    tokens = flow.tokens()
    rows = oauth_model("access_token").objects

    rows.update(expires=timezone.now())
    assert called(tokens["access_token"]).status_code == 401
    rows.update(expires=timezone.now() - timedelta(days=29, hours=23))
    later = flow.refresh(tokens["refresh_token"]).json()
    assert called(later["access_token"]).status_code == 200
    rows.update(expires=timezone.now() - timedelta(days=30))
    assert error_of(flow.refresh(later["refresh_token"])) == (400, "invalid_grant")


@requirement("oauth.revocation")
@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "x"])
def test_a_client_ends_its_tokens(flow: Flow, kind: str, hint: str | None) -> None:
    tokens = flow.tokens()

    answer = form(f"{OAUTH}/revoke", {"client_id": flow.client_id, "token": tokens[kind], "token_type_hint": hint})

    assert (answer.status_code, answer.content) == (200, b"")
    assert called(tokens["access_token"]).status_code == 401
    assert error_of(flow.refresh(tokens["refresh_token"])) == (400, "invalid_grant")


@requirement("oauth.revocation")
def test_a_client_cannot_end_the_tokens_of_another(flow: Flow) -> None:
    tokens, other = flow.tokens(), registered(name="Other")

    answers = [
        form(f"{OAUTH}/revoke", {"client_id": other, "token": token})
        for token in (tokens["access_token"], tokens["refresh_token"], "unknown")
    ]

    assert [(answer.status_code, answer.content) for answer in answers] == [(200, b"")] * 3
    assert called(tokens["access_token"]).status_code == 200


@requirement("oauth.revocation")
def test_only_a_client_ends_its_tokens(flow: Flow) -> None:
    tokens = flow.tokens()

    assert form(f"{OAUTH}/revoke", {"token": tokens["access_token"]}).status_code == 401
    assert called(tokens["access_token"]).status_code == 200


@requirement("oauth.foreign")
@pytest.mark.parametrize("secret", ["a-token-of-the-host", "be_" + "a" * 40])
def test_a_token_that_other_views_issued_opens_nothing(flow: Flow, secret: str) -> None:
    row = oauth_model("access_token")(
        user=user_of(flow),
        application=oauth_model("application").objects.get(),
        scope="read write publish",
        resource=[AGENTS],
        expires=timezone.now() + timedelta(hours=1),
    )
    set_token_value(row, secret)
    row.save()

    assert called(secret).status_code == 401


@requirement("oauth.foreign")
@pytest.mark.parametrize("grant", ["client-credentials", "password", "implicit"])
def test_a_client_for_another_grant_is_unknown(flow: Flow, grant: str) -> None:
    tokens = flow.tokens()
    oauth_model("application").objects.update(authorization_grant_type=grant)

    assert flow.open().status_code == 400
    assert error_of(flow.refresh(tokens["refresh_token"])) == (401, "invalid_client")


@requirement("oauth.code")
def test_a_client_of_an_administrator_sends_its_secret(flow: Flow) -> None:
    client = oauth_model("application")(
        name="Our script.py",
        redirect_uris=CALLBACK,
        client_type="confidential",
        client_secret="a secret",
        authorization_grant_type="authorization-code",
    )
    client.save()
    flow.client_id = client.client_id

    refused = [flow.exchange(flow.code(), **sent) for sent in ({}, {"client_secret": "x"}, {"client_secret": ""})]
    tokens = flow.exchange(flow.code(), client_secret="a secret").json()

    assert [error_of(answer) for answer in refused] == [(401, "invalid_client")] * 3
    assert called(tokens["access_token"]).status_code == 200
    assert "Our script.py" in flow.open().content.decode()


@requirement("oauth.rate")
def test_guessed_codes_and_tokens_are_counted_together(flow: Flow) -> None:
    tokens = flow.tokens()

    statuses = [flow.exchange("x").status_code for _ in range(10)]
    statuses += [called("bo_x").status_code for _ in range(10)]

    assert statuses == [400] * 10 + [401] * 10
    assert refusal_in(flow.exchange("x"))[:2] == (429, "rate_limited")
    assert refusal_in(called("bo_x"))[:2] == (429, "rate_limited")
    assert called(tokens["access_token"]).status_code == 200


@requirement("oauth.rate")
def test_the_calls_of_a_connection_are_counted_together(settings: Settings, flow: Flow) -> None:
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"api_rate_limit": "2/m"}
    first, second = flow.tokens()["access_token"], flow.tokens()["access_token"]

    answers = [post(Client(), request("ping"), {"Authorization": f"Bearer {one}"}) for one in (first, second, first)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]


@requirement("oauth.cost")
def test_a_call_takes_three_queries_and_one_to_record_its_use(
    flow: Flow, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    token = flow.tokens()["access_token"]
    send: Callable[[], Any] = lambda: post(Client(), request("ping"), {"Authorization": f"Bearer {token}"})  # noqa: E731

    with django_assert_num_queries(3):
        assert send().status_code == 200
    oauth_model("access_token").objects.update(updated=timezone.now() - timedelta(minutes=1, seconds=1))
    with django_assert_num_queries(4):
        assert send().status_code == 200
    with django_assert_num_queries(3):
        assert send().status_code == 200


@requirement("oauth.code")
@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{}", "application/json", 415),
        (b"", "application/x-www-form-urlencoded", 415),
        (b"\xff=\xff", "application/x-www-form-urlencoded", 400),
        (b"&".join([b"a=b"] * 100), "application/x-www-form-urlencoded", 400),
        (b"a=" + b"b" * 17_000, "application/x-www-form-urlencoded", 413),
    ],
)
def test_what_is_no_form_is_refused(body: bytes, content_type: str, status: int) -> None:
    answers = [Client().post(f"{OAUTH}/{name}", body, content_type=content_type) for name in ("token", "revoke")]

    assert [answer.status_code for answer in answers] in ([status] * 2, [400, 401])


@requirement("oauth.code")
def test_tokens_are_stored_as_digests_and_in_no_log(flow: Flow, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    tokens = flow.tokens()
    called(tokens["access_token"])

    stored = [*oauth_model("access_token").objects.values(), *oauth_model("refresh_token").objects.values()]
    secrets = (tokens["access_token"], tokens["refresh_token"])
    assert not any(secret in str(stored) for secret in secrets)
    ours = " ".join(record.getMessage() for record in caplog.records if record.name.startswith("blog_engine"))
    assert not any(secret in ours for secret in secrets)


@requirement("oauth.scopes.live")
def test_tokens_of_the_command_line_go_on_to_work(flow: Flow) -> None:
    from tests.support.clients import client_with

    client = client_with("read")

    assert client.get("/blog/api/v1/posts").status_code == 200
    assert post(client, request("tools/list")).status_code == 200


@requirement("oauth.code")
@pytest.mark.parametrize("endpoint", ["token", "revoke"])
@pytest.mark.parametrize("credentials", ["\u00e9", "AA==", "%%%", base64.b64encode(b"%00:x").decode(), "=" * 5000])
def test_credentials_that_are_none_are_refused(flow: Flow, endpoint: str, credentials: str) -> None:
    sent = {"grant_type": "authorization_code", "code": "x", "token": "x"}

    answer = Client().post(f"{OAUTH}/{endpoint}", sent, headers={"Authorization": f"Basic {credentials}"})

    assert 400 <= answer.status_code < 500
    assert stored_tokens() == 0
