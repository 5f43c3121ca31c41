"""The order of checks: 401, 429, scope, body, shape, scope of the target."""

import json
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.api.conftest import BASE
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in
from tests.support.hosts import blog_settings
from tests.support.tables import undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plumbing")]

NOTES = f"{BASE}/notes"
TOO_LARGE = json.dumps({"text": "x" * (3 * 1024 * 1024)})


@pytest.fixture
def with_settings(settings: Settings) -> Callable[..., None]:
    def change(**changed: object) -> None:
        settings.BLOG_ENGINE = blog_settings(**changed)

    return change


@pytest.fixture
def dead_cache(settings: Settings) -> None:
    settings.RATELIMIT_USE_CACHE = "dead"


def send(
    client: Client, method: str, path: str, body: str = "{", content_type: str = "application/json"
) -> HttpResponse:
    return client.generic(method, path, body, content_type=content_type)


@requirement("access.order")
def test_a_base_scope_comes_before_the_body(subtests: pytest.Subtests) -> None:
    for method, path, scope in [("GET", NOTES, "read"), ("DELETE", f"{NOTES}/1?x=1", "publish")]:
        for body, content_type in [("{", "application/json"), ("a=b", "text/plain"), (TOO_LARGE, "application/json")]:
            with subtests.test(body=body, content_type=content_type, method=method, path=path, scope=scope), undone():
                response = send(client_with(), method, path, body, content_type)

                assert refusal_in(response) == (403, "scope_required", [scope])


@requirement("access.order")
def test_without_a_base_scope_the_shape_comes_first() -> None:
    client = client_with()

    assert refusal_in(send(client, "POST", NOTES, '{"x": 1}')) == (422, "unknown_field", ["x"])
    assert refusal_in(send(client, "POST", NOTES, "{}")) == (403, "scope_required", ["write"])


@requirement("access.rate.limit", "access.rate.headers")
def test_every_answer_to_an_authenticated_actor_counts_down(with_settings: Callable[..., None]) -> None:
    with_settings(api_rate_limit="10/h")
    client = client_with("read", "write")

    answers = [
        send(client, "GET", NOTES, ""),
        send(client, "GET", f"{NOTES}?x=1", ""),
        send(client, "POST", NOTES, "{"),
        send(client, "DELETE", f"{NOTES}/1", ""),
        send(client, "POST", f"{NOTES}/1/seal", ""),
        send(client, "GET", f"{NOTES}/1/gone", ""),
    ]

    assert [answer.status_code for answer in answers] == [200, 422, 422, 403, 409, 503]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["9", "8", "7", "6", "5", "4"]


@requirement("api.paths.unauthenticated")
def test_unknown_paths_and_methods_are_not_counted(with_settings: Callable[..., None]) -> None:
    with_settings(api_rate_limit="1/h")
    client = client_with("read")

    answers = [send(client, "PUT", NOTES), send(client, "GET", f"{BASE}/other"), send(client, "GET", NOTES, "")]

    assert [answer.status_code for answer in answers] == [405, 404, 200]


@requirement("access.rate.cache-gone", "api.answers.unavailable")
@pytest.mark.usefixtures("dead_cache")
@pytest.mark.parametrize(("method", "path"), [("POST", NOTES), ("DELETE", f"{NOTES}/1"), ("POST", f"{NOTES}/1/seal")])
def test_without_the_cache_writing_waits(method: str, path: str) -> None:
    response = send(client_with("read", "write", "publish"), method, path, "")

    assert refusal_in(response) == (503, "unavailable", [])
    assert response.headers["Retry-After"] == "1"
