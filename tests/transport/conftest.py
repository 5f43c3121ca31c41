"""Each test of this folder runs once with the API and once with the agent endpoint."""

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from tests.api.conftest import headers, server
from tests.support.clients import AgentEndpoint, Api, Interface, client_with
from tests.support.hosts import blog_settings

__all__ = ["headers", "interface", "server", "with_settings", "writer"]


@pytest.fixture(params=[Api(), AgentEndpoint()], ids=["api", "mcp"])
def interface(request: pytest.FixtureRequest) -> Interface:
    """The interface under test."""
    found: Interface = request.param
    return found


@pytest.fixture
def writer(db: None) -> Client:
    """A client that can read and write."""
    return client_with("read", "write")


@pytest.fixture
def with_settings(settings: Settings) -> Callable[..., None]:
    """Change settings of the engine."""

    def change(**changed: object) -> None:
        settings.BLOG_ENGINE = blog_settings(**changed)

    return change
