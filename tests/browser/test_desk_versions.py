"""A writer loses an article and finds it again; a removed draft comes back."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_STORY = "The lamp on the pier burns all night, and the boats steer by it until the sun is up."


@requirement("desk.versions.continue", "desk.autosave")
def test_an_article_that_was_erased_and_saved_is_found_again(
    browser: Browser, desk_reader: Reader, desk_site: Site
) -> None:
    page = desk_reader.open("add", storage_state=signed_in(browser, desk_site, "wanda"))
    status, body = page.locator("[data-status]"), page.locator("#id_body")
    page.locator("#id_title").fill("A lamp and its boats")
    body.fill(_STORY)
    expect(status).to_contain_text("Saved at")
    page.reload()

    body.press("Control+a")
    body.press_sequentially("x")
    expect(status).to_contain_text("Not saved yet")
    expect(status).to_contain_text("Saved at")
    page.reload()
    expect(body).to_have_value("x")

    page.get_by_role("link", name="History", exact=True).first.click()
    page.get_by_role("link", name=re.compile("Version of .* by Wanda Writer")).first.click()
    expect(page.locator(".revision-body")).to_contain_text(_STORY)
    page.get_by_role("button", name="Continue from this version").click()

    expect(body).to_have_value(_STORY)
    expect(page.locator(".messagelist")).to_contain_text("is the text again. The one before is kept in the history.")


@requirement("desk.bin")
def test_a_removed_draft_is_brought_back(browser: Browser, desk_reader: Reader, desk_site: Site) -> None:
    page = desk_reader.open("posts", storage_state=signed_in(browser, desk_site, "erik"))

    page.get_by_role("link", name="Bin", exact=True).click()
    page.get_by_role("button", name=re.compile("Bring back.*A draft that was removed")).click()

    expect(page.locator(".messagelist")).to_contain_text("“A draft that was removed” is a draft again.")
    expect(page.locator("#id_body")).to_have_value(re.compile("The gauge at the steps"))
