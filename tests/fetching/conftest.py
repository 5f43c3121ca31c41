"""Servers and host names for tests of the guarded client."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from blog_engine.fetching.network import trusted_certificates
from tests.support.web import Names, Server, authority, serving

Serve = Callable[..., Server]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers that stop with the test; called like ``serving``."""
    with ExitStack() as servers:
        yield lambda *args, **kwargs: servers.enter_context(serving(*args, **kwargs))


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the authority of the tests to those of the system."""
    path = tmp_path / "authority.pem"
    path.write_bytes(authority())
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    trusted_certificates.cache_clear()
    yield
    trusted_certificates.cache_clear()
