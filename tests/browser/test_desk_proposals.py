"""A writer proposes a change of a public post in the browser, and an editor signs and applies it."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]


@requirement("desk.proposals.write", "desk.proposals.steps", "desk.stories")
def test_a_proposal_is_made_signed_and_applied_without_javascript(
    browser: Browser, desk_reader: Reader, desk_site: Site
) -> None:
    wanda, erik = (
        desk_reader.blank(storage_state=signed_in(browser, desk_site, name), java_script_enabled=False)
        for name in ("wanda", "erik")
    )
    visitor = desk_reader.blank()
    wanda.goto(desk_site.url("propose"))
    wanda.get_by_label("Text", exact=True).fill("High water comes at noon.")
    wanda.get_by_role("button", name="Save as a proposal…").click()
    expect(wanda.get_by_role("heading", name="Propose a change")).to_be_visible()
    wanda.get_by_label("Update: readers learn something new").check()
    wanda.get_by_role("button", name="Propose this change").click()
    expect(wanda.get_by_text("The change is proposed.")).to_be_visible()
    expect(wanda.get_by_role("link", name="Apply…")).to_have_count(0)
    visitor.goto(desk_site.url("tides_page"))
    expect(visitor.get_by_text("High water comes at noon.")).to_have_count(0)

    erik.goto(desk_site.url("index"))
    erik.get_by_role("link", name="Proposals to decide").click()
    erik.get_by_role("row", name="Wanda Writer").get_by_role("link").click()
    expect(erik.locator("ins", has_text="noon")).to_be_visible()
    erik.get_by_label("I checked the facts of exactly this version.").check()
    erik.get_by_role("button", name="Sign this version").click()
    expect(erik.get_by_text("Erik Editor checked the facts")).to_be_visible()
    erik.get_by_role("link", name="Apply…").click()
    erik.get_by_role("button", name="Apply now").click()
    expect(erik.get_by_text("Applied. Readers see the change")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_text("High water comes at noon.")).to_be_visible()
    assert desk_reader.faults == []
