"""Pages in WebKitGTK, the engine that Safari shares, driven by WebDriver.

Playwright's own WebKit is not among Debian's packages; MiniBrowser needs a display, such as that of ``xvfb-run``.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import axe_playwright_python
import pytest
from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.browser.chromium import KINDS, SHAPES, Site
from tests.requirements import requirement
from tests.support.programs import webkit_program

# Selenium 4.52 warns about itself when it starts WebKit.
_ABOUT_ITSELF = "ignore:setting remote_server_addr:DeprecationWarning"
pytestmark = [
    pytest.mark.filterwarnings(_ABOUT_ITSELF),
    pytest.mark.webkit,
    pytest.mark.heavy,
    pytest.mark.xdist_group("browser_webkit"),
]

_AXE: Final = Path(axe_playwright_python.__file__).parent / "axe.min.js"
_RUN_AXE: Final = """
const done = arguments[arguments.length - 1];
axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"] })
  .then(({ violations }) => done(violations.map(({ help, nodes }) => [help, nodes.map(({ html }) => html)])));
"""
_OVERFLOW: Final = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
_GROUND: Final = "return getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def webkit() -> Iterator[WebKitGTK]:
    options = Options()
    options.binary_location = str(webkit_program())
    options.add_argument("--automation")
    driver = WebKitGTK(options=options, service=Service(shutil.which("WebKitWebDriver")))
    yield driver
    driver.quit()


def _open(webkit: WebKitGTK, site: Site, name: str, *, width: int) -> None:
    webkit.set_window_size(width, 900)
    webkit.get(site.url(name))


@requirement("pages.accessible")
@pytest.mark.parametrize("kind", KINDS)
def test_webkit_shows_the_page(webkit: WebKitGTK, site: Site, kind: str) -> None:
    found: dict[int, Any] = {}
    for width in (1280, 480):
        _open(webkit, site, kind, width=width)
        webkit.execute_script(_AXE.read_text("utf-8"))
        found[width] = (webkit.execute_script(_OVERFLOW), webkit.execute_async_script(_RUN_AXE))

    assert found == {1280: (0, []), 480: (0, [])}


@requirement("pages.mode-switch")
@pytest.mark.parametrize("kind", SHAPES)
def test_webkit_changes_the_mode(webkit: WebKitGTK, site: Site, kind: str) -> None:
    _open(webkit, site, kind, width=1280)
    switch = webkit.find_element(By.CSS_SELECTOR, "[data-blog-theme-switch]")
    before = webkit.execute_script(_GROUND)

    switch.click()
    switch.click()

    assert webkit.execute_script(_GROUND) != before
    switch.click()
    assert webkit.execute_script(_GROUND) == before


def test_webkit_suggests_articles(webkit: WebKitGTK, site: Site) -> None:
    _open(webkit, site, "index", width=1280)

    webkit.find_element(By.CSS_SELECTOR, "input[name=q]").send_keys("harbour")

    WebDriverWait(webkit, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "[role=option]"))
