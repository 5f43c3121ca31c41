"""A review as a conversation, in the browser: remarks on passages, sending back, and signing with a release."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.browser.test_desk_stories import Person
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk_reviews")]

_TITLE = "Ice on the river"
_FIRST = "The river froze on Monday.\n\nNobody crossed it.\n"
_SECOND = "The river froze on Monday, says the harbour office.\n\nNobody crossed it.\n"
_LAST = "The river froze on Monday, says the harbour office.\n\nThree people crossed it.\n"


class CountingPerson(Person):
    """A person whose links and buttons are counted."""

    clicked = 0

    def clicks(self, label: str) -> None:
        self.clicked += 1
        super().clicks(label)

    def opens_the_review(self) -> Page:
        """Go from the start page to the review of the post; the clicks are counted from there."""
        self.goes_to("index")
        self.clicked = 0
        self.clicks("Reviews requested")
        self.clicks(_TITLE)
        return self.page


@pytest.fixture(scope="module")
def erik_state(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "erik")


@requirement("desk.stories", "desk.clicks", "desk.review.remarks", "desk.review.return", "desk.review.decisions")
def test_a_post_is_sent_back_twice_and_published_from_the_review(
    browser: Browser, desk_reader: Reader, desk_site: Site
) -> None:
    wanda, erik = Person(browser, desk_reader, "wanda"), CountingPerson(browser, desk_reader, "erik")
    path = _writes(wanda)

    page = erik.opens_the_review()
    erik.sees("Is the beginning clear?")
    _selects(page, "The river froze on Monday.")
    page.get_by_role("button", name="Remark on the selected words").click()
    expect(page.get_by_label("Passage")).to_have_value("The river froze on Monday.")
    page.get_by_label("Remark", exact=True).fill("Says who?")
    erik.clicks("Add the remark")
    expect(page.frame_locator("iframe").locator("mark")).to_have_text("The river froze on Monday.")
    erik.takes_a_picture("review-remark")

    page = erik.opens_the_review()
    page.get_by_label("What should change?").fill("A source, please.")
    erik.clicks("Send back")
    assert erik.clicked == 3
    erik.sees("Erik Editor sent this post back")

    _changes(wanda, path, _SECOND, said="A source, please.")
    page = erik.opens_the_review()
    erik.sees("These words are no longer in the text.")
    expect(page.locator("#since-known .difference ins")).to_contain_text(", says the harbour office")
    erik.clicks("Resolve")
    page.get_by_label("What should change?").fill("Did anyone cross it?")
    erik.clicks("Send back")

    _changes(wanda, path, _LAST, said="Did anyone cross it?")
    page = erik.opens_the_review()
    page.get_by_label("I checked the facts").check()
    page.get_by_label("Publish it now").check()
    expect(page.get_by_role("button", name="Sign this version")).to_be_hidden()
    erik.takes_a_picture("review-publish")
    erik.clicks("Sign and publish now")
    assert erik.clicked == 3
    erik.sees("Erik Editor checked the facts of this version")

    visitor = desk_reader.blank()
    visitor.goto(f"{desk_site.origin}/blog/ice-on-the-river")
    expect(visitor.get_by_text("Three people crossed it.")).to_be_visible()
    assert desk_reader.faults == []


def _writes(wanda: Person) -> str:
    """Write a draft and ask for a review; return its path at the desk."""
    page = wanda.goes_to("add")
    page.get_by_label("Title", exact=True).fill(_TITLE)
    page.get_by_label("Text", exact=True).fill(_FIRST)
    wanda.clicks("Save")
    path = page.url.partition("/admin/")[2]
    _asks(wanda, "Is the beginning clear?")
    return f"/admin/{path}"


def _changes(wanda: Person, path: str, text: str, *, said: str) -> None:
    """Read what the reviewer wrote, change the text and ask again."""
    page = wanda.opens(path)
    wanda.sees(said)
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-status]")).to_contain_text("Saved at")
    _asks(wanda, "I changed it.")


def _asks(wanda: Person, note: str) -> None:
    """Ask for a review with a note."""
    page = wanda.page
    wanda.clicks("Ask for a review…")
    page.get_by_label("What should the reviewer know?").fill(note)
    wanda.clicks("Send the request")


def _selects(page: Page, words: str) -> None:
    """Select the paragraph with these words in the article."""
    paragraph = page.frame_locator("iframe").get_by_text(words)
    expect(paragraph).to_be_visible()
    paragraph.select_text()


@requirement("desk.review.remarks")
def test_a_remark_leads_to_its_words_in_the_article(desk_reader: Reader, erik_state: Any) -> None:
    page = desk_reader.open("review_talk", storage_state=erik_state)
    article = page.frame_locator("iframe")

    expect(article.locator("mark")).to_have_text(["It measures the ", "level", ", not the weather."])
    page.get_by_role("button", name="Show it in the article").click()

    expect(article.locator("mark").first).to_be_in_viewport()
    expect(page.get_by_text("These words are no longer in the text.")).to_be_visible()
    assert desk_reader.faults == []


@requirement("desk.review.remarks")
def test_nothing_is_quoted_where_nothing_is_selected(desk_reader: Reader, erik_state: Any) -> None:
    page = desk_reader.open("review_talk", storage_state=erik_state)

    page.get_by_role("button", name="Remark on the selected words").click()

    expect(page.get_by_text("Select words in the article first.")).to_be_visible()


@requirement("desk.review.decisions", "desk.no-javascript")
@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_fields_and_the_button_are_those_of_the_decision(
    desk_reader: Reader, erik_state: Any, has_scripts: bool
) -> None:
    page = desk_reader.open("review_talk", storage_state=erik_state, java_script_enabled=has_scripts)

    expect(page.get_by_role("button", name="Sign this version")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_be_hidden()
    page.get_by_label("Publish it at a time").check()

    expect(page.get_by_label("Time zone")).to_be_visible()
    expect(page.get_by_role("button", name="Sign and schedule")).to_be_visible()
    expect(page.get_by_role("button", name="Sign this version")).to_be_hidden()


@requirement("desk.keyboard", "desk.review.return")
def test_a_reviewer_sends_back_with_the_keyboard(desk_reader: Reader, erik_state: Any) -> None:
    page = desk_reader.open("review_talk", storage_state=erik_state)
    page.get_by_label("What should change?").focus()

    page.keyboard.type("The title.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator(".messagelist")).to_contain_text("Sent back.")


@requirement("desk.share")
@pytest.mark.chromium
def test_the_link_of_the_stored_text_is_copied(desk_reader: Reader, desk_site: Site, erik_state: Any) -> None:
    page = desk_reader.open("write", storage_state=erik_state, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_text("Link to share").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    copied = page.evaluate("() => navigator.clipboard.readText()")
    visitor = desk_reader.blank()
    visitor.goto(copied)

    assert copied.startswith(f"{desk_site.origin}/blog/preview/")
    expect(visitor.get_by_role("heading", level=1)).to_have_text("What the gauge says")
    assert desk_reader.faults == []
