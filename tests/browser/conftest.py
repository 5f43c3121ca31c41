"""A browser, and the site that it visits."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.reader import Reader
from tests.browser.served import Prepared, Site, prepare, serve

# As long as everything else may take: CI has two cores, and other processes use them, too.
expect.set_options(timeout=30_000)

_SETTINGS = "tests.browser.site_settings"
# Names are resolved to nothing: whatever a page asks of another host fails, and is seen.
_OPTIONS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


# While it is open, a thread counts as running an event loop, in which Django forbids its ORM: it ends with this folder.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=_OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The blog that most tests read. They change nothing in it."""
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
    """A blog full of attacks, served without any header that would stop them."""
    settings = "tests.browser.hostile_settings"
    made = prepare(tmp_path_factory.mktemp("hostile"), settings=settings, contents="tests.browser.hostile_contents")
    with serve(made, settings=settings) as served:
        yield served


@pytest.fixture
def hostile_reader(browser: Browser, hostile_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, hostile_site)
    yield visitor
    visitor.leave()
