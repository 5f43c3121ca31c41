"""Two clicks count once, and two people who write in one post lose nothing, in a real browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement
from tests.support.programs import BROWSER

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

People = Callable[..., Page]
FIRST = "The gauge at the steps is the one that counts."
LAST = "It measures the *level*, not the weather."


@pytest.fixture(scope="module")
def states(browser: Browser, desk_site: Site) -> dict[str, Any]:
    return {name: signed_in(browser, desk_site, name) for name in ("wanda", "erik", "root")}


@pytest.fixture
def opened(desk_reader: Reader, states: dict[str, Any]) -> People:
    return lambda name, screen, **options: desk_reader.open(screen, storage_state=states[name], **options)


def slow(page: Page) -> Page:
    """Give the network of a page 1.5 s of latency, where the browser can."""
    if BROWSER != "firefox":
        session = page.context.new_cdp_session(page)
        conditions = {"offline": False, "latency": 1500, "downloadThroughput": -1, "uploadThroughput": -1}
        session.send("Network.emulateNetworkConditions", conditions)
    return page


def click_twice(page: Page, button: str) -> None:
    """Click a button of the form, and again after 300 ms."""
    page.get_by_role("button", name=button).evaluate(
        "(button) => { button.click(); setTimeout(() => button.click(), 300); }"
    )


def counted(site: Site, expression: str) -> int:
    code = f"from blog_engine.models import *; print({expression})"
    return int(site.manage("shell", "--verbosity", "0", "-c", code).splitlines()[-1])


def write(page: Page, after: str, text: str) -> None:
    """Type behind these words of the text."""
    page.locator("#id_body").evaluate(
        """(body, after) => {
          const place = body.value.indexOf(after) + after.length;
          body.focus();
          body.setSelectionRange(place, place);
        }""",
        after,
    )
    page.keyboard.type(text)


def status(page: Page, words: str) -> None:
    expect(page.locator("[data-status]")).to_contain_text(re.compile(words))


@requirement("desk.once")
def test_two_clicks_sign_once(opened: People, desk_site: Site) -> None:
    before = counted(desk_site, "Approval.objects.count()")
    page = slow(opened("erik", "review_asked"))
    page.get_by_label("I checked the facts of exactly this version.").check()

    click_twice(page, "Sign this version")

    expect(page.get_by_text("Signed: the facts of this version are checked.")).to_be_visible()
    assert counted(desk_site, "Approval.objects.count()") == before + 1


@requirement("desk.once")
def test_two_clicks_save_a_new_post_once(opened: People, desk_site: Site) -> None:
    page = slow(opened("wanda", "add"))
    page.get_by_label("Title", exact=True).fill("Clicked twice")

    click_twice(page, "Save draft")

    status(page, "Saved at|Everything is saved")
    assert counted(desk_site, "Post.objects.filter(title='Clicked twice').count()") == 1


@requirement("desk.once")
@pytest.mark.chromium
def test_two_clicks_without_scripts_save_a_new_post_once(opened: People, desk_site: Site) -> None:
    page = opened("wanda", "add", java_script_enabled=False)
    page.get_by_label("Title", exact=True).fill("Clicked without scripts")

    page.get_by_role("button", name="Save draft").dblclick()

    expect(page.get_by_role("heading", level=1)).to_have_text("Change post")
    assert counted(desk_site, "Post.objects.filter(title='Clicked without scripts').count()") == 1


@requirement("desk.once")
def test_a_button_that_was_clicked_can_be_clicked_again_when_the_page_comes_back(opened: People) -> None:
    page = opened("erik", "redirect_add")
    # Browsers keep no page of the desk for the way back when a test drives them. Chromium sends nothing for an event
    # that a script made; Firefox sends the form, and stays on the page for an answer without content.
    page.route("**/redirect/add/", lambda route: route.fulfill(status=204))
    send = """() => {
      const submitter = document.querySelector("form[method=post] [type=submit].default");
      return submitter.form.dispatchEvent(new SubmitEvent("submit", { submitter, bubbles: true, cancelable: true }));
    }"""

    assert [page.evaluate(send) for _ in range(2)] == [True, False]
    expect(page.locator("[data-sent][aria-disabled=true]")).to_have_count(1)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")

    expect(page.locator("[data-sent], [aria-disabled]")).to_have_count(0)
    assert page.evaluate(send)


@requirement("desk.conflicts")
@requirement("desk.stories")
def test_two_people_edit_one_public_post_in_two_passages(opened: People, desk_site: Site) -> None:
    one, other = opened("erik", "write_public"), opened("root", "write_public")
    write(one, FIRST, " Really.")
    write(other, LAST, " Or at nine.")

    one.locator("[data-save]").click()
    one.get_by_label("Correction: something was wrong").check()
    one.get_by_label("Note for readers").fill("One has to wait.")
    one.get_by_role("button", name="Save the change").click()
    expect(one.get_by_text("The post was saved.")).to_be_visible()

    other.locator("[data-save]").click()
    expect(other.get_by_text("Both changes are kept.")).to_be_visible()
    other.locator("input[name=change]").first.check()
    other.get_by_label("Note for readers").fill("A boat was missing.")
    other.get_by_role("button", name="Save the change").click()

    expect(other.locator("#id_body")).to_have_value(
        re.compile(f"{re.escape(FIRST)} Really\\..*{re.escape(LAST)} Or at nine\\.", re.DOTALL)
    )
    # The caret and what was in sight are where they were.
    other.wait_for_function(
        "() => { const body = document.querySelector('#id_body'); "
        "return body.value.slice(0, body.selectionStart).endsWith('Or at nine.'); }"
    )


@requirement("desk.autosave")
def test_what_another_writer_types_comes_in_beside_the_caret(opened: People) -> None:
    one, other = opened("wanda", "write"), opened("erik", "write")
    write(one, FIRST, " Really.")
    status(one, "Saved at")

    write(other, LAST, " Or at nine")
    status(other, "Both changes are kept")
    other.keyboard.type(", or at ten.")

    status(other, "Saved at")
    expect(other.locator("#id_body")).to_have_value(
        re.compile(f"{re.escape(FIRST)} Really\\..*{re.escape(LAST)} Or at nine, or at ten\\.", re.DOTALL)
    )
    one.reload()
    expect(one.locator("#id_body")).to_have_value(re.compile("Really\\..*or at ten\\.", re.DOTALL))


@requirement("desk.conflicts")
def test_only_what_both_changed_is_asked_about(opened: People) -> None:
    one, other = opened("root", "write_scheduled"), opened("erik", "write_scheduled")
    write(one, LAST, " Mine.")
    write(other, FIRST, " Kept.")
    write(other, LAST, " Theirs.")
    other.locator("[data-save]").click()
    expect(other.get_by_text("The post was saved.")).to_be_visible()

    one.locator("[data-save]").click()
    expect(one.get_by_role("group")).to_have_count(1)
    expect(one.get_by_label("What is in the post now")).to_be_checked()
    one.get_by_label("Both, one below the other").check()
    one.get_by_role("button", name="Save with these versions").click()

    expect(one.locator("#id_body")).to_have_value(re.compile("Kept\\..*Theirs\\..*Mine\\.", re.DOTALL))


@requirement("desk.autosave")
def test_a_letter_that_is_removed_again_leaves_nothing_unsaved(opened: People) -> None:
    page = opened("erik", "write_public")
    page.locator("#id_body").press("Control+End")

    page.keyboard.type("x")
    status(page, "Not saved yet")
    page.keyboard.press("Backspace")

    expect(page.locator("[data-status]")).to_have_text("")
    # A question would be a fault of the test.
    page.goto("about:blank")


@requirement("desk.autosave")
@pytest.mark.parametrize("screen", ["write", "write_public"])
def test_a_value_that_is_refused_is_named_at_its_field_and_the_page_stays(opened: People, screen: str) -> None:
    page = opened("erik", screen)
    page.get_by_text("URL and search engines").click()
    page.get_by_label("Original URL").fill("nonsense")
    write(page, FIRST, " Again.")
    place = page.evaluate("[document.querySelector('#id_body').selectionStart, scrollY]")

    # Playwright's click scrolls to what sticks where the page wants no caret; a mouse does not.
    box = page.locator("[data-save]").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    status(page, "Correct this: Original URL")
    expect(page.locator("#error_canonical_url")).to_be_visible()
    assert page.evaluate("[document.querySelector('#id_body').selectionStart, scrollY]") == place
    page.get_by_role("button", name="Original URL").click()
    expect(page.get_by_label("Original URL")).to_be_focused()
    page.get_by_label("Original URL").fill("")
    page.locator("[data-save]").click()
    expect(page.locator("#error_canonical_url")).to_have_count(0)


@requirement("desk.autosave")
def test_the_place_is_kept_when_the_page_is_loaded_again(opened: People) -> None:
    page = opened("wanda", "write")
    write(page, FIRST, " Here.")
    status(page, "Saved at")
    page.evaluate("scrollTo({ top: 200, behavior: 'instant' })")
    page.wait_for_function("scrollY > 0")
    place = page.evaluate("[document.querySelector('#id_body').selectionStart, scrollY]")

    page.reload()

    expect(page.locator("#id_body")).to_be_focused()
    page.wait_for_function(f"scrollY === {place[1]}")
    assert page.locator("#id_body").evaluate("(body) => body.selectionStart") == place[0]


@requirement("desk.autosave")
def test_save_in_place_makes_new_names(opened: People) -> None:
    page = opened("wanda", "write")
    page.get_by_label("Category").fill("Boats and more")
    status(page, "Not saved until you press Save: Category")

    page.keyboard.press("Control+s")

    expect(page.locator("[data-status]")).to_have_text(re.compile("^Saved at [^·]*$"))
    page.reload()
    expect(page.get_by_label("Category")).to_have_value("Boats and more")


_KEYS = """() => new Promise((resolve) => {
  const request = indexedDB.open("blog-desk");
  request.onsuccess = () => {
    const all = request.result.transaction("copies").objectStore("copies").getAllKeys();
    all.onsuccess = () => resolve(all.result);
  };
})"""


def until_copied(page: Page, number: int) -> None:
    for _ in range(100):
        if len(page.evaluate(_KEYS)) == number:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the copies are others")


@requirement("desk.copies")
def test_a_policy_page_keeps_a_copy(opened: People) -> None:
    page = opened("root", "policy")
    page.locator("#id_body").press("Control+End")
    page.keyboard.type("Every word is kept.")
    until_copied(page, 1)
    url = page.url
    other = page.context.new_page()
    page.close()

    other.goto(url)
    other.get_by_text("Show what differs").click()
    expect(other.locator("[data-copy-differences] ins")).to_contain_text("Every word is kept.")
    other.get_by_role("button", name="Put it back").click()
    expect(other.locator("#id_body")).to_have_value(re.compile("Every word is kept\\."))
    other.get_by_role("button", name="Save").click()

    expect(other.get_by_text("was saved.")).to_be_visible()
    until_copied(other, 0)


@requirement("desk.copies")
def test_a_proposed_text_is_not_offered_again(opened: People) -> None:
    page = opened("wanda", "write_public")
    url = page.url
    write(page, FIRST, " Proposed.")
    until_copied(page, 1)
    page.locator("[data-save]").click()
    page.locator("input[name=change]").first.check()
    page.get_by_label("Note for readers").fill("A word was missing.")

    page.get_by_role("button", name="Propose this change").click()

    expect(page.get_by_text("The change is proposed.")).to_be_visible()
    until_copied(page, 0)
    # Firefox takes a page that is still being loaded for another navigation.
    page.wait_for_load_state()
    page.goto(url)
    expect(page.locator("[data-facts]")).to_be_visible()
    expect(page.get_by_text("This browser has text that was not saved")).to_have_count(0)


@requirement("desk.copies")
def test_another_person_is_not_offered_the_copy(opened: People, states: dict[str, Any]) -> None:
    page = opened("root", "write_public")
    url = page.url
    write(page, FIRST, " A secret.")
    until_copied(page, 1)
    page.context.clear_cookies()
    page.context.add_cookies(states["erik"]["cookies"])
    other = page.context.new_page()
    page.close()

    other.goto(url)

    expect(other.locator("[data-facts]")).to_be_visible()
    expect(other.get_by_text("This browser has text that was not saved")).to_have_count(0)
    until_copied(other, 1)
