"""Who can call, how other callers are refused, and what a host's hook decides."""

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
from tests.support.clients import Interface, client_with, counters, make_secret, refusal_in

pytestmark = pytest.mark.django_db

UNKNOWN = (401, "unauthenticated", [])
CHALLENGE = 'Bearer realm="blog_engine"'
WRONG = CHALLENGE + ', error="invalid_token"'


@requirement(
    "access.challenge",
    "access.unauthenticated",
    "access.required",
    "agents.unauthenticated",
    "agents.transport-refusals",
)
def test_a_request_without_a_token_is_challenged(interface: Interface) -> None:
    response = interface.save(Client())

    assert refusal_in(response) == UNKNOWN
    assert response.headers["WWW-Authenticate"] == CHALLENGE
    assert counters(response) == {}
    assert not Post.objects.exists()


@requirement("access.challenge", "access.unauthenticated", "agents.unauthenticated")
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
def test_a_wrong_or_malformed_token_is_refused(interface: Interface, authorization: str, challenge: str) -> None:
    response = interface.save(Client(), headers={"Authorization": authorization.replace("{}", make_secret())})

    assert refusal_in(response) == UNKNOWN
    assert response.headers["WWW-Authenticate"] == challenge
    assert counters(response) == {}
    assert not Post.objects.exists()


@requirement("access.required")
@pytest.mark.parametrize("body", [b"{", b'{"made_up": 1}', b"[" * 100])
def test_an_unknown_caller_learns_nothing_about_the_input(interface: Interface, body: bytes) -> None:
    assert refusal_in(interface.save(Client(), data=body)) == UNKNOWN


@requirement("access.unauthenticated", "agents.unauthenticated")
def test_an_expired_or_revoked_token_is_a_wrong_one(interface: Interface) -> None:
    expired = make_secret(expires_at=timezone.now() + timedelta(seconds=1))
    revoked = make_secret(name="Revoked")
    ApiToken.objects.filter(name="Revoked").update(revoked_at=timezone.now())

    with time_machine.travel(timezone.now() + timedelta(seconds=2)):
        responses = [
            interface.save(Client(headers={"Authorization": f"Bearer {secret}"})) for secret in (expired, revoked)
        ]

    assert [refusal_in(response) for response in responses] == [UNKNOWN] * 2
    assert {response.headers["WWW-Authenticate"] for response in responses} == {WRONG}


@requirement("access.unauthenticated", "agents.unauthenticated")
def test_a_token_outside_its_header_is_ignored(interface: Interface) -> None:
    secret = make_secret()
    client = Client()
    client.cookies["Authorization"] = secret
    forged = {"X-Authorization": f"Bearer {secret}", "Proxy-Authorization": f"Bearer {secret}"}

    responses = [
        interface.save(client, QUERY_STRING=f"access_token={secret}&token={secret}"),
        interface.save(client, data=interface.saving.body.replace(b"{", b'{"token": "%s", ' % secret.encode(), 1)),
        interface.save(client, headers=forged),
    ]

    assert [refusal_in(response) for response in responses] == [UNKNOWN] * 3


@requirement("agents.unauthenticated")
def test_no_header_names_the_actor(interface: Interface) -> None:
    forged = {"X-Actor": "blog_doctor", "X-Scopes": "read write publish", "X-Remote-User": "x", "Remote-User": "x"}

    assert refusal_in(interface.save(Client(), headers=forged)) == UNKNOWN


@requirement("access.bearer")
def test_the_scheme_can_be_written_in_any_case(interface: Interface) -> None:
    interface.assert_done(interface.read(Client(headers={"Authorization": f"bEARER {make_secret()}"})))


@requirement("access.scopes.required", "agents.unauthenticated")
def test_a_token_without_the_scope_is_authenticated_and_refused(interface: Interface) -> None:
    client = client_with()

    interface.assert_refused(interface.read(client), (403, "scope_required", ["read"]))
    interface.assert_refused(interface.save(client), (403, "scope_required", ["write"]))
    assert not Post.objects.exists()


@requirement("access.hook")
def test_a_hook_decides_who_calls_with_which_scopes(interface: Interface, with_settings: Callable[..., None]) -> None:
    with_settings(authenticate=lambda request: SimpleNamespace(name=request.headers["X-User"], scopes="read other"))
    client = Client(headers={"X-User": "Eve"})

    interface.assert_done(interface.read(client))
    interface.assert_refused(interface.save(client), (403, "scope_required", ["write"]))


@requirement("access.hook.exceptions", "agents.unauthenticated")
@pytest.mark.parametrize(
    "error", [PermissionDenied(), AuthenticationFailed(), NotAuthenticated()], ids=lambda error: type(error).__name__
)
def test_a_hook_can_refuse_with_an_exception(
    interface: Interface, with_settings: Callable[..., None], error: Exception
) -> None:
    def refuse(request: HttpRequest) -> None:
        raise error

    with_settings(authenticate=refuse)

    response = interface.save(client_with("read", "write"))

    assert refusal_in(response) == UNKNOWN
    assert "resource_metadata" not in response.headers["WWW-Authenticate"]
    assert not Post.objects.exists()


@requirement("access.hook", "agents.unauthenticated")
def test_a_hook_can_refuse_with_none(interface: Interface, with_settings: Callable[..., None]) -> None:
    with_settings(authenticate=lambda request: None)

    assert refusal_in(interface.save(client_with("read", "write"))) == UNKNOWN


@pytest.mark.parametrize(
    "error", [APIException(), KeyError("x"), RuntimeError()], ids=lambda error: type(error).__name__
)
def test_a_bug_in_a_hook_is_raised(interface: Interface, with_settings: Callable[..., None], error: Exception) -> None:
    def break_down(request: HttpRequest) -> None:
        raise error

    with_settings(authenticate=break_down)

    with pytest.raises(type(error)):
        interface.read(Client())


def test_a_hook_can_read_the_body(interface: Interface, settings: Settings, with_settings: Callable[..., None]) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    with_settings(authenticate=lambda request: SimpleNamespace(name="Eve") if b"Frost" in request.body else None)

    interface.assert_done(interface.save(Client()))
    assert refusal_in(interface.read(Client())) == UNKNOWN
    assert Post.objects.get().title == "Frost"


def test_a_hook_that_reads_more_than_the_host_allows_is_refused(
    interface: Interface, settings: Settings, with_settings: Callable[..., None]
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    with_settings(authenticate=lambda request: SimpleNamespace(name="Eve") if request.body else None)

    assert refusal_in(interface.read(Client())) == (413, "payload_too_large", [])
