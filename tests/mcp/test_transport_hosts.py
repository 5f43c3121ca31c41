"""What a host sets up for its own pages does not affect the endpoint."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.mcp.test_transport import every_kind_of_answer
from tests.requirements import requirement
from tests.support.clients import (
    MCP,
    ask,
    tool_refusal,
)
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


@pytest.mark.django_db
def test_messages_are_english_in_every_locale(agent: Client, settings: Settings) -> None:
    english = ask(agent, "tools/list"), tool_refusal(agent, "blog_get_post", {"id": "none"})
    settings.LANGUAGE_CODE = "de"
    settings.BLOG_ENGINE = blog_settings(locale="de")

    assert (ask(agent, "tools/list"), tool_refusal(agent, "blog_get_post", {"id": "none"})) == english
