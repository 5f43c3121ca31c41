"""The order of a series: moved by buttons, by keys and by drag and drop, and saved."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]


@pytest.fixture(scope="module")
def editor(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "erik")


def titles(page: Page) -> list[str]:
    return page.locator("#order [data-title]").all_inner_texts()


def press(page: Page, name: str) -> None:
    """Press a button that sends the form, and wait for the page that answers."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


@requirement("desk.series-order")
def test_a_button_moves_a_post_without_a_request_and_keeps_the_focus(desk_reader: Reader, editor: Any) -> None:
    page = desk_reader.open("series_order", storage_state=editor)
    one, two, three = titles(page)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))

    page.get_by_role("button", name=f"Move “{three}” up").focus()
    page.keyboard.press("Enter")

    assert titles(page) == [one, three, two]
    expect(page.get_by_role("button", name=f"Move “{three}” up")).to_be_focused()
    expect(page.get_by_role("status")).to_have_text(f"“{three}” is now number 2 of 3. The order is not saved yet.")
    page.keyboard.press("Enter")
    assert titles(page) == [three, one, two]
    expect(page.get_by_role("button", name=f"Move “{three}” down")).to_be_focused()
    assert requests == []


@pytest.mark.chromium
def test_a_dragged_post_is_saved_in_its_new_place(desk_reader: Reader, editor: Any) -> None:
    page = desk_reader.open("series_order", storage_state=editor)
    one, two, three = titles(page)

    rows = page.locator("#order li")
    rows.nth(0).drag_to(rows.nth(2), target_position={"x": 60, "y": 30})
    expect(page.get_by_role("status")).to_contain_text("is now number 3 of 3")
    press(page, "Save this order")

    assert titles(page) == [two, three, one]
    assert desk_reader.faults == []


@pytest.mark.chromium
@requirement("desk.series-order")
def test_the_buttons_work_without_javascript(desk_reader: Reader, editor: Any) -> None:
    page = desk_reader.open("series_order", storage_state=editor, java_script_enabled=False)
    one, two, three = titles(page)

    press(page, f"Move “{one}” down")
    assert titles(page) == [two, one, three]
    press(page, "Save this order")

    assert titles(page) == [two, one, three]
    assert titles(desk_reader.open("series_order", storage_state=editor)) == [two, one, three]
