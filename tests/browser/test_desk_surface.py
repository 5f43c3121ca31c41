"""The writing surface: nothing lies over anything else, the text grows, details fold, the preview follows the caret."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
_STEP = 90
_PREVIEWS = ["", "phone", "wide"]


@pytest.fixture(scope="module")
def root(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "root")


def overlaps(page: Page) -> list[str]:
    """Return what lies over something else at any scroll position of the page."""
    found: list[str] = page.evaluate(f"(step) => {{ {_OVERLAPS}; return overlaps(step); }}", _STEP)
    return found


def _with_errors(page: Page) -> None:
    """Save a post whose side fields are refused, and show the page that says so."""
    page.locator("#id_title").fill("Refused")
    page.locator("#id_canonical_url").evaluate("(field) => { field.value = 'nonsense'; }")
    page.locator("[data-save]").click()
    page.locator("#editor-errors").wait_for()


def _with_a_message(page: Page) -> None:
    page.get_by_role("button", name="Ask for a review").click()
    page.locator(".messagelist").wait_for()


def _with_a_copy(page: Page) -> None:
    page.evaluate("document.querySelector('[data-post-form]').before(document.querySelector('[data-copy-template]').content)")


_STATES = {
    "add": ("add", _with_errors),
    "write": ("write", _with_a_message),
    "write_public": ("write_public", _with_a_copy),
    "propose": ("propose", None),
}


@requirement("desk.surface.overlaps")
@pytest.mark.parametrize("width", [1024, 1280, 1600])
@pytest.mark.parametrize("state", _STATES)
def test_nothing_lies_over_anything_at_any_scroll_position(
    desk_reader: Reader, root: Any, state: str, width: int
) -> None:
    screen, prepare = _STATES[state]
    page = desk_reader.open(screen, width=width, height=800, storage_state=root)
    if prepare:
        prepare(page)
    found = {}
    for are_details_shown in (True, False):
        found["closed", are_details_shown] = overlaps(page)
        page.locator("[data-preview-toggle]").click()
        for shape in _PREVIEWS:
            if shape:
                page.locator(f"[data-preview-width={shape}]").click()
            found[shape, are_details_shown] = overlaps(page)
        page.locator("[data-preview-width=wide]").click()
        page.locator("[data-preview-toggle]").click()
        page.locator("[data-details-toggle]").click()

    assert found == dict.fromkeys(found, [])
