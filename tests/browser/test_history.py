"""How an article was made: the check of the records in the browser."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_history")]


def result_of(page: Page) -> Any:
    page.get_by_role("button", name="Check in this browser").click()
    return page.locator("[data-blog-check] [role=status]")


@requirement("public-history.evidence.check")
def test_the_browser_verifies_the_records(reader: Reader) -> None:
    page = reader.open("history")

    result = result_of(page)

    expect(result).to_have_attribute("data-state", "verified")
    expect(result).to_contain_text("Verified")
    assert reader.faults == []


@requirement("public-history.evidence.check")
@pytest.mark.chromium
def test_without_scripts_the_commands_are_there_and_no_button(reader: Reader) -> None:
    page = reader.open("history", java_script_enabled=False)

    assert page.get_by_role("button", name="Check in this browser").count() == 0
    page.get_by_text("Check it without trusting this page").click()
    expect(page.get_by_text("python verify.py evidence.json checkpoint.json")).to_be_visible()


LIES = {
    "an altered record": lambda evidence: evidence["records"][0]["record"].update(actor="Somebody Else"),
    "an altered text": lambda evidence: evidence["payloads"][0].update(payload="{}"),
    "a removed link": lambda evidence: evidence["chain"].pop(1),
    "a hidden correction": lambda evidence: evidence["records"].pop(),
    "another checkpoint": lambda evidence: evidence["checkpoint"].update(root="0" * 64, hash="0" * 64),
    "another place in the tree": lambda evidence: evidence["inclusion"].update(index=10**6),
    "nothing at all": lambda evidence: evidence.clear(),
}


@requirement("public-history.evidence.check")
@pytest.mark.parametrize("lie", LIES)
def test_the_browser_finds_a_lie(reader: Reader, lie: str) -> None:
    def tell(route: Route) -> None:
        evidence = json.loads(route.fetch().text())
        LIES[lie](evidence)
        route.fulfill(json=evidence)

    page = reader.open("history")
    page.route("**/evidence.json", tell)

    expect(result_of(page)).to_have_attribute("data-state", "failed")
    reader.faults.clear()


@requirement("public-history.evidence.check")
def test_records_out_of_reach_are_no_lie(reader: Reader) -> None:
    page = reader.open("history")
    page.route("**/checkpoints/*", lambda route: route.abort())

    expect(result_of(page)).to_have_attribute("data-state", "unreachable")
    reader.faults.clear()
