"""What a host sets up for its own pages does not affect the endpoint."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.mcp.test_transport import every_kind_of_answer
from tests.requirements import requirement
from tests.support.clients import (
    MCP,
    METHOD_NOT_FOUND,
    ask,
    call_of,
    error_of,
    make_secret,
    post,
    request,
    result_of,
    tool_answer,
    tool_refusal,
)
from tests.support.factories import save
from tests.support.hosts import blog_settings

LOGIN_WALL = "django.contrib.auth.middleware.LoginRequiredMiddleware"


@pytest.fixture
def page_cache(settings: Settings) -> Iterator[None]:
    settings.CACHE_MIDDLEWARE_ALIAS = "memory"
    settings.MIDDLEWARE = [
        "django.middleware.cache.UpdateCacheMiddleware",
        *settings.MIDDLEWARE,
        "django.middleware.cache.FetchFromCacheMiddleware",
    ]
    yield


@pytest.fixture
def nosy_host(settings: Settings, page_cache: None) -> None:
    """Middleware that reads every request, login for every page, another language, and tiny upload limits."""
    settings.MIDDLEWARE = [
        "django.middleware.gzip.GZipMiddleware",
        "django.middleware.http.ConditionalGetMiddleware",
        *settings.MIDDLEWARE,
        "django.middleware.locale.LocaleMiddleware",
        LOGIN_WALL,
        "tests.hostile.policies.read_everything",
    ]
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    settings.SESSION_SAVE_EVERY_REQUEST = True
    settings.LANGUAGE_CODE = "de"
    settings.USE_THOUSAND_SEPARATOR = True
    settings.TIME_ZONE = "Asia/Kathmandu"


def what_is_said(client: Client) -> dict[str, tuple[Any, ...]]:
    """Return status, content type and body of every kind of response."""
    return {
        kind: (answer.status_code, answer.headers.get("Content-Type"), answer.content, answer.headers["Cache-Control"])
        for kind, answer in every_kind_of_answer(client).items()
    }


@pytest.mark.django_db
def test_no_csrf_token_is_asked_for() -> None:
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {make_secret()}"})

    assert tool_answer(client, "blog_save_draft", {"title": "Frost"})["post"]["title"] == "Frost"
    assert result_of(post(client, request("ping"), {"Origin": "http://testserver"})) == {}


@pytest.mark.django_db
def test_a_wall_around_all_pages_has_a_gate(agent: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, LOGIN_WALL]

    answers = [post(agent, request("ping")), agent.get(MCP), post(Client(), request("ping"))]

    assert [answer.status_code for answer in answers] == [200, 405, 401]


@requirement("agents.private")
@pytest.mark.django_db
@pytest.mark.usefixtures("page_cache")
def test_a_page_cache_of_the_host_keeps_nothing(agent: Client) -> None:
    before = tool_answer(agent, "blog_list_posts")["total"]
    save(title="Frost")

    assert (before, tool_answer(agent, "blog_list_posts")["total"]) == (0, 1)
    assert post(Client(), call_of("blog_list_posts")).status_code == 401
    assert {agent.get(MCP).headers["Cache-Control"] for _ in range(2)} == {"no-store"}


@requirement("agents.private")
@pytest.mark.django_db
def test_a_disabled_endpoint_comes_back_past_a_page_cache(agent: Client, settings: Settings, page_cache: None) -> None:
    enabled = settings.BLOG_ENGINE
    settings.BLOG_ENGINE = enabled | {"mcp": {"enabled": False}}
    gone = agent.get(MCP)

    settings.BLOG_ENGINE = enabled

    assert (gone.status_code, agent.get(MCP).status_code) == (404, 405)


@requirement("agents.private")
@pytest.mark.django_db
def test_a_nosy_host_changes_no_answer(agent: Client, request: pytest.FixtureRequest) -> None:
    agent.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    at_home = what_is_said(agent)

    request.getfixturevalue("nosy_host")
    agent.handler.load_middleware()

    assert what_is_said(agent) == at_home


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic_requests", [True, False])
def test_a_host_cannot_wrap_a_message_into_a_transaction(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, atomic_requests: bool
) -> None:
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", atomic_requests)
    wrapped = []

    def someone(request: HttpRequest) -> SimpleNamespace:
        wrapped.append(connection.in_atomic_block)
        return SimpleNamespace(name="Eve")

    settings.BLOG_ENGINE = blog_settings(authenticate=someone)

    assert tool_answer(Client(), "blog_save_draft", {"title": "Frost"})["post"]["title"] == "Frost"
    assert tool_refusal(Client(), "blog_save_draft", {"title": ""}) == ("validation_failed", ["title"])
    assert wrapped == [False] * 2
    assert [row.title for row in Post.objects.all()] == ["Frost"]


@pytest.mark.django_db
def test_messages_are_english_in_every_locale(agent: Client, settings: Settings) -> None:
    english = ask(agent, "tools/list"), tool_refusal(agent, "blog_get_post", {"id": "none"})
    settings.LANGUAGE_CODE = "de"
    settings.BLOG_ENGINE = blog_settings(locale="de")

    assert (ask(agent, "tools/list"), tool_refusal(agent, "blog_get_post", {"id": "none"})) == english


@pytest.mark.django_db(transaction=True)
def test_an_asynchronous_host_is_answered_the_same() -> None:
    headers = {"Authorization": f"Bearer {make_secret()}", "Origin": "http://testserver"}

    def send(message: object) -> HttpResponse:
        return async_to_sync(AsyncClient().post)(MCP, message, content_type="application/json", headers=headers)

    saved = result_of(send(call_of("blog_save_draft", {"title": "Frost"})))
    refusal = result_of(send(call_of("blog_save_draft", {"title": ""})))
    unknown = send(request("none"))

    assert saved["structuredContent"]["post"]["title"] == Post.objects.get().title == "Frost"
    assert refusal["structuredContent"]["error"]["details"] == ["title"]
    assert error_of(unknown) == (200, METHOD_NOT_FOUND, None)
