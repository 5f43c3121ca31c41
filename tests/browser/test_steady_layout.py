"""Nothing on a page moves while it arrives over a slow connection."""

from typing import Any

import pytest
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TimedOut

from tests.browser.chromium import Reader
from tests.requirements import requirement

# Only Chromium limits the speed of a connection and reports what moved.
pytestmark = [pytest.mark.browser, pytest.mark.chromium, pytest.mark.xdist_group("browser_pictures")]

_WATCH = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    moved.push([entry.value, ...entry.sources.map((source) => source.node?.className ?? "")]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
_TIMES = """() => [
  performance.getEntriesByName("first-contentful-paint")[0].startTime,
  performance.getEntriesByType("navigation")[0].responseEnd,
]"""
# So slow that also a busy machine paints a page long before it is complete.
_SLOW = {"offline": False, "latency": 20, "downloadThroughput": 10_000, "uploadThroughput": 10_000}
_LIMIT = 0.01
"""A tenth of what web.dev calls a good score: text that wraps in another way when a font or a scroll bar appears."""


@requirement("pages.images")
@pytest.mark.parametrize(
    ("name", "width"), [("index", 1280), ("index", 375), ("category", 1280), ("article", 1280), ("article", 375)]
)
def test_nothing_moves_while_a_page_arrives(reader: Reader, name: str, width: int) -> None:
    try:
        page = _opened_slowly(reader, name, width)
    except TimedOut:
        # Once in hundreds of loads, Chromium asks for nothing more after the first files while it limits the speed.
        page = _opened_slowly(reader, name, width)

    moved: list[Any] = page.evaluate("() => moved")
    painted, complete = page.evaluate(_TIMES)
    assert painted < complete  # otherwise nothing could move
    assert sum(entry[0] for entry in moved) <= _LIMIT, moved


def _opened_slowly(reader: Reader, name: str, width: int) -> Page:
    page = reader.blank(width=width, first=_WATCH)
    connection = page.context.new_cdp_session(page)
    connection.send("Network.enable")
    connection.send("Network.emulateNetworkConditions", _SLOW)
    reader.go(page, name)
    return page
