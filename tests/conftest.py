"""Which tests can run here, the rule that CI skips none, and that no test asks for a name outside this machine."""

import os
import shutil
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import Storage
from pytest_django import Settings

from blog_engine.images.files import image_storage
from blog_engine.testing import allow_flush
from tests.databases.mariadb import mariadb_answers
from tests.reader.nu_checker import can_check
from tests.support.backends import HalfWriting, use_storage
from tests.support.images import gallery
from tests.support.web import Server

allow_flush()

_DATABASE = os.environ.get("DATABASE_URL", "sqlite:")
_CACHE = os.environ.get("CACHE_URL", "")

_ABSENT = {
    "postgres": (not _DATABASE.startswith("postgres"), "needs PostgreSQL: set DATABASE_URL=postgres://…"),
    "sqlite": (not _DATABASE.startswith("sqlite"), "needs SQLite: run it without DATABASE_URL"),
    "redis": (not _CACHE.startswith("redis"), "needs Redis: set CACHE_URL=redis://…"),
    "mariadb": (not mariadb_answers(), "needs MariaDB at 127.0.0.1:3306, its root without a password"),
    "browser": (shutil.which("chromium") is None, "needs Chromium on the PATH"),
    "markup": (not can_check(), "needs Java, and the checker that scripts/html-checker fetches"),
}


_LONGEST_ID = 40

_RESOLVE = socket.getaddrinfo
_HERE = {None, "", "localhost"}


def _resolve_here(host: Any, *args: Any, **kwargs: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name not in _HERE:
        # Addresses in numbers are taken as they are, names are not asked for.
        kwargs["flags"] = kwargs.get("flags", 0) | socket.AI_NUMERICHOST
    return _RESOLVE(host, *args, **kwargs)


@pytest.fixture(autouse=True)
def _no_names_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes fetch the images that a body shows, and the names in the bodies of tests belong to nobody."""
    monkeypatch.setattr(socket, "getaddrinfo", _resolve_here)


@pytest.fixture
def storage(settings: Settings, tmp_path: Path) -> Storage:
    """An empty folder as the storage of images."""
    settings.MEDIA_ROOT = tmp_path
    return image_storage()


@pytest.fixture
def own_images(settings: Settings, storage: Storage) -> None:
    """A storage without the files of other tests, and leave to fetch images from servers on this machine."""
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"image_fetch_policy": "open"}


@pytest.fixture
def quay() -> Iterator[Server]:
    """A server on this machine with a picture at ``/quay.png``."""
    with gallery() as server:
        yield server


@pytest.fixture
def failing_storage(settings: Settings) -> None:
    """A storage that writes half a file and then fails."""
    use_storage(settings, HalfWriting, alias="failing")
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"storage": "failing"}


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long bytes are named by their start: further on those of a picture may hold the second in which they were made,
    and all processes have to collect the same tests."""
    return f"{val[:20]!r} and {len(val) - 20} more" if isinstance(val, bytes) and len(val) > _LONGEST_ID else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Skip what needs something that this run was not given."""
    for item in items:
        for marker, (absent, reason) in _ABSENT.items():
            if absent and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test fails the run: each leg of ``.ci/run`` selects what it can run, and runs all of that."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("CI=true: a skipped test is a failure here.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
