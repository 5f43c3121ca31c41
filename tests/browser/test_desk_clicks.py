"""How many clicks the actions of a week take, counted by the browser, against the table of the contract."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.browser.test_desk_text import paste
from tests.requirements import requirement
from tests.support.images import plain

pytestmark = [pytest.mark.browser, pytest.mark.heavy, pytest.mark.xdist_group("browser_desk")]

_CONTRACT = Path(__file__).parents[2] / "docs" / "contract" / "desk.md"
# What a person presses, unless it is a field to fill in or to tick. It adds up over the pages of a tab.
_COUNT = """
addEventListener("pointerdown", (event) => {
  const field = event.target.closest("label")?.control ?? event.target.closest("input, textarea, select");
  if (field && !field.matches("[type=submit], [type=button], [type=file]")) return;
  sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks")) + 1);
}, true);
"""
_MAKE = """
import json
from django.urls import reverse
from django.utils.timezone import now
from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.posts import PostRef
from tests.support.factories import save, update
made = {name: save(title=f"Clicks: {name}", body="A text.", now=now()).post for name in %r}
save(title="Clicks: correct", body="A text.", publish=True, now=now())
for name in ("approve", "return"):
    services.request_review(PostRef(id=str(made[name].pk)), actor=Actor("Wanda Writer"), now=now())
update(made["older"], body="Another text.", actor=Actor("Wanda Writer", ["read", "write"]), now=now())
print(json.dumps({name: reverse("admin:blog_engine_post_change", args=(post.pk,)) for name, post in made.items()}))
"""
_DRAFTS = [
    "image",
    "cover",
    "tag",
    "name",
    "preview",
    "phone",
    "ask",
    "publish",
    "schedule",
    "approve",
    "return",
    "older",
]


class Hand:
    """A person at the desk whose clicks the browser counts, from the page that was opened."""

    def __init__(self, page: Page, site: Site, drafts: dict[str, str], folder: Path) -> None:
        self.page, self._site, self._drafts, self._folder = page, site, drafts, folder

    def starts_at(self, name: str) -> None:
        self.page.goto(f"{self._site.origin}{self._drafts.get(name) or self._site.told[name]}")

    def presses(self, label: str) -> None:
        button, link = self.page.get_by_role("button", name=label), self.page.get_by_role("link", name=label)
        button.or_(link).first.click()

    def fills(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)

    def ticks(self, label: str) -> None:
        self.page.get_by_label(label).check()

    def chooses_a_file(self, label: str) -> None:
        file = self._folder / "picture.png"
        file.write_bytes(plain(size=(640, 360)))
        with self.page.expect_file_chooser() as chooser:
            self.page.get_by_label(label).click()
        chooser.value.set_files(file)

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#content, .messagelist").get_by_text(text).first).to_be_visible()

    def sees_it_saved(self) -> None:
        expect(self.page.locator("[data-status]")).to_contain_text("Saved at")

    @property
    def clicks(self) -> int:
        return int(self.page.evaluate("Number(sessionStorage.getItem('clicks'))"))


def new_draft(hand: Hand) -> None:
    hand.starts_at("index")
    hand.presses("Write a post")
    hand.fills("Title", "Clicks: a new draft")
    hand.sees_it_saved()


def image(hand: Hand) -> None:
    hand.starts_at("image")
    paste(hand.page, files=[("a.png", "image/png", plain())])
    hand.page.locator("[data-alts-list]").get_by_label("What the image shows").fill("A plain")
    expect(hand.page.locator("#id_body")).to_have_value(re.compile(r"!\[A plain\]\(/blog/media/"))
    hand.sees_it_saved()


def cover(hand: Hand) -> None:
    hand.starts_at("cover")
    hand.chooses_a_file("Upload a cover")
    hand.fills("What the cover shows", "A plain")
    expect(hand.page.locator("[data-picture-shown]").first).to_be_visible()
    hand.sees_it_saved()


def tag(hand: Hand) -> None:
    hand.starts_at("tag")
    hand.fills("Tags", "winter")
    hand.page.keyboard.press("Enter")
    hand.sees_it_saved()


def new_tag(hand: Hand) -> None:
    hand.starts_at("name")
    hand.fills("Tags", "Fog over the quay")
    hand.page.keyboard.press("Enter")
    hand.presses("Save")
    hand.sees_it_saved()


def preview(hand: Hand) -> None:
    hand.starts_at("preview")
    hand.presses("Preview")
    expect(hand.page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_text("Clicks: preview")


def preview_as_phone(hand: Hand) -> None:
    preview(hand)
    hand.presses("Phone")
    box = hand.page.locator("iframe").bounding_box()
    assert box is not None
    assert box["width"] <= 430


def ask(hand: Hand) -> None:
    hand.starts_at("ask")
    hand.presses("Ask for a review…")
    hand.fills("What should the reviewer know?", "The numbers, please.")
    hand.presses("Send the request")
    hand.sees("The numbers, please.")


def publish(hand: Hand) -> None:
    hand.starts_at("publish")
    hand.presses("Publish…")
    hand.presses("Publish now")
    hand.sees("Published. Readers see")


def schedule(hand: Hand) -> None:
    hand.starts_at("schedule")
    hand.presses("Schedule…")
    hand.fills("Date", "2040-01-05")
    hand.fills("Time", "09:00")
    hand.fills("Time zone", "UTC")
    hand.page.locator(".confirm-buttons .default").click()
    hand.sees("Scheduled")


def correct(hand: Hand) -> None:
    hand.starts_at("posts")
    hand.presses("Clicks: correct")
    hand.fills("Text", "A better text.")
    hand.presses("Save…")
    hand.ticks("Correction")
    hand.fills("Note for readers", "The text was wrong.")
    hand.presses("Save the change")
    hand.sees("Public")


def approve_and_publish(hand: Hand) -> None:
    hand.starts_at("index")
    hand.presses("Clicks: approve")
    hand.ticks("I checked the facts")
    hand.ticks("Publish it now")
    hand.presses("Sign and publish now")
    hand.sees("Erik Editor checked the facts of this version")


def send_back(hand: Hand) -> None:
    hand.starts_at("index")
    hand.presses("Clicks: return")
    hand.fills("What should change?", "A source, please.")
    hand.presses("Send back")
    hand.sees("Erik Editor sent this post back")


def older_draft(hand: Hand) -> None:
    hand.starts_at("older")
    hand.presses("History")
    hand.presses("Version of ")
    hand.presses("Continue from this version")
    expect(hand.page.locator("#id_body")).to_have_value("A text.")


def older_public(hand: Hand) -> None:
    hand.starts_at("write_public")
    hand.presses("History")
    hand.page.locator("#content .timeline a[href*='/revision']").last.click()
    hand.presses("Continue from this version")
    expect(hand.page.locator("#id_body")).to_have_value(re.compile(r"3\.45 m"))
    hand.presses("Save…")
    hand.ticks("Update")
    hand.presses("Save the change")
    hand.sees("Public")


ACTIONS: dict[str, Callable[[Hand], None]] = {
    "a new draft": new_draft,
    "an image in the text": image,
    "a cover": cover,
    "a tag": tag,
    "a tag that is new": new_tag,
    "the preview": preview,
    "the preview of a phone": preview_as_phone,
    "asking for a review": ask,
    "publishing": publish,
    "scheduling": schedule,
    "correcting a public post": correct,
    "signing and publishing": approve_and_publish,
    "sending back": send_back,
    "an older version of a draft": older_draft,
    "an older version of a public post": older_public,
}


def _figures() -> dict[str, int]:
    """Return the clicks that the contract allows each action."""
    rule = _CONTRACT.read_text("utf-8").partition('<a id="desk.clicks">')[2].partition("\n- <a id=")[0]
    return {
        action: int(clicks) for action, clicks in re.findall(r"^ *\| ([^|]+) \| [^|]+ \| (\d+) \|", rule, re.MULTILINE)
    }


@pytest.fixture(scope="module")
def erik(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "erik")


@pytest.fixture(scope="module")
def drafts(desk_site: Site) -> dict[str, str]:
    """The pages of drafts, one for each action that changes one."""
    return dict(json.loads(desk_site.manage("shell", "--verbosity", "0", "-c", _MAKE % _DRAFTS).splitlines()[-1]))


@requirement("desk.clicks")
def test_the_contract_has_a_figure_for_each_action() -> None:
    assert _figures().keys() == ACTIONS.keys()


# Firefox makes no paste event with files.
@requirement("desk.clicks")
@pytest.mark.parametrize(
    "action",
    [pytest.param(action, marks=pytest.mark.chromium) if act is image else action for action, act in ACTIONS.items()],
)
def test_no_action_takes_more_clicks_than_its_figure(
    desk_reader: Reader, desk_site: Site, erik: Any, drafts: dict[str, str], tmp_path: Path, action: str
) -> None:
    hand = Hand(desk_reader.blank(storage_state=erik, first=_COUNT), desk_site, drafts, tmp_path)

    ACTIONS[action](hand)

    assert hand.clicks <= _figures()[action]
    assert desk_reader.faults == []
