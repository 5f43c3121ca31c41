"""Text at the desk survives dead tabs, lost sessions, outdated tokens, removed posts and dead networks."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.browser.desk_contents import PASSWORD
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

SENTENCE = "Every word that was typed more than five seconds ago is still here."

People = Callable[[str, str], Page]


@pytest.fixture(scope="module")
def states(browser: Browser, desk_site: Site) -> dict[str, Any]:
    return {name: signed_in(browser, desk_site, name) for name in ("wanda", "erik")}


@pytest.fixture
def opened(desk_reader: Reader, states: dict[str, Any]) -> People:
    return lambda name, screen: desk_reader.open(screen, storage_state=states[name])


def begin(page: Page, text: str = SENTENCE) -> Page:
    """Type at the end of the text."""
    body = page.locator("#id_body")
    body.press("Control+End")
    body.press_sequentially(f" {text}")
    return page


_COPIES = """() => new Promise((resolve) => {
  const request = indexedDB.open("blog-desk");
  // The page has not made it yet.
  request.onupgradeneeded = () => request.transaction.abort();
  request.onerror = () => resolve([]);
  request.onsuccess = () => {
    const all = request.result.transaction("copies").objectStore("copies").getAll();
    all.onsuccess = () => resolve(all.result.flatMap((copy) => copy.entries.map(([, value]) => value)));
  };
})"""


def copied(page: Page) -> None:
    """Wait until the browser has a copy of everything that was typed: at most the five seconds of the rule."""
    body = page.locator("#id_body").input_value()
    for _ in range(50):
        if body in page.evaluate(_COPIES):
            return
        page.wait_for_timeout(100)
    raise AssertionError("no copy was made")


def killed(page: Page, url: str = "") -> Page:
    """Kill the tab, and open its page in another one."""
    url = url or page.url
    other = page.context.new_page()
    page.close()
    other.goto(url)
    return other


def put_back(page: Page) -> None:
    page.get_by_role("button", name="Put it back").click()
    expect(page.locator("#id_body")).to_have_value(re.compile(re.escape(SENTENCE)))


@pytest.mark.parametrize("screen", ["write", "write_public", "policy"])
@requirement("desk.copies")
def test_what_is_typed_before_the_scripts_are_there_is_kept(
    desk_reader: Reader, desk_site: Site, states: dict[str, Any], screen: str
) -> None:
    page, held = desk_reader.blank(storage_state=states["erik"]), list[Any]()
    page.route("**/desk/copies*.js", lambda route: held.append(route))
    with page.expect_request("**/desk/copies*.js"):
        page.goto(desk_site.url(screen), wait_until="domcontentloaded")
    begin(page)

    for route in held:
        route.continue_()

    if screen == "write":
        expect(page.locator("[data-status]")).to_contain_text("Saved at")
    else:
        copied(page)


@pytest.mark.parametrize(
    ("name", "screen"),
    [("wanda", "write"), ("erik", "write_public"), ("wanda", "write_public"), ("erik", "write_scheduled")],
    ids=["draft", "public", "proposal", "scheduled"],
)
@requirement("desk.copies")
def test_a_dead_tab_loses_nothing(opened: People, desk_site: Site, name: str, screen: str) -> None:
    page = opened(name, screen)
    # Its own saves are kept away, so that only the copy has the text.
    page.route("**/autosave/", lambda route: route.abort())
    begin(page)
    copied(page)

    page = killed(page)
    page.get_by_text("Show what differs").click()
    expect(page.locator("[data-copy-differences] ins")).to_contain_text(SENTENCE)
    put_back(page)

    expect(page.locator("[data-status]")).to_contain_text(re.compile("Saved at|Not saved yet"))


@pytest.mark.parametrize("screen", ["write", "write_public"])
def test_a_page_that_was_only_opened_has_nothing_to_save(opened: People, screen: str) -> None:
    page = opened("erik", screen)
    expect(page.locator("[data-facts]")).to_be_visible()
    page.wait_for_timeout(1500)

    expect(page.locator("[data-status]")).to_have_text("")
    assert page.evaluate(_COPIES) == []


def test_typing_without_a_rest_is_copied_all_the_same(opened: People) -> None:
    page = opened("erik", "write_public")
    body = page.locator("#id_body")
    body.press("Control+End")

    body.press_sequentially("word " * 30, delay=60)

    page = killed(page)
    page.get_by_role("button", name="Put it back").click()
    # Of 9 s of typing, at most the last 5 s and one write are missing.
    assert page.locator("#id_body").input_value().count("word ") >= 10


def test_a_new_post_is_saved_without_a_title(opened: People) -> None:
    page = opened("wanda", "add")

    page.locator("#id_body").fill(SENTENCE)

    expect(page.locator("[data-status]")).to_contain_text("Saved at")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Untitled")
    expect(page.locator(".post-state")).to_be_visible()
    page.reload()
    expect(page.locator("#id_body")).to_have_value(SENTENCE)


@requirement("desk.new-post")
def test_a_title_that_another_post_has_gets_a_number_in_the_url(opened: People) -> None:
    page = opened("wanda", "add")

    page.get_by_label("Title", exact=True).fill("What the gauge says")

    expect(page.locator("[data-status]")).to_contain_text("Saved at")
    expect(page.locator("#id_slug")).to_have_value("what-the-gauge-says-2")


def shown_as_saved(page: Page, screen: str) -> None:
    """Wait for what follows when the server has the text: a public post asks for the kind of change."""
    if screen == "write_public":
        expect(page.get_by_role("heading", level=1)).to_have_text("Change what readers see")
    else:
        expect(page.locator("[data-status]")).to_contain_text(re.compile("Saved at|Everything is saved"))


def _sign_out(page: Page) -> None:
    page.context.clear_cookies(name="sessionid")


def _sign_in_elsewhere(context: BrowserContext, site: Site, name: str) -> None:
    """Sign in in another tab, which also changes the token of forms."""
    context.clear_cookies(name="sessionid")
    other = context.new_page()
    other.goto(site.url("index"))
    other.locator("[name=username]").fill(name)
    other.locator("[name=password]").fill(PASSWORD)
    other.locator("[type=submit]").click()
    other.wait_for_url(site.url("index"))
    other.close()


@pytest.mark.parametrize("screen", ["write", "write_public"])
def test_a_lost_session_keeps_the_page_until_the_writer_is_back(opened: People, desk_site: Site, screen: str) -> None:
    page = opened("erik", screen)
    _sign_out(page)
    begin(page)

    page.locator("[data-save]").click()

    expect(page.locator("[data-status]")).to_contain_text("You are signed out")
    expect(page.locator("#id_body")).to_have_value(re.compile(re.escape(SENTENCE)))
    with page.expect_popup() as window:
        page.get_by_role("button", name="Sign in").click()
    popup = window.value
    popup.locator("[name=username]").fill("erik")
    popup.locator("[name=password]").fill(PASSWORD)
    with popup.expect_event("close"):
        popup.locator("[type=submit]").click()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("[data-status]")).to_contain_text(re.compile("aved|signed in again"))
    page.locator("[data-save]").click()
    shown_as_saved(page, screen)


@pytest.mark.parametrize("screen", ["write", "write_public"])
def test_a_token_that_changed_is_renewed(opened: People, desk_site: Site, screen: str) -> None:
    page = opened("erik", screen)
    _sign_in_elsewhere(page.context, desk_site, "erik")
    begin(page)

    page.locator("[data-save]").click()

    shown_as_saved(page, screen)


@pytest.mark.parametrize("screen", ["write", "write_public"])
def test_a_dead_network_keeps_the_page(opened: People, screen: str) -> None:
    page = opened("erik", screen)
    page.context.set_offline(True)
    begin(page)

    page.locator("[data-save]").click()

    expect(page.locator("[data-status]")).to_contain_text("No connection")
    page.context.set_offline(False)
    # A draft is saved by itself as soon as the network is back.
    if screen == "write_public":
        page.get_by_role("button", name="Try now").click()
    shown_as_saved(page, screen)


@pytest.mark.parametrize(
    ("status", "words"), [(413, "more than the server takes"), (403, "no permission"), (500, "could not save")]
)
def test_a_refusing_server_keeps_the_page(opened: People, status: int, words: str) -> None:
    page = opened("wanda", "write")
    page.route("**/autosave/", lambda route: route.fulfill(status=status, body="<h1>No</h1>"))
    begin(page)

    page.locator("[data-save]").click()

    expect(page.locator("[data-status]")).to_contain_text(words)
    expect(page.locator("#id_body")).to_have_value(re.compile(re.escape(SENTENCE)))


def test_a_removed_post_goes_on_as_a_new_draft(opened: People, desk_site: Site) -> None:
    page = opened("wanda", "add")
    page.get_by_label("Title", exact=True).fill("Soon to be removed")
    expect(page.locator("[data-status]")).to_contain_text("Saved at")
    found = re.search(r"/post/(\d+)/change/", page.url)
    assert found
    desk_site.manage("shell", "-c", _REMOVE.format(found[1]))
    begin(page)

    page.locator("[data-save]").click()
    expect(page.locator("[data-status]")).to_contain_text("Somebody removed this post")
    page.get_by_role("button", name="Continue as a new draft").click()

    expect(page.locator("#id_body")).to_have_value(re.compile(re.escape(SENTENCE)))
    expect(page.locator("[data-status]")).to_contain_text("Saved at")
    assert json.loads(desk_site.manage("shell", "-c", _COUNT).splitlines()[-1]) == 1


_REMOVE = """
from django.utils.timezone import now
from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.posts import RemovePost
services.remove_post(RemovePost(id="{}"), actor=Actor("Erik Editor"), now=now())
"""
_COUNT = "from blog_engine.models import Post; print(Post.objects.filter(title='Soon to be removed').count())"
