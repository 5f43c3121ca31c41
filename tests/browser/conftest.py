"""A browser, and the site that it visits."""

import json
import os
from collections.abc import Iterator
from fcntl import LOCK_EX, flock

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser.chromium import PATIENCE, Prepared, Reader, Site, prepare, serve
from tests.support.programs import BROWSER, browser_program

# The time limit of everything else, since other processes use the two cores of CI.
expect.set_options(timeout=PATIENCE)

# Firefox has no such option for a window, so that all of its pages are light. Its scroll bars would take part of the
# width, which those of the other browsers do not without a screen.
_PREFERENCES: dict[str, str | float | bool] = {
    "layout.css.prefers-color-scheme.content-override": 1,
    "ui.useOverlayScrollbars": 1,
    "widget.gtk.overlay-scrollbars.enabled": True,
}
# No host name is resolved, so requests of pages to other hosts fail and are recorded.
_OPTIONS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]


def _launch(playwright: Playwright) -> Browser:
    if BROWSER == "firefox":
        # WebDriver BiDi, which Debian's Firefox speaks without another program.
        return playwright.firefox.launch(
            channel="moz-firefox", executable_path=browser_program(), firefox_user_prefs=_PREFERENCES
        )
    return playwright.chromium.launch(executable_path=browser_program(), args=_OPTIONS)


# While it is open, the thread counts as running an event loop, in which Django forbids the ORM.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = _launch(playwright)
        yield opened
        opened.close()


def _prepared_once(factory: pytest.TempPathFactory, contents: str, **variables: str) -> Prepared:
    """Return a copy of a site, which the first of the test processes that need it makes."""
    root = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    made, told = root / contents, root / f"{contents}.json"
    with (root / f"{contents}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not told.exists():
            site = prepare(made, contents, **variables)
            told.write_text(json.dumps(site.told), "utf-8")
    return Prepared(made, json.loads(told.read_text("utf-8"))).copied_to(factory.mktemp("site") / "copy")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The blog that most tests read and no test changes."""
    return _prepared_once(tmp_path_factory, "tests.browser.contents")


@pytest.fixture(scope="session")
def site(prepared: Prepared) -> Iterator[Site]:
    with serve(prepared) as served:
        yield served


@pytest.fixture(scope="session")
def arabic_site(prepared: Prepared) -> Iterator[Site]:
    with serve(prepared, BLOG_LOCALE="ar") as served:
        yield served


@pytest.fixture(scope="session")
def long_prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A blog of long words."""
    return _prepared_once(tmp_path_factory, "tests.browser.long_contents")


@pytest.fixture
def reader(browser: Browser, site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, site)
    yield visitor
    visitor.leave()


@pytest.fixture
def arabic_reader(browser: Browser, arabic_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, arabic_site)
    yield visitor
    visitor.leave()


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A hostile blog, served without protective headers."""
    made = _prepared_once(tmp_path_factory, "tests.browser.hostile_contents", BLOG_SITE="hostile")
    with serve(made, BLOG_SITE="hostile") as served:
        yield served


@pytest.fixture
def hostile_reader(browser: Browser, hostile_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, hostile_site)
    yield visitor
    visitor.leave()


@pytest.fixture(scope="session")
def desk_prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return _prepared_once(tmp_path_factory, "tests.browser.desk_contents", BLOG_SITE="desk")


@pytest.fixture(scope="module")
def desk_site(desk_prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The desk with a copy of the prepared database, in which the tests of a module write."""
    with serve(desk_prepared.copied_to(tmp_path_factory.mktemp("desk") / "copy"), BLOG_SITE="desk") as served:
        yield served


@pytest.fixture
def desk_reader(browser: Browser, desk_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, desk_site)
    yield visitor
    visitor.leave()
