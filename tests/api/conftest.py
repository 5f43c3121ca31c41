"""Counters of their own for each test, the operations of ``plumbing`` as a site, and a server that runs."""

import uuid
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from pytest_django import Settings

from tests.api.plumbing import URLS


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Row ids, and so the identities that are counted, repeat between tests; the cache may be shared."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex


@pytest.fixture
def plumbing(settings: Settings) -> None:
    """Serve the operations of ``tests.api.plumbing`` instead of the blog."""
    settings.ROOT_URLCONF = URLS


@pytest.fixture
def server(live_server: Any, settings: Settings) -> Iterator[HTTPConnection]:
    """A connection to a server that runs, for what a test client cannot send."""
    # The threads of the server would leave sockets to Redis behind.
    settings.RATELIMIT_USE_CACHE = "memory"
    connection = HTTPConnection(live_server.thread.host, live_server.thread.port, timeout=20)
    yield connection
    connection.close()
