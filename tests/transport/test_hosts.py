"""Methods other than POST, and what a host sets up for its own pages."""

import uuid
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import Interface, counters, make_secret, refusal_in

pytestmark = pytest.mark.django_db

STRANGE = {"Origin": "https://evil.example", "Authorization": "Basic eDp5"}
OTHER_METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


@requirement("api.paths.unauthenticated", "agents.method")
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("method", OTHER_METHODS)
def test_other_methods_are_405_before_authentication(interface: Interface, method: str, slash: str) -> None:
    response = Client().generic(method, interface.reading.path + slash, headers=STRANGE)

    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    assert response.headers["Cache-Control"] == "no-store"
    assert "WWW-Authenticate" not in response.headers
    assert not response.cookies


@requirement("api.paths.unauthenticated", "agents.method", "agents.rate")
@pytest.mark.parametrize("method", OTHER_METHODS)
def test_other_methods_run_nothing_and_are_not_counted(
    interface: Interface, writer: Client, with_settings: Callable[..., None], method: str
) -> None:
    with_settings(api_rate_limit="1/h")
    path, body = interface.reading

    refused = [writer.generic(method, path, body, content_type="application/json") for _ in range(3)]

    assert {response.status_code for response in refused} == {405}
    assert [counters(response) for response in refused] == [{}] * 3
    interface.assert_done(interface.read(writer))


@requirement("api.answers.no-store", "agents.private")
def test_the_page_cache_of_a_host_keeps_no_answer(interface: Interface, writer: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [
        "django.middleware.cache.UpdateCacheMiddleware",
        *settings.MIDDLEWARE,
        "django.middleware.cache.FetchFromCacheMiddleware",
    ]
    settings.CACHE_MIDDLEWARE_KEY_PREFIX = uuid.uuid4().hex

    response = interface.read(writer)

    interface.assert_done(response)
    assert response.headers["Cache-Control"] == "no-store"
    assert refusal_in(interface.read(Client())) == (401, "unauthenticated", [])
    assert {writer.put(interface.reading.path).headers["Cache-Control"] for _ in range(2)} == {"no-store"}


def test_no_csrf_token_is_required(interface: Interface) -> None:
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {make_secret()}"})

    interface.assert_done(interface.save(client))
    interface.assert_done(interface.read(client, headers={"Origin": "http://testserver"}))


@requirement("host.login-required")
def test_djangos_login_middleware_lets_clients_pass(interface: Interface, writer: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "django.contrib.auth.middleware.LoginRequiredMiddleware"]

    interface.assert_done(interface.read(writer))
    assert writer.put(interface.reading.path).status_code == 405
    assert refusal_in(interface.read(Client())) == (401, "unauthenticated", [])


@requirement("api.answers.forged-host", "agents.origin")
def test_a_forged_host_is_refused_by_django(
    interface: Interface, writer: Client, settings: Settings, with_settings: Callable[..., None]
) -> None:
    with_settings(public_base_url=None)
    settings.MIDDLEWARE = []

    response = interface.save(writer, headers={"Host": "evil.example"})

    assert response.status_code == 400
    assert not Post.objects.exists()


@requirement("api.answers.transactions")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic_requests", [True, False])
def test_a_host_cannot_wrap_a_request_into_a_transaction(
    interface: Interface, with_settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch, atomic_requests: bool
) -> None:
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", atomic_requests)
    wrapped = []

    def authenticate(request: HttpRequest) -> SimpleNamespace:
        wrapped.append(connection.in_atomic_block)
        return SimpleNamespace(name="Eve")

    with_settings(authenticate=authenticate)

    interface.assert_done(interface.save(Client()))
    refused = interface.save(Client(), data=interface.saving.body.replace(b"Frost", b""))

    interface.assert_refused(refused, (422, "validation_failed", ["title"]))
    assert wrapped == [False] * 2
    assert [post.title for post in Post.objects.all()] == ["Frost"]


@pytest.mark.django_db(transaction=True)
def test_an_asynchronous_host_gets_the_same_answers(interface: Interface) -> None:
    headers = {"Authorization": f"Bearer {make_secret()}", "Origin": "http://testserver"}

    def send(body: bytes) -> HttpResponse:
        post = async_to_sync(AsyncClient().post)
        response: HttpResponse = post(interface.saving.path, body, content_type="application/json", headers=headers)
        return response

    saved = send(interface.saving.body)
    refused = send(interface.saving.body.replace(b"Frost", b""))

    interface.assert_done(saved)
    interface.assert_refused(refused, (422, "validation_failed", ["title"]))
    assert Post.objects.get().title == "Frost"
