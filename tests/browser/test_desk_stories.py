"""Two stories of the desk, from the first draft to a correction, and of two editors at once; screenshots are kept."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, keep_picture, signed_in
from tests.requirements import requirement
from tests.support.images import plain

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_FOLDER = Path(__file__).resolve().parents[2] / "artifacts" / "screenshots"
_TITLE = "Ice in the harbour"
_TEXT = """The harbour froze on Tuesday.

| Day | Ice |
| --- | --- |
| Monday | none |
| Tuesday | 3 cm |
"""


class Person:
    """A member of staff in a browser, who takes pictures of what there is to see."""

    def __init__(self, browser: Browser, reader: Reader, username: str, **options: Any) -> None:
        self.name = username
        self._site = reader.site
        self.page = reader.blank(storage_state=signed_in(browser, reader.site, username), **options)

    def goes_to(self, name: str) -> Page:
        """Open a screen of the desk."""
        self.page.goto(self._site.url(name))
        return self.page

    def opens(self, path: str) -> Page:
        """Open a path of the site."""
        self.page.goto(f"{self._site.origin}{path}")
        return self.page

    def clicks(self, label: str) -> None:
        """Press the button or follow the link with this name, and wait for the page that it leads to."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=label).or_(self.page.get_by_role("link", name=label)).first.click()

    def sees(self, text: str | re.Pattern[str]) -> None:
        """Check that the page shows a text."""
        expect(self.page.locator("#content, .messagelist").get_by_text(text).first).to_be_visible()

    def takes_a_picture(self, name: str) -> None:
        """Keep a screenshot of the whole page."""
        keep_picture(self.page, _FOLDER / f"desk-{name}.png")


@requirement("desk.stories")
def test_a_draft_is_reviewed_scheduled_released_and_corrected(
    browser: Browser, desk_reader: Reader, desk_site: Site, tmp_path: Path
) -> None:
    wanda = Person(browser, desk_reader, "wanda")
    path = _draft(wanda, tmp_path)

    erik = Person(browser, desk_reader, "erik")
    due = _review_and_schedule(erik)
    erik.page.wait_for_timeout(1_000 * max(0.0, (due - datetime.now(tz=UTC)).total_seconds()) + 500)
    assert desk_site.manage("publish_due_posts") == "Published ice-in-the-harbour"

    visitor = desk_reader.blank()
    visitor.goto(f"{desk_site.origin}/blog/ice-in-the-harbour")
    expect(visitor.get_by_role("heading", level=1)).to_have_text(_TITLE)
    expect(visitor.get_by_role("cell", name="3 cm")).to_be_visible()

    _correct(erik, path)
    visitor.reload()
    expect(visitor.get_by_role("cell", name="5 cm")).to_be_visible()
    expect(visitor.get_by_text("The ice was thicker than we wrote.")).to_be_visible()

    erik.clicks("History")
    erik.takes_a_picture("history")
    for event in (
        "Wanda Writer wrote",
        "Erik Editor checked the facts",
        "Erik Editor scheduled this post",
        "Erik Editor published a correction",
        "The ice was thicker than we wrote.",
    ):
        erik.sees(event)
    assert desk_reader.faults == []


def _draft(wanda: Person, folder: Path) -> str:
    """Write a draft with a cover and a table, look at it on a phone, ask for a review; return its path at the desk."""
    cover = folder / "ice.png"
    cover.write_bytes(plain(size=(640, 360)))
    page = wanda.goes_to("posts")
    wanda.clicks("Write a post")
    page.get_by_label("Title", exact=True).fill(_TITLE)
    page.get_by_label("Text", exact=True).fill(_TEXT)
    page.get_by_label("Upload a cover").set_input_files(cover)
    page.get_by_label("What the cover shows").fill("Ice between two boats")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Phone").click()
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_have_text(_TITLE)
    box = page.locator("iframe").bounding_box()
    assert box is not None
    assert 320 <= box["width"] <= 430
    wanda.takes_a_picture("write-preview")
    # A draft is saved in its place: no other page comes.
    page.locator("[data-save]").click()
    # The autosave may have been faster.
    wanda.sees(re.compile("Saved at|Everything is saved"))
    wanda.clicks("Ask for a review…")
    page.get_by_label("What should the reviewer know?").fill("Please look at the numbers.")
    wanda.clicks("Send the request")
    return str(page.url)


def _review_and_schedule(erik: Person) -> datetime:
    """Find the draft in the queue, sign it, and schedule it in twelve seconds; return that time."""
    page = erik.goes_to("index")
    erik.takes_a_picture("index")
    erik.clicks("Reviews requested")
    erik.takes_a_picture("queue")
    erik.clicks(_TITLE)
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_text(_TITLE)
    page.get_by_label("I checked the facts").check()
    erik.takes_a_picture("review")
    erik.clicks("Sign this version")
    erik.sees("Erik Editor")
    erik.clicks("Schedule…")
    due = datetime.now(tz=UTC) + timedelta(seconds=12)
    page.get_by_label("Date").fill(f"{due:%Y-%m-%d}")
    # People schedule by the minute. The field takes seconds, so that the test need not wait for one.
    page.get_by_label("Time", exact=True).evaluate("(field) => { field.step = 1; }")
    page.get_by_label("Time", exact=True).fill(f"{due:%H:%M:%S}")
    page.get_by_label("Time zone").fill("UTC")
    erik.takes_a_picture("schedule")
    with page.expect_navigation():
        page.get_by_role("button", name="Schedule").click()
    erik.sees("Scheduled")
    return due


def _correct(erik: Person, path: str) -> None:
    """Correct the public post with a note."""
    page = erik.page
    erik.goes_to("posts")
    erik.clicks(_TITLE)
    page.get_by_label("Text", exact=True).fill(_TEXT.replace("3 cm", "5 cm"))
    erik.clicks("Save…")
    page.get_by_label("Correction").check()
    page.get_by_label("Note for readers").fill("The ice was thicker than we wrote.")
    erik.takes_a_picture("correction")
    erik.clicks("Save the change")
    erik.sees("Public")


@requirement("desk.stories", "desk.conflicts")
def test_two_editors_of_a_public_post_lose_nothing(browser: Browser, desk_reader: Reader, desk_site: Site) -> None:
    erik, ines = Person(browser, desk_reader, "erik"), Person(browser, desk_reader, "ines")
    for person in (erik, ines):
        person.goes_to("write_public")

    ines.page.get_by_label("Description", exact=True).fill("What Ines says.")
    text = ines.page.get_by_label("Text", exact=True).input_value()
    ines.page.get_by_label("Text", exact=True).fill(f"{text}\nInes was here.\n")
    _save_public(ines)

    erik.page.get_by_label("Text", exact=True).fill(f"{text}\nErik was here.\n")
    erik.clicks("Save…")
    erik.sees("Ines Editor changed")
    expect(erik.page.locator("ins", has_text="Ines was here.")).to_be_visible()
    expect(erik.page.locator("pre", has_text="Erik was here.")).to_be_visible()
    erik.takes_a_picture("conflict")
    erik.page.get_by_label("Both, one below the other").check()
    erik.clicks("Save with these versions")
    erik.page.get_by_label("Update").check()
    erik.clicks("Save the change")

    page = desk_reader.blank()
    page.goto(f"{desk_site.origin}{desk_site.told['public_page']}")
    for words in ("Ines was here.", "Erik was here.", "What Ines says."):
        expect(page.get_by_text(words).first).to_be_visible()
    erik.clicks("History")
    erik.sees("Ines Editor")
    assert desk_reader.faults == []


def _save_public(person: Person) -> None:
    person.clicks("Save…")
    person.page.get_by_label("Update").check()
    person.clicks("Save the change")
    person.sees("Public")
