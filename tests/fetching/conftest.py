"""Servers and names for the tests of the guarded client."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.fetching.servers import Names, Server, serving

Serve = Callable[..., Server]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers that stop with the test; called as ``serving`` is."""
    with ExitStack() as servers:
        yield lambda *args, **kwargs: servers.enter_context(serving(*args, **kwargs))
