"""A review that goes back and forth, as a writer sees it in the editor."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import Reader, Site
from tests.browser.test_desk_stories import Person
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_SENT_BACK = """
from django.utils import timezone
from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.conversation import AddRemark, ReturnReview
rita, now = Actor("Rita Reviewer"), timezone.now()
services.add_remark(AddRemark(id="{id}", text="In {month}?", passage="sown in May"), actor=rita, now=now)
services.return_review(ReturnReview(id="{id}", note="Ask in {month}."), actor=rita, now=now)
"""


@requirement("reviews.desk.form", "reviews.desk.ask")
def test_a_writer_is_sent_back_twice_and_loses_nothing(browser: Browser, desk_reader: Reader, desk_site: Site) -> None:
    wanda = Person(browser, desk_reader, "wanda")
    page = wanda.goes_to("add")
    page.get_by_label("Title", exact=True).fill("Leeks by the sea")
    page.get_by_label("Text", exact=True).fill("Leeks are sown in May.")
    expect(page).to_have_url(re.compile(r"/post/\d+/change/$"))
    path, number = page.url.removeprefix(desk_site.origin), page.url.split("/")[-3]

    for month in ("March", "April"):
        desk_site.manage("shell", "-c", _SENT_BACK.format(id=number, month=month))
        wanda.opens(path)
        on_top = page.get_by_role("region", name="Conversation")
        expect(on_top).to_contain_text("Sent back by Rita Reviewer")
        expect(on_top).to_contain_text(f"Ask in {month}.")
        expect(on_top).to_contain_text("1 open remark")
        wanda.takes_a_picture("sent-back")
        typed = f"Leeks are sown in May. {month} is too cold."
        page.get_by_label("Text", exact=True).fill(typed)

        remark = on_top.get_by_role("listitem").filter(has_text="sown in May")
        remark.locator("summary").click()
        remark.get_by_label("Your answer").fill("It is too cold.")
        remark.get_by_role("button", name="Send").click()
        expect(on_top.get_by_role("status")).to_have_text("Your answer is sent.")
        expect(on_top.get_by_role("status")).to_be_focused()
        expect(remark).to_contain_text("It is too cold.")
        expect(remark.get_by_label("Your answer")).to_be_hidden()
        on_top.locator("summary").first.click()
        on_top.get_by_label("Your answer").first.fill("Not sent yet.")
        remark.get_by_role("button", name="Resolve").click()
        expect(on_top.get_by_role("status")).to_have_text("Resolved.")
        expect(on_top).not_to_contain_text("open remark")
        expect(on_top.get_by_label("Your answer")).to_have_value("Not sent yet.")
        expect(page.get_by_label("Text", exact=True)).to_have_value(typed)

        expect(page.locator("[data-status]")).to_contain_text("Saved at")
        wanda.clicks("Ask for a review…")
        page.get_by_label("What should the reviewer know?").fill(f"Not in {month}.")
        page.get_by_label("Who is asked").select_option("Erik Editor")
        wanda.takes_a_picture("ask-review")
        wanda.clicks("Send the request")
        wanda.sees("A review is requested.")
        wanda.sees("Wanda Writer asked Erik Editor for a review.")
    assert desk_reader.faults == []


@requirement("reviews.desk.form")
@pytest.mark.chromium
def test_the_conversation_goes_on_without_scripts(browser: Browser, desk_reader: Reader) -> None:
    wanda = Person(browser, desk_reader, "wanda", java_script_enabled=False)
    page = wanda.goes_to("write_back")
    on_top = page.get_by_role("region", name="Conversation")
    expect(on_top).to_contain_text("Is it still there?")
    expect(on_top.get_by_label("Your answer")).to_have_count(2)
    expect(on_top.get_by_label("Your answer").first).to_be_hidden()

    with page.expect_navigation():
        on_top.get_by_role("link", name="Answer").last.click()
    remark = page.get_by_role("listitem").filter(has_text="Is it still there?")
    remark.locator("summary").click()
    remark.get_by_label("Your answer").fill("It is.")
    with page.expect_navigation():
        remark.get_by_role("button", name="Send").click()
    wanda.sees("Your answer is sent.")
    wanda.sees("It is.")
    assert desk_reader.faults == []
