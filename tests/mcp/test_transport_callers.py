"""Who can call the endpoint, and how other callers are refused."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.exceptions import APIException, AuthenticationFailed, NotAuthenticated

from blog_engine.models import ApiToken, Post
from tests.requirements import requirement
from tests.support.clients import (
    MCP,
    ask,
    call_of,
    client_with,
    make_secret,
    notification,
    post,
    refusal_in,
    request,
    result_of,
    stateless,
    tool_answer,
    tool_refusal,
)
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

PING = request("ping")
SAVE = call_of("blog_save_draft", {"title": "Frost"})
UNKNOWN = (401, "unauthenticated", [])
CHALLENGE = 'Bearer realm="blog_engine"'
WRONG = CHALLENGE + ', error="invalid_token"'


@pytest.fixture
def hook(settings: Settings) -> Callable[[Callable[[HttpRequest], object]], None]:
    def use(authenticate: Callable[[HttpRequest], object]) -> None:
        settings.BLOG_ENGINE = blog_settings(authenticate=authenticate)

    return use


@requirement("agents.unauthenticated", "agents.transport-refusals")
def test_who_sends_no_token_is_asked_for_one() -> None:
    answer = post(Client(), SAVE)

    assert refusal_in(answer) == UNKNOWN
    assert answer.headers["WWW-Authenticate"] == CHALLENGE
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
@pytest.mark.parametrize(
    ("authorization", "challenge"),
    [
        ("Bearer {}x", WRONG),
        ("bearer be_wrong", WRONG),
        ("Bearer  {}", WRONG),
        ("Bearer {} x", WRONG),
        ("Bearer {}, Bearer {}", WRONG),
        ("Bearer {}\x00", WRONG),
        ("Bearer \xe9", WRONG),
        ("Bearer " + "x" * 100_000, WRONG),
        ("Bearer", CHALLENGE),
        ("{}", CHALLENGE),
        ("Basic {}", CHALLENGE),
        ("Token {}", CHALLENGE),
        ("Bearer:{}", CHALLENGE),
        ("Bearer\t{}", CHALLENGE),
        ("", CHALLENGE),
    ],
    ids=lambda text: repr(text[:30]),
)
def test_a_wrong_or_ill_written_token_is_refused(authorization: str, challenge: str) -> None:
    headers = {"Authorization": authorization.replace("{}", make_secret())}

    answers = [post(Client(), SAVE, headers), post(Client(), *_with(stateless(SAVE), headers))]

    assert [refusal_in(answer) for answer in answers] == [UNKNOWN] * 2
    assert [answer.headers["WWW-Authenticate"] for answer in answers] == [challenge] * 2
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
def test_a_token_that_has_ended_is_a_wrong_one() -> None:
    expired = make_secret(expires_at=timezone.now() + timedelta(seconds=1))
    revoked = make_secret(name="Revoked")
    ApiToken.objects.filter(name="Revoked").update(revoked_at=timezone.now())

    with time_machine.travel(timezone.now() + timedelta(seconds=2)):
        answers = [post(Client(), SAVE, {"Authorization": f"Bearer {secret}"}) for secret in (expired, revoked)]

    assert [refusal_in(answer) for answer in answers] == [UNKNOWN] * 2
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {WRONG}


@requirement("agents.unauthenticated")
def test_a_token_elsewhere_than_in_its_header_is_none() -> None:
    secret = make_secret()
    client = Client()
    client.cookies["Authorization"] = secret

    answers = [
        post(client, SAVE, path=f"{MCP}?access_token={secret}&token={secret}"),
        post(client, SAVE | {"token": secret}),
        post(client, SAVE, {"X-Authorization": f"Bearer {secret}", "Proxy-Authorization": f"Bearer {secret}"}),
    ]

    assert [refusal_in(answer) for answer in answers] == [UNKNOWN] * 3


def test_the_scheme_can_be_written_in_any_case() -> None:
    assert result_of(post(Client(), PING, {"Authorization": f"bEARER {make_secret()}"})) == {}


@requirement("agents.unauthenticated")
def test_a_token_without_any_scope_is_a_caller_all_the_same() -> None:
    client = client_with()

    assert ask(client, "ping") == {}
    assert ask(client, "tools/list")["tools"]
    assert tool_refusal(client, "blog_list_posts") == ("scope_required", ["read"])


@requirement("agents.unauthenticated", "agents.messages.notification")
def test_a_notification_without_a_token_runs_nothing() -> None:
    answer = post(Client(), notification("tools/call", SAVE["params"]))

    assert refusal_in(answer) == UNKNOWN
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
@pytest.mark.parametrize(
    "error", [PermissionDenied(), AuthenticationFailed(), NotAuthenticated()], ids=lambda error: type(error).__name__
)
def test_a_hook_can_refuse_with_an_exception(hook: Callable[..., None], error: Exception) -> None:
    def refuse(request: HttpRequest) -> None:
        raise error

    hook(refuse)

    answer = post(Client(), SAVE, {"Authorization": f"Bearer {make_secret()}"})

    assert refusal_in(answer) == UNKNOWN
    assert "resource_metadata" not in answer.headers["WWW-Authenticate"]
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
def test_a_hook_can_return_none(hook: Callable[..., None]) -> None:
    hook(lambda request: None)

    assert refusal_in(post(Client(), SAVE, {"Authorization": f"Bearer {make_secret()}"})) == UNKNOWN


@pytest.mark.parametrize(
    "error", [APIException(), KeyError("x"), RuntimeError()], ids=lambda error: type(error).__name__
)
def test_a_bug_in_a_hook_stays_a_bug(hook: Callable[..., None], error: Exception) -> None:
    def break_down(request: HttpRequest) -> None:
        raise error

    hook(break_down)

    with pytest.raises(type(error)):
        post(Client(), PING)


def test_a_hook_decides_who_calls_and_what_for(hook: Callable[..., None]) -> None:
    hook(lambda request: SimpleNamespace(name=request.headers["X-User"], scopes="read other"))
    client = Client(headers={"X-User": "Eve"})

    assert tool_answer(client, "blog_list_posts")["total"] == 0
    assert tool_refusal(client, "blog_save_draft", {"title": "Frost"}) == ("scope_required", ["write"])


def test_a_hook_can_read_the_message(hook: Callable[..., None]) -> None:
    hook(lambda request: SimpleNamespace(name="Eve") if b"Frost" in request.body else None)

    assert tool_answer(Client(), "blog_save_draft", {"title": "Frost"})["post"]["title"] == "Frost"
    assert refusal_in(post(Client(), PING)) == UNKNOWN


def test_a_hook_that_the_host_does_not_let_read_so_much_is_too_large(
    hook: Callable[..., None], settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    hook(lambda request: SimpleNamespace(name="Eve") if request.body else None)

    assert refusal_in(post(Client(), PING)) == (413, "payload_too_large", [])


@requirement("agents.unauthenticated")
def test_nothing_in_a_request_makes_a_caller_of_the_engine_itself() -> None:
    described, headers = stateless(SAVE)
    described["params"]["_meta"] |= {"actor": "blog_doctor", "scopes": ["read", "write", "publish"]}
    forged = {"X-Actor": "blog_doctor", "X-Scopes": "read write publish", "X-Remote-User": "x", "Remote-User": "x"}

    assert refusal_in(post(Client(), described, headers | forged)) == UNKNOWN


def _with(
    described: tuple[dict[str, object], dict[str, str]], headers: dict[str, str]
) -> tuple[object, dict[str, str]]:
    return described[0], described[1] | headers
