"""Which tests can run here, and the rule that CI skips none."""

import os
import shutil
from collections.abc import Iterable

import pytest

from blog_engine.testing import allow_flush

allow_flush()

_DATABASE = os.environ.get("DATABASE_URL", "sqlite:")
_CACHE = os.environ.get("CACHE_URL", "")

_ABSENT = {
    "postgres": (not _DATABASE.startswith("postgres"), "needs PostgreSQL: set DATABASE_URL=postgres://…"),
    "sqlite": (not _DATABASE.startswith("sqlite"), "needs SQLite: run it without DATABASE_URL"),
    "redis": (not _CACHE.startswith("redis"), "needs Redis: set CACHE_URL=redis://…"),
    "browser": (shutil.which("chromium") is None, "needs Chromium on the PATH"),
}


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
