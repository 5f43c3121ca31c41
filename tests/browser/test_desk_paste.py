"""Text that is copied in a browser and pasted into the editor, with its real clipboard."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_SELECT = """() => {
  const range = document.createRange();
  range.setStartBefore(document.querySelector(".prose table, article table"));
  range.setEndAfter(document.querySelector("#what-it-measures ~ p"));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


@requirement("desk.paste")
def test_a_copied_part_of_an_article_is_pasted_as_markdown(
    browser: Browser, desk_reader: Reader, desk_site: Site
) -> None:
    page = desk_reader.open("public_page", storage_state=signed_in(browser, desk_site, "wanda"))
    page.evaluate(_SELECT)
    page.keyboard.press("Control+c")

    desk_reader.go(page, "add")
    body = page.locator("#id_body")
    body.focus()
    page.keyboard.press("Control+v")

    expect(body).to_have_value(
        "| Hour | Level |\n| --- | --- |\n| 06:00 | 1.20 m |\n| 12:00 | 3.54 m |\n\n## What it measures\n\n"
        f"It measures the *level*, not the weather. See [the index]({desk_site.origin}/blog/)."
    )
    assert desk_reader.faults == []
