"""A browser, and the site that it visits."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import Prepared, Reader, Site, prepare, serve

# The time limit of everything else, since other processes use the two cores of CI.
expect.set_options(timeout=30_000)

_SETTINGS = "tests.browser.site_settings"
_DESK = "tests.browser.desk_settings"
# No host name is resolved, so requests of pages to other hosts fail and are recorded.
_OPTIONS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


# While it is open, the thread counts as running an event loop, in which Django forbids the ORM.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=_OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The blog that most tests read and no test changes."""
    return prepare(tmp_path_factory.mktemp("blog"), settings=_SETTINGS, contents="tests.browser.contents")


@pytest.fixture(scope="session")
def site(prepared: Prepared) -> Iterator[Site]:
    with serve(prepared, settings=_SETTINGS) as served:
        yield served


@pytest.fixture(scope="session")
def arabic_site(prepared: Prepared) -> Iterator[Site]:
    with serve(prepared, settings="tests.browser.arabic_settings") as served:
        yield served


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
    settings = "tests.browser.hostile_settings"
    made = prepare(tmp_path_factory.mktemp("hostile"), settings=settings, contents="tests.browser.hostile_contents")
    with serve(made, settings=settings) as served:
        yield served


@pytest.fixture
def hostile_reader(browser: Browser, hostile_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, hostile_site)
    yield visitor
    visitor.leave()


@pytest.fixture(scope="session")
def desk_prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepare(
        tmp_path_factory.mktemp("desk"), settings=_DESK, contents="tests.browser.desk_contents", with_admin=True
    )


@pytest.fixture(scope="module")
def desk_site(desk_prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The desk with a copy of the prepared database, in which the tests of a module write."""
    folder = tmp_path_factory.mktemp("desk_copy") / "site"
    shutil.copytree(desk_prepared.folder, folder)
    with serve(Prepared(folder, desk_prepared.told), settings=_DESK) as served:
        yield served


@pytest.fixture
def desk_reader(browser: Browser, desk_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, desk_site)
    yield visitor
    visitor.leave()
