"""The desk with the keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk_pages")]

_SCREENS = [
    *("index", "posts", "queue", "write", "review", "review_talk", "schedule", "history"),
    *("image_list", "series_order", "policy"),
]
_MANY = 300
# Of the buttons of a choice, and of a toolbar, one is a stop: arrows go to the others.
# The link in the caption of Django's own table of models is left out: the Tab key of Firefox does not stop there.
_STOPS = """() => [...document.querySelectorAll("#content :is(a[href], button, input, select, textarea, summary)")]
  .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility())
  .filter((element) => element.type !== "hidden" && element.type !== "radio")
  .filter((element) => !element.closest("[role=toolbar], caption"))
  .forEach((element, number) => { element.dataset.stop = number; })"""
_COUNT = "() => document.querySelectorAll('[data-stop]').length"
# The editor loads what completes names after the page: until then, the field of tags is another one.
_IS_READY = (
    "() => [...document.querySelectorAll('[data-complete]')].every((one) => one.querySelector('[role=combobox]'))"
)
_HERE = "() => Number(document.activeElement.dataset.stop ?? -1)"


@pytest.fixture(scope="module")
def root(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "root")


def _stops(page: Page) -> list[int]:
    """Return the numbers of the elements of the page at which the Tab key stops, in their order."""
    page.wait_for_function(_IS_READY)
    page.evaluate(_STOPS)
    last = page.evaluate(_COUNT) - 1
    stops: list[int] = []
    for _ in range(_MANY):
        page.keyboard.press("Tab")
        here = page.evaluate(_HERE)
        if here >= 0 and here not in stops:
            stops.append(here)
        if here == last:
            break
    return stops


@requirement("desk.keyboard")
@pytest.mark.parametrize("screen", _SCREENS)
def test_the_tab_key_reaches_everything_in_its_order(desk_reader: Reader, root: Any, screen: str) -> None:
    page = desk_reader.open(screen, storage_state=root)

    stops = _stops(page)

    assert len(stops) > 2
    assert stops == list(range(page.evaluate(_COUNT)))


@requirement("desk.keyboard")
def test_a_reviewer_signs_with_the_keyboard(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("review_asked", storage_state=root)
    page.get_by_label("I checked the facts").focus()

    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator(".messagelist")).to_contain_text("Signed: the facts of this version are checked.")


@requirement("desk.keyboard")
def test_text_is_made_bold_with_the_keyboard(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("write", storage_state=root)
    text = page.get_by_label("Text", exact=True)
    text.focus()

    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+Shift+ArrowRight")
    page.keyboard.press("Control+b")

    assert text.input_value().startswith("**The**")
