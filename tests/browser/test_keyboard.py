"""The tab order, and the size of what has the focus."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import SHAPES, Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_keyboard")]

_TARGET = 44
_MANY = 200

# All elements, in document order, at which the Tab key should stop.
_STOPS = """() => [...document.querySelectorAll("a[href], button, input:enabled, summary, [tabindex]")]
  .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
  .forEach((element, number) => { element.dataset.stop = number; })"""
_COUNT = "() => document.querySelectorAll('[data-stop]').length"
_HERE = """() => {
  const style = getComputedStyle(document.activeElement);
  return {
    stop: Number(document.activeElement.dataset.stop ?? -1),
    ringed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    name: document.activeElement.outerHTML.slice(0, 120),
  };
}"""
# Links within a sentence are as high as their line (WCAG 2.5.8, "inline"); a card is one target with its title.
_SMALL = """(target) => [...document.querySelectorAll("a[href], button, input, summary")]
  .filter((element) => element.checkVisibility() && !element.closest("p, .blog-prose, .blog-card__title"))
  .map((element) => [element.getBoundingClientRect(), element])
  .filter(([box]) => box.width < target - 0.5 || box.height < target - 0.5)
  .map(([box, element]) => `${element.outerHTML.slice(0, 120)} ${box.width} x ${box.height}`)"""


def _path(page: Page) -> list[dict[str, Any]]:
    """Return the elements where the Tab key stops until it leaves the page."""
    page.evaluate(_STOPS)
    stops: list[dict[str, Any]] = []
    while len(stops) < _MANY:
        page.keyboard.press("Tab")
        here = page.evaluate(_HERE)
        if here["stop"] < 0 or (stops and here["stop"] == 0):
            break
        stops.append(here)
    return stops


@requirement("pages.accessible")
@pytest.mark.parametrize("kind", SHAPES)
def test_the_tab_key_goes_through_the_page_in_its_order_and_shows_where_it_is(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    path = _path(page)

    assert [stop["stop"] for stop in path] == list(range(page.evaluate(_COUNT)))
    assert [stop["name"] for stop in path if not stop["ringed"]] == []
    assert "blog-skip" in path[0]["name"]


def test_the_first_stop_leads_to_the_content(reader: Reader) -> None:
    page = reader.open("index", reduced_motion="reduce")
    skip = page.locator(".blog-skip")

    page.keyboard.press("Tab")
    box = skip.bounding_box()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert box
    assert box["y"] >= 0
    assert page.evaluate("() => document.activeElement.closest('main') !== null")


def test_the_tab_key_goes_back_the_same_way(reader: Reader) -> None:
    page = reader.open("article")
    forth = [stop["stop"] for stop in _path(page)]

    page.locator("[data-stop]").last.focus()
    back = [page.evaluate(_HERE)["stop"]]
    for _ in forth[1:]:
        page.keyboard.press("Shift+Tab")
        back.append(page.evaluate(_HERE)["stop"])

    assert back == forth[::-1]


@requirement("pages.narrow-screens")
@pytest.mark.parametrize("kind", SHAPES)
def test_everything_to_press_is_large_enough_for_a_finger(reader: Reader, kind: str) -> None:
    page = reader.open(kind, width=1280, has_touch=True, is_mobile=True)
    on_a_tablet = page.evaluate(_SMALL, _TARGET)

    page.set_viewport_size({"width": 375, "height": 800})

    assert page.evaluate(_SMALL, _TARGET) == on_a_tablet == []


@pytest.mark.chromium
@requirement("pages.contents")
def test_only_contents_links_are_smaller_for_a_mouse(reader: Reader) -> None:
    page = reader.open("article", width=1280)

    small = page.evaluate(_SMALL, _TARGET)
    rows = [box["height"] for link in page.locator("[data-blog-contents] a").all() if (box := link.bounding_box())]

    assert len(small) == len(rows)
    assert all('href="#' in row for row in small)
    assert 28 <= min(rows) <= 32


def test_keys_scroll_what_is_wider_than_the_screen(reader: Reader) -> None:
    page = reader.open("article", width=375)
    block = page.locator(".blog-prose pre").first

    block.focus()
    page.keyboard.press("ArrowRight")

    page.wait_for_function("(block) => block.scrollLeft > 0", arg=block.element_handle())
