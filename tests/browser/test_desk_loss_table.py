"""The table of losses: whatever happens to a page of the editor, no word that is older than five seconds is lost."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import PASSWORD, Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.heavy, pytest.mark.xdist_group("browser_desk")]

OLD = 5.0
"""Seconds after which a word that was typed is never lost; a save that fails loses none at all."""
WORDS = 13
PACE = 0.5
"""Seconds from a word to the next one, so that all are typed without a rest in which a draft would be saved."""

_SAVED = re.compile("Saved at|Everything is saved|Nothing (new|changed)")


@dataclass(frozen=True, slots=True)
class Kind:
    """An editing page: who writes there, and on which screen."""

    person: str
    screen: str
    title: str = ""


KINDS = {
    "draft": Kind("wanda", "write"),
    "new-without-title": Kind("wanda", "add"),
    "new-with-taken-title": Kind("wanda", "add", title="What the gauge says"),
    "scheduled": Kind("erik", "write_scheduled"),
    "public": Kind("erik", "write_public"),
    "proposal": Kind("wanda", "write_public"),
    "policy": Kind("erik", "policy"),
}


class Desk:
    """A page of the desk in which somebody writes, and what was typed there."""

    def __init__(self, page: Page, site: Site, kind: Kind, mark: str) -> None:
        self.page, self.site, self.kind = page, site, kind
        self._mark = mark
        self.returns_to = page.url
        self._grace = OLD
        self._typed: list[tuple[str, float]] = []

    @property
    def body(self) -> Any:
        return self.page.locator("#id_body")

    @property
    def status(self) -> Any:
        return self.page.locator("[data-status]")

    @property
    def is_autosaved(self) -> bool:
        return self.kind.screen in {"add", "write"}

    @property
    def is_policy(self) -> bool:
        """A form of a record, whose save leaves the page."""
        return self.kind.screen == "policy"

    def write(self, count: int = WORDS, pace: float = PACE) -> None:
        """Type words, one each half second, at the end of the text."""
        self.body.press("Control+End")
        for number in range(len(self._typed), len(self._typed) + count):
            word = f"{self._mark}{number}"
            self.body.press_sequentially(f" {word}")
            self._typed.append((word, monotonic()))
            if pace:
                self.page.wait_for_timeout(pace * 1000)

    def write_and_save(self) -> None:
        """Type words and save at once: no copy was made on the way, and still none of the words is lost."""
        self.write(3, pace=0)
        self._grace = 0.0
        self.page.locator("[data-save], #content-main form .submit-row [type=submit].default").click()

    def refuse(self, status: int) -> Callable[[], None]:
        """Let every request that writes be answered with this status; return how to end that."""

        def answer(route: Any) -> None:
            if route.request.method == "POST":
                route.fulfill(status=status, content_type="text/html", body="<h1>No</h1>")
            else:
                route.continue_()

        self.page.route("**/*", answer)
        return lambda: self.page.unroute("**/*", answer)

    def sign_in_elsewhere(self) -> None:
        """Sign in in another tab, which also changes the token of forms."""
        other = self.page.context.new_page()
        other.goto(self.site.url("index"))
        self.sign_in(other)
        other.wait_for_url(self.site.url("index"))
        other.close()

    def sign_in(self, page: Page) -> None:
        page.locator("[name=username]").fill(self.kind.person)
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("[type=submit]").click()

    def sign_out(self) -> None:
        self.page.context.clear_cookies(name="sessionid")

    def kill(self, at: float) -> None:
        """Kill the tab, open its page in another one, with a network, and take what the browser offers."""
        dead, self.page = self.page, self.page.context.new_page()
        dead.close()
        self.page.context.set_offline(False)
        # The page of a new post becomes that of the stored one, up to the moment of its death.
        self.page.goto(dead.url if self.is_autosaved else self.returns_to)
        self.take_what_is_offered(at)

    def take_what_is_offered(self, at: float) -> None:
        self._look()
        offered = self.page.get_by_role("button", name="Put it back")
        if not self.lost(at):
            return
        if self.kind.screen == "add" and not offered.is_visible():
            # The answer to a save came while the tab died: the text is the newest draft, and the page offers nothing.
            self.page.goto(self.site.origin + self.site.manage("shell", "--verbosity", "0", "-c", _NEWEST).split()[-1])
        else:
            offered.click()
            expect(offered).to_have_count(0)
        self._look()

    def _look(self) -> None:
        """Wait until the page of a post has looked for copies: it has as soon as it has counted the words."""
        if not self.is_policy:
            expect(self.page.locator("[data-facts]")).to_be_visible()

    def lost(self, at: float) -> list[str]:
        """Return the words that the page should have and does not: if its tab died, those that were old by then."""
        found = set(re.findall(r"\w+", self.body.input_value()))
        return [word for word, typed in self._typed if at - typed > self._grace and word not in found]


def tab_dies_after_a_rest(desk: Desk) -> None:
    desk.write()
    desk.page.wait_for_timeout(3000)


def tab_dies_while_typing(desk: Desk) -> None:
    desk.write()


def session_ends_and_save(desk: Desk) -> None:
    desk.sign_out()
    desk.write_and_save()
    if desk.is_policy:
        # Its page is left. The one after the sign-in offers the text.
        expect(desk.page.locator("[name=username]")).to_be_visible()
        desk.sign_in(desk.page)
        expect(desk.page.get_by_role("button", name="Put it back")).to_be_visible()
        return
    expect(desk.status).to_contain_text("You are signed out")
    desk.sign_in_elsewhere()


def signed_in_elsewhere_and_save(desk: Desk) -> None:
    desk.sign_out()
    desk.sign_in_elsewhere()
    desk.write_and_save()
    if desk.is_autosaved:
        expect(desk.status).to_contain_text(_SAVED)
    elif desk.is_policy:
        expect(desk.page.get_by_role("heading", name="Forbidden")).to_be_visible()
    elif desk.kind.screen == "write_scheduled":
        # No kind of change is asked for: the page comes back.
        expect(desk.page.get_by_text("The post was saved.")).to_be_visible()
    else:
        # The page that asks what kind of change it is.
        expect(desk.page.locator("[data-save]")).to_have_count(0)


def network_goes_and_autosave(desk: Desk) -> None:
    desk.page.context.set_offline(True)
    desk.write()


def network_goes_and_save(desk: Desk) -> None:
    desk.page.context.set_offline(True)
    desk.write_and_save()
    if desk.is_policy:
        # The browser's own page of errors.
        expect(desk.body).to_have_count(0)
    else:
        expect(desk.status).to_contain_text("No connection")


def colleague_removes_and_save(desk: Desk) -> None:
    if desk.kind.screen == "add":
        desk.write(2)
        expect(desk.status).to_contain_text("Saved at")
    found = re.search(r"/post/(\d+)/change/", desk.page.url)
    assert found
    desk.site.manage("shell", "-c", _REMOVE.format(found[1]))
    if desk.kind.screen == "write_public":
        with desk.page.expect_navigation():
            desk.write_and_save()
    else:
        desk.write_and_save()
        # Readers never saw it, so nothing of it is left: its text goes on as a new draft.
        desk.page.get_by_role("button", name="Continue as a new draft").click()
        expect(desk.status).to_contain_text("Saved at")
        desk.returns_to = desk.page.url


def answered(status: int) -> Callable[[Desk], None]:
    def save(desk: Desk) -> None:
        end = desk.refuse(status)
        url = desk.page.url
        desk.write_and_save()
        expect(desk.page.get_by_text(re.compile("still here|^No$")).first).to_be_visible()
        end()
        if desk.page.url != url:
            desk.page.goto(url)

    return save


EVENTS: dict[str, Callable[[Desk], None]] = {
    "tab-dies-after-a-rest": tab_dies_after_a_rest,
    "tab-dies-while-typing": tab_dies_while_typing,
    "session-ends-save": session_ends_and_save,
    "sign-in-elsewhere-save": signed_in_elsewhere_and_save,
    "network-gone-autosave": network_goes_and_autosave,
    "network-gone-save": network_goes_and_save,
    "colleague-removes-save": colleague_removes_and_save,
    "413-save": answered(413),
    "404-save": answered(404),
    "500-save": answered(500),
}
# A policy page stays: nothing removes one.
CELLS = [cell for cell in product(EVENTS, KINDS) if cell != ("colleague-removes-save", "policy")]
_REMOVE = """
from django.utils.timezone import now
from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.posts import RemovePost
services.remove_post(RemovePost(id="{}"), actor=Actor("Ines Editor"), now=now())
"""
_NEWEST = """
from django.urls import reverse
from blog_engine.models import Post
print(reverse("admin:blog_engine_post_change", args=(Post.objects.latest("pk").pk,)))
"""
_MAKE = """
import json
from datetime import timedelta
from django.urls import reverse
from django.utils.timezone import now
from tests.support.factories import save
kinds = {
    "draft": {},
    "scheduled": {"publish": True, "publish_at": (now() + timedelta(days=2)).isoformat()},
    "public": {"publish": True},
    "proposal": {"publish": True},
}
made = {
    kind: save(title=f"Not for long: {kind}", body="A text.", now=now(), **more).post for kind, more in kinds.items()
}
print(json.dumps({kind: reverse("admin:blog_engine_post_change", args=(post.pk,)) for kind, post in made.items()}))
"""


@pytest.fixture(scope="module")
def people(browser: Browser, desk_site: Site) -> dict[str, Any]:
    return {name: signed_in(browser, desk_site, name) for name in ("wanda", "erik")}


@pytest.fixture(scope="module")
def removable(desk_site: Site) -> dict[str, str]:
    """The pages of posts that a test removes."""
    return dict(json.loads(desk_site.manage("shell", "--verbosity", "0", "-c", _MAKE).splitlines()[-1]))


@pytest.mark.parametrize(("event", "kind"), CELLS, ids=[f"{event}-{kind}" for event, kind in CELLS])
@requirement("desk.copies")
def test_no_word_older_than_five_seconds_is_lost(
    desk_reader: Reader,
    desk_site: Site,
    people: dict[str, Any],
    removable: dict[str, str],
    event: str,
    kind: str,
) -> None:
    place = KINDS[kind]
    page = desk_reader.open(place.screen, storage_state=people[place.person])
    if event == "colleague-removes-save" and kind in removable:
        page.goto(f"{desk_site.origin}{removable[kind]}")
    desk = Desk(page, desk_site, place, mark=f"w{CELLS.index((event, kind))}x")
    if place.title:
        page.get_by_label("Title", exact=True).fill(place.title)

    EVENTS[event](desk)
    at = monotonic()
    desk.kill(at)

    assert desk.lost(at) == []
    desk_reader.faults.clear()
