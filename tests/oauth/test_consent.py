"""The page on which a person connects an agent."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from lxml import html
from pytest_django import Settings

from blog_engine.queries.oauth import oauth_model
from tests.admin.desk import EDITOR, WRITER, desk, nothing_written
from tests.oauth.flow import AGENTS, CALLBACK, ISSUER, STATE, Flow, answer_for_client, location_in, registered
from tests.requirements import requirement


def boxes(page: Any) -> dict[str, bool]:
    """The scopes that can be ticked, and whether they are."""
    tree = html.fromstring(page.content.decode())
    return {box.get("value"): box.get("checked") is not None for box in tree.xpath('//input[@name="scopes"]')}


def text_of(page: Any) -> str:
    return " ".join(html.fromstring(page.content.decode()).text_content().split())


@requirement("oauth.consent")
def test_the_page_shows_who_asks_for_what(flow: Flow) -> None:
    page = flow.open()

    text = text_of(page)
    assert page.status_code == 200
    assert "claude.ai asks to work on The Example Journal in your name." in text
    assert "Ed Editor" in text
    assert boxes(page) == {"read": True, "write": True, "publish": False}


@requirement("oauth.consent")
@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("read", {"read": True}),
        ("publish read", {"read": True, "publish": False}),
        ("write offline_access openid", {"write": True}),
        (None, {"read": True, "write": True, "publish": False}),
        ("", {"read": True, "write": True, "publish": False}),
    ],
)
def test_only_what_is_asked_for_can_be_given(flow: Flow, asked: str | None, shown: dict[str, bool]) -> None:
    flow.asked["scope"] = asked

    assert boxes(flow.open()) == shown


@requirement("oauth.consent")
def test_a_person_gives_fewer_scopes(flow: Flow) -> None:
    assert flow.tokens("read")["scope"] == "read"


@requirement("oauth.consent")
def test_nothing_is_given_without_a_tick(flow: Flow) -> None:
    page = flow.decide()

    assert (page.status_code, location_in(page)) == (400, None)
    assert "Tick at least one" in text_of(page)


@requirement("oauth.consent.scopes")
@pytest.mark.parametrize(
    ("permissions", "shown"),
    [
        (("view_post",), {"read": True}),
        (WRITER, {"read": True, "write": True}),
        (("write_post",), {"read": True, "write": True}),
        (("publish_post",), {"read": True}),
        (("approve_post",), {"read": True}),
        (("publish_post", "approve_post"), {"read": True, "publish": False}),
        (EDITOR, {"read": True, "write": True, "publish": False}),
    ],
    ids=str,
)
def test_the_desks_permissions_are_what_can_be_given(
    client_id: str, permissions: tuple[str, ...], shown: dict[str, bool]
) -> None:
    assert boxes(Flow(desk(*permissions), client_id).open()) == shown


@requirement("oauth.consent.scopes")
@pytest.mark.parametrize("sent", [("publish",), ("read", "publish"), ("read", "admin"), ("read", "read publish")])
def test_a_scope_that_the_page_does_not_offer_is_not_given(client_id: str, sent: tuple[str, ...]) -> None:
    flow = Flow(desk(*WRITER), client_id)

    with nothing_written():
        page = flow.decide(*sent)

    assert (page.status_code, location_in(page)) == (400, None)


@requirement("oauth.consent.scopes")
def test_a_scope_that_was_not_asked_for_is_not_given(flow: Flow) -> None:
    flow.asked["scope"] = "read"

    assert location_in(flow.decide("read", "publish")) is None


@requirement("oauth.consent.scopes")
@pytest.mark.parametrize("permissions", [(), ("manage_tokens",)])
def test_an_account_without_permissions_connects_nothing(client_id: str, permissions: tuple[str, ...]) -> None:
    flow = Flow(desk(*permissions), client_id)

    assert [flow.open().status_code, flow.decide("read").status_code] == [403, 403]


@requirement("oauth.consent.scopes")
def test_a_reader_with_an_account_connects_nothing(client_id: str) -> None:
    browser = Client()
    browser.force_login(get_user_model().objects.create_user("reader", is_superuser=True))

    assert Flow(browser, client_id).open().status_code == 403


@requirement("oauth.consent.login")
def test_a_stranger_signs_in_first_and_comes_back(client_id: str) -> None:
    flow = Flow(Client(), client_id)

    answers = [flow.open(), flow.decide("read")]

    for answer in answers:
        target = urlsplit(answer.headers["Location"])
        assert (answer.status_code, target.path) == (302, reverse("admin:login"))
        assert parse_qs(target.query)["next"] == [flow.url]


@requirement("oauth.consent.login")
@pytest.mark.parametrize(
    ("login_url", "leads_to"),
    [
        ("/about/responsible-party/", "/about/responsible-party/"),
        ("home", "/"),
        ("/blog/login", "/admin/login/"),
        ("https://sso.example/in", "https://sso.example/in"),
    ],
)
def test_the_login_of_the_host_is_used(settings: Settings, client_id: str, login_url: str, leads_to: str) -> None:
    settings.LOGIN_URL = login_url

    answer = Flow(Client(), client_id).open()

    assert answer.headers["Location"].partition("?")[0] == leads_to


@requirement("oauth.consent.login")
def test_a_login_on_another_host_leads_back_to_a_whole_url(settings: Settings, client_id: str) -> None:
    settings.LOGIN_URL = "https://sso.example/in"
    flow = Flow(Client(), client_id)

    [back] = parse_qs(urlsplit(flow.open().headers["Location"]).query)["next"]

    assert back == f"http://testserver{flow.url}"


@requirement("oauth.consent.faults")
@pytest.mark.parametrize("fault", [OperationalError("database is locked"), ConnectionError("gone")], ids=str)
def test_an_outage_is_a_page(flow: Flow, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(oauth_model("grant").objects, "create", fail)

    page = flow.decide("read")

    assert (page.status_code, location_in(page)) == (503, None)


@requirement("oauth.consent.login")
def test_a_host_that_asks_everybody_to_sign_in_does_not_lock_clients_out(settings: Settings, flow: Flow) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "django.contrib.auth.middleware.LoginRequiredMiddleware"]

    assert flow.tokens()["scope"] == "read write"


@requirement("oauth.consent.answer")
def test_the_client_gets_a_code_its_state_and_the_issuer(flow: Flow) -> None:
    page = flow.decide("read")

    answered = answer_for_client(page)
    assert answered.keys() == {"code", "state", "iss"}
    assert (answered["state"], answered["iss"]) == (STATE, ISSUER)
    assert str(location_in(page)).startswith(f"{CALLBACK}?")
    assert 'http-equiv="refresh"' in page.content.decode()
    assert page.headers["Referrer-Policy"] == "no-referrer"


@requirement("oauth.consent.answer")
def test_a_refusal_reaches_the_client(flow: Flow) -> None:
    with nothing_written():
        answered = answer_for_client(flow.decide("read", allow=False))

    assert (answered["error"], answered["state"], answered["iss"]) == ("access_denied", STATE, ISSUER)


@requirement("oauth.consent.answer")
def test_a_query_of_the_redirect_uri_stays() -> None:
    uri = "https://a.example/cb?tenant=1"
    flow = Flow(desk(*EDITOR), registered((uri,)), {"redirect_uri": uri})

    answered = answer_for_client(flow.decide("read"))

    assert answered["tenant"] == "1"
    assert answered.keys() == {"tenant", "code", "state", "iss"}


@requirement("oauth.consent.always")
@pytest.mark.parametrize("extra", [{}, {"approval_prompt": "auto"}, {"prompt": "none"}, {"prompt": "create"}], ids=str)
def test_the_page_is_shown_again_each_time(flow: Flow, extra: dict[str, str]) -> None:
    flow.tokens("read", "write", "publish")
    flow.asked |= extra
    oauth_model("application").objects.update(skip_authorization=True)

    page = flow.open()

    assert (page.status_code, location_in(page)) == (200, None)
    assert boxes(page)["publish"] is False


@requirement("oauth.consent.protected")
@pytest.mark.parametrize("has_middleware", [True, False])
def test_a_forged_form_is_refused(settings: Settings, client_id: str, has_middleware: bool) -> None:
    if not has_middleware:
        settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "csrf" not in name]
    flow = Flow(desk(*EDITOR, checks_csrf=True), client_id)

    with nothing_written():
        assert flow.decide("read").status_code == 403


@requirement("oauth.consent.protected")
def test_the_form_of_the_page_is_accepted(client_id: str) -> None:
    flow = Flow(desk(*EDITOR, checks_csrf=True), client_id)
    tree = html.fromstring(flow.open().content.decode())
    [token] = tree.xpath('//div[@id="content-main"]//input[@name="csrfmiddlewaretoken"]/@value')

    page = flow.browser.post(flow.url, {"scopes": ["read"], "allow": "yes", "csrfmiddlewaretoken": token})

    assert "code" in answer_for_client(page)


@requirement("oauth.consent.protected")
@pytest.mark.parametrize(
    "ask", [Flow.open, lambda flow: flow.decide("read"), lambda flow: flow.decide()], ids=["open", "give", "fault"]
)
def test_the_page_is_in_no_frame_and_no_cache(flow: Flow, ask: Callable[[Flow], Any]) -> None:
    page = ask(flow)

    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["Cache-Control"] == "no-store"


@requirement("oauth.consent.protected")
def test_the_policy_of_the_page_lets_static_files_of_another_host_in(settings: Settings, flow: Flow) -> None:
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": f"{__name__}.{_Elsewhere.__name__}"}}

    assert "default-src 'self' https://cdn.example;" in flow.open().headers["Content-Security-Policy"]


class _Elsewhere(StaticFilesStorage):
    """Static files on a host of their own."""

    def url(self, name: str | None, *args: Any, **kwargs: Any) -> str:
        return f"https://cdn.example/{name}"


FATAL = (
    {"client_id": None},
    {"client_id": "unknown"},
    {"client_id": "\0"},
    {"client_id": "https://evil.example/\0"},
    {"client_id": ["a", "b"]},
    {"redirect_uri": None},
    {"redirect_uri": ""},
    {"redirect_uri": [CALLBACK, "https://evil.example/"]},
    {"state": ["a", "b"]},
    {"state": "x" * 2049},
)
TOLD = (
    ({"response_type": None}, "invalid_request"),
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"response_type": "code id_token"}, "unauthorized_client"),
    ({"scope": "admin"}, "invalid_scope"),
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge_method": "S512"}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"code_challenge": "x" * 129}, "invalid_request"),
    ({"resource": "https://evil.example/mcp"}, "invalid_target"),
    ({"resource": [AGENTS, "https://evil.example/mcp"]}, "invalid_target"),
    ({"resource": f"{AGENTS}/x"}, "invalid_target"),
    ({"resource": f"{AGENTS}?x"}, "invalid_target"),
    ({"resource": "x"}, "invalid_target"),
)


@requirement("oauth.consent.faults")
@pytest.mark.parametrize("asked", FATAL, ids=str)
def test_a_request_whose_client_is_not_known_goes_nowhere(flow: Flow, asked: dict[str, Any]) -> None:
    flow.asked |= asked

    with nothing_written():
        answers = [flow.open(), flow.decide("read")]

    for answer in answers:
        assert (answer.status_code, location_in(answer)) == (400, None)
        assert "Location" not in answer.headers


@requirement("oauth.consent.faults", "oauth.code")
@pytest.mark.parametrize(("asked", "error"), TOLD, ids=str)
def test_a_faulty_request_is_a_page_with_a_link_back(flow: Flow, asked: dict[str, Any], error: str) -> None:
    flow.asked |= asked

    with nothing_written():
        answers = [flow.open(), flow.decide("read")]

    for answer in answers:
        location = str(location_in(answer))
        told = parse_qs(urlsplit(location).query)
        assert answer.status_code == 400
        assert location.startswith(f"{CALLBACK}?")
        assert (told["error"], told["state"], told["iss"]) == ([error], [STATE], [ISSUER])
        assert "http-equiv" not in answer.content.decode()


@requirement("oauth.redirects")
@pytest.mark.parametrize(
    "uri",
    [
        "https://evil.example/api/mcp/auth_callback",
        "https://claude.ai.evil.example/api/mcp/auth_callback",
        "https://evil.example@claude.ai/api/mcp/auth_callback",
        "https://claude.ai@evil.example/api/mcp/auth_callback",
        "http://claude.ai/api/mcp/auth_callback",
        "HTTPS://claude.ai/api/mcp/auth_callback",
        "https://CLAUDE.ai/api/mcp/auth_callback",
        "https://claude.ai:443/api/mcp/auth_callback",
        "https://claude.ai/api/mcp/auth_callback/",
        "https://claude.ai/api/mcp/../mcp/auth_callback",
        "https://claude.ai/api/mcp/auth%5Fcallback",
        "https://claude.ai/api/mcp/auth_callback;x",
        "https://claude.ai/api/mcp/auth_callback?x=1",
        "https://claude.ai/api/mcp/auth_callback?",
        "https://claude.ai/api/mcp/auth_callback#x",
        "https://claude.ai/api/mcp/auth_callback#",
        "https://claude.ai/api/mcp/auth_callback https://evil.example",
        "https://claude.ai\\.evil.example/api/mcp/auth_callback",
        "//claude.ai/api/mcp/auth_callback",
        "javascript:alert(1)",
    ],
)
def test_a_redirect_uri_that_is_almost_the_registered_one_gets_nothing(flow: Flow, uri: str) -> None:
    flow.asked["redirect_uri"] = uri

    with nothing_written():
        answers = [flow.open(), flow.decide("read"), flow.decide(allow=False)]

    assert [(answer.status_code, location_in(answer)) for answer in answers] == [(400, None)] * 3


@requirement("oauth.redirects")
@pytest.mark.parametrize(
    ("registered_uri", "uri", "is_accepted"),
    [
        ("http://127.0.0.1:3000/cb", "http://127.0.0.1:54321/cb", True),
        ("http://127.0.0.1/cb", "http://127.0.0.1:54321/cb", True),
        ("http://localhost:3000/cb", "http://localhost:54321/cb", True),
        ("http://[::1]/cb", "http://[::1]:54321/cb", True),
        ("http://127.0.0.1/cb?x=1", "http://127.0.0.1:9/cb?x=1", True),
        ("http://127.0.0.1/cb", "http://localhost/cb", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:9/other", False),
        ("http://127.0.0.1/cb", "http://127.0.0.1:9/cb?x", False),
        ("http://127.0.0.1/cb", "https://127.0.0.1:9/cb", False),
        ("https://a.example/cb", "https://a.example:9/cb", False),
        ("https://localhost/cb", "https://localhost:9/cb", False),
        ("cursor://a/cb", "cursor://a:9/cb", False),
    ],
)
def test_only_the_port_on_the_users_machine_may_differ(registered_uri: str, uri: str, is_accepted: bool) -> None:
    flow = Flow(desk(*EDITOR), registered((registered_uri,)), {"redirect_uri": uri})

    assert flow.open().status_code == (200 if is_accepted else 400)
    if is_accepted:
        assert flow.tokens()["scope"] == "read write"


@requirement("oauth.consent")
def test_only_get_and_post_open_the_page(flow: Flow) -> None:
    answers = {method: flow.browser.generic(method, flow.url).status_code for method in ("PUT", "DELETE", "OPTIONS")}

    assert set(answers.values()) == {405}
