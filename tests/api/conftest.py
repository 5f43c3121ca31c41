"""Any mount, the operations of ``plumbing`` as a site, and a server that runs."""

from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from django.test import override_settings
from django.urls import clear_script_prefix, set_script_prefix
from pytest_django import Settings

from tests.support.hosts import PLACES


@pytest.fixture(params=["journal", "root", "proxy"])
def place(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The path that Django sees, and what the server has stripped before it."""
    urlconf, mount, script_name = PLACES[request.param]
    # Django's test client does not do this, other than its WSGI handler.
    set_script_prefix(f"{script_name}/")
    with override_settings(ROOT_URLCONF=urlconf):
        yield mount, script_name
    clear_script_prefix()


@pytest.fixture
def plumbing(settings: Settings) -> None:
    """Serve the operations of ``tests.api.plumbing`` instead of the blog."""
    settings.ROOT_URLCONF = "tests.api.plumbing"


@pytest.fixture
def server(live_server: Any, settings: Settings) -> Iterator[HTTPConnection]:
    """A connection to a server that runs, for what a test client cannot send."""
    # The threads of the server would leave sockets to Redis behind.
    settings.RATELIMIT_USE_CACHE = "memory"
    connection = HTTPConnection(live_server.thread.host, live_server.thread.port, timeout=20)
    yield connection
    connection.close()
