"""The editor of the desk as a writer uses it in a browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement
from tests.support.images import plain

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_DROP = """
([event, bytes]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(bytes)], "quay.png", { type: "image/png" }));
  const options = { bubbles: true, cancelable: true };
  const made = event === "paste"
    ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
    : new DragEvent("drop", { ...options, dataTransfer: transfer });
  document.getElementById("id_body").dispatchEvent(made);
}
"""

_IS_SAVED = re.compile("^(saved|unchanged)$")
"""On a busy machine the draft saves itself before the button is pressed, which then has nothing to save."""

_WIDTH = """
async (path) => {
  const image = new Image();
  image.src = path;
  await image.decode();
  return image.naturalWidth;
}
"""

_FILL = """
(field) => {
  field.value = "A line of **text** that goes on.\\n\\n".repeat(5880);
  field.setSelectionRange(9, 9);
}
"""

Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def wanda(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "wanda")


@pytest.fixture
def opened(desk_reader: Reader, wanda: Any) -> Opened:
    def open_screen(screen: str = "add", **options: Any) -> Page:
        return desk_reader.open(screen, storage_state=wanda, **options)

    return open_screen


def draft(page: Page, title: str) -> Page:
    """Type a title, and wait until the draft has saved itself."""
    page.get_by_label("Title", exact=True).fill(title)
    expect(page.locator("[data-status]")).to_contain_text("Saved at")
    return page


def test_a_draft_saves_itself_and_is_found_at_its_url(opened: Opened, desk_reader: Reader) -> None:
    page = draft(opened(), "Ferries at night")
    expect(page).to_have_url(re.compile(r"/post/\d+/change/$"))
    with page.expect_response("**/autosave/"):
        page.locator("#id_body").fill("They leave at ten.")
    expect(page.locator("[data-status]")).to_have_attribute("data-state", _IS_SAVED)

    page.reload()

    expect(page.locator("#id_body")).to_have_value("They leave at ten.")
    expect(page.locator("#id_slug")).to_have_value("ferries-at-night")
    assert desk_reader.faults == []


@pytest.mark.chromium
@requirement("desk.autosave", "desk.new-post")
def test_saving_waits_for_the_draft_that_is_saving_itself(opened: Opened, desk_reader: Reader) -> None:
    page = opened()
    held: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route("**/autosave/", hold_the_first)
    page.get_by_label("Title", exact=True).fill("Pressed while it saves itself")
    # The draft is stored, and its page does not know it yet.
    while not held:
        page.wait_for_timeout(50)

    page.locator("[data-save]").click()
    page.locator("[data-save]").click()
    route, answer = held[0]
    route.fulfill(response=answer)

    expect(page.locator("[data-status]")).to_contain_text(re.compile("Saved at|Everything is saved"))
    expect(page).to_have_url(re.compile(r"/post/\d+/change/$"))
    assert desk_reader.faults == []


# Firefox makes no paste event with files.
@pytest.mark.parametrize("event", [pytest.param("paste", marks=pytest.mark.chromium), "drop"])
def test_a_picture_is_uploaded_into_the_text(opened: Opened, desk_reader: Reader, event: str) -> None:
    page = opened()

    page.evaluate(_DROP, [event, list(plain())])

    body = page.locator("#id_body")
    expect(body).to_have_value(re.compile(r"!\[\]\(/blog/media/.*quay\.png\)"))
    page.get_by_label("What the image shows", exact=True).fill("A quay [at night]")
    page.keyboard.press("Enter")
    expect(body).to_have_value(re.compile(r"!\[A quay \\\[at night\\\]\]\(/blog/media/"))
    expect(page.locator("[data-alts]")).to_be_hidden()
    assert desk_reader.faults == []


def test_keys_and_buttons_mark_the_text_up(opened: Opened) -> None:
    page = opened()
    body = page.locator("#id_body")
    body.fill("word")
    body.press("Control+a")
    body.press("Control+b")
    expect(body).to_have_value("**word**")

    body.press("Shift+Tab")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")

    expect(body).to_have_value("**_word_**")


def test_words_and_headings_are_counted(opened: Opened) -> None:
    page = opened()
    page.locator("#id_body").fill("## One\n\ntwo three\n\n```\n# no heading\n```\n\n### Four")

    expect(page.locator("[data-words]")).to_have_text("6 words")
    page.get_by_text("Outline").click()

    expect(page.locator("[data-outline] button")).to_have_text(["One", "Four"])


def test_names_are_completed_with_the_keyboard(opened: Opened) -> None:
    page = opened()
    category, tags = page.get_by_label("Category", exact=True), page.get_by_label("Tags", exact=True)
    category.fill("gar")
    expect(page.get_by_role("option", name="Garden")).to_be_visible()
    category.press("ArrowDown")
    category.press("Enter")
    expect(category).to_have_value("Garden")

    tags.fill("wint")
    expect(page.get_by_role("option", name="winter")).to_be_visible()
    tags.press("ArrowDown")
    tags.press("Enter")
    tags.press_sequentially("new one,")
    expect(page.locator("input[name=tags]")).to_have_value("winter, new one")

    tags.press("Backspace")
    expect(page.locator("input[name=tags]")).to_have_value("winter")


@pytest.mark.parametrize(("names", "written"), [(["Gardening", "Garden"], "Garden"), (["Gardening"], "gard")])
def test_a_chosen_name_stays_chosen_when_a_later_answer_arrives(opened: Opened, names: list[str], written: str) -> None:
    page, held = opened(), list[Route]()
    category = page.get_by_label("Category", exact=True)
    category.fill("gar")
    expect(page.get_by_role("option", name="Garden")).to_be_visible()
    page.route("**?q=gard", lambda route: held.append(route))

    with page.expect_request("**?q=gard"):
        category.press("d")
    category.press("ArrowDown")
    held[0].fulfill(json={"names": names})
    expect(page.get_by_role("option", name="Gardening")).to_be_visible()
    chosen = category.get_attribute("aria-activedescendant")
    if chosen:
        category.press("Enter")

    assert bool(chosen) == (written == "Garden")
    expect(category).to_have_value(written)


def test_the_preview_shows_what_was_typed_in_both_modes(opened: Opened, desk_reader: Reader) -> None:
    page = opened()
    page.get_by_label("Title", exact=True).fill("Typed, not stored")
    page.get_by_role("button", name="Preview").click()
    article = page.frame_locator("[data-preview-frame]")
    expect(article.locator("h1")).to_have_text("Typed, not stored")

    page.get_by_role("button", name="Dark").click()
    expect(article.locator("html")).to_have_attribute("data-theme", "dark")
    expect(article.locator("body")).to_have_css("background-color", "rgb(18, 18, 18)")
    page.get_by_role("button", name="Phone").click()

    assert page.locator("[data-preview-frame]").evaluate("(frame) => frame.clientWidth") == 375
    assert desk_reader.faults == []


def test_two_windows_of_one_post_lose_nothing(opened: Opened) -> None:
    first = draft(opened(), "Two windows")
    second = first.context.new_page()
    second.goto(first.url)
    second.locator("#id_description").fill("From the second")
    expect(second.locator("[data-status]")).to_contain_text("Saved at")

    first.locator("#id_description").fill("From the first")
    expect(first.locator("[data-status]")).to_contain_text("another version")
    first.get_by_role("button", name="Save", exact=False).first.click()

    expect(first.get_by_role("heading", level=1)).to_have_text("Two versions of this post")
    first.get_by_label("What is in the post now").check()
    first.get_by_role("button", name="Save with these versions").click()
    expect(first.locator("#id_description")).to_have_value("From the second")


def test_questions_are_added_moved_and_taken_out(opened: Opened) -> None:
    page = draft(opened(), "Questions")
    page.locator("summary", has_text="Questions and answers").click()
    rows = page.locator("#id_faq [data-row]")
    rows.nth(0).get_by_label("Question").fill("First?")
    rows.nth(0).get_by_label("Answer").fill("Yes.")
    page.get_by_role("button", name="Add a question").click()
    rows.nth(1).get_by_label("Question").fill("Second?")
    rows.nth(1).get_by_label("Answer").fill("No.")
    rows.nth(1).get_by_role("button", name="Move up").click()
    page.locator("[data-save]").click()
    expect(page.locator("[data-status]")).to_have_attribute("data-state", _IS_SAVED)
    page.reload()
    expect(rows.locator("[name=faq_question]").nth(0)).to_have_value("Second?")

    rows.nth(1).get_by_role("button", name="Remove").click()
    rows.nth(0).get_by_role("button", name="Remove").click()
    page.locator("[data-save]").click()
    expect(page.locator("[data-status]")).to_have_attribute("data-state", _IS_SAVED)
    page.reload()

    expect(rows.locator("[name=faq_question]")).to_have_value("")


def test_a_cover_is_picked_from_the_library(opened: Opened) -> None:
    page = draft(opened(), "With a cover")
    page.get_by_role("button", name="Pick from the library").first.click()
    page.locator("dialog [data-pick]").first.click()

    expect(page.locator("[data-picture-shown]").first).to_be_visible()
    page.locator("[data-save]").click()
    expect(page.locator("[data-status]")).to_have_attribute("data-state", _IS_SAVED)
    page.reload()
    expect(page.locator("input[name=cover_image]")).not_to_have_value("")


def test_a_large_cover_is_made_smaller_and_what_no_browser_shows_is_refused_in_words(opened: Opened) -> None:
    page = draft(opened(), "With a photo of a phone")
    file = page.locator("[data-picture-file]").first
    heic = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"
    # As if the blog took only small photos.
    page.evaluate("""() => {
      const data = document.querySelector("[data-post-form]").dataset;
      data.images = JSON.stringify({ ...JSON.parse(data.images), pixels: 1 });
    }""")

    file.set_input_files({"name": "IMG_1.HEIC", "mimeType": "image/heic", "buffer": heic})
    expect(page.get_by_role("alert")).to_contain_text("IMG_1.HEIC is a HEIC photo")

    large = {"name": "large.png", "mimeType": "image/png", "buffer": plain(size=(3000, 1500), color="olive")}
    with page.expect_response("**/upload/") as answer:
        file.set_input_files(large)
    expect(page.locator("[data-picture-shown]").first).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert page.evaluate(_WIDTH, answer.value.json()["path"]) == 2560


def test_a_cover_that_did_not_reach_the_server_stays_chosen(opened: Opened) -> None:
    page = draft(opened(), "With a cover that waits")
    file = page.locator("[data-picture-file]").first
    page.route("**/upload/", lambda route: route.abort())

    file.set_input_files({"name": "wait.png", "mimeType": "image/png", "buffer": plain(color="maroon")})

    expect(page.get_by_role("alert")).to_contain_text("wait.png was not uploaded.")
    assert file.evaluate("(field) => field.files.length") == 1


def test_the_largest_text_is_saved_after_typing_and_not_for_every_key(opened: Opened) -> None:
    page = draft(opened(), "A long text")
    body = page.locator("#id_body")
    body.evaluate(_FILL)
    saves: list[str] = []
    page.on("request", lambda request: saves.append(request.url) if "autosave" in request.url else None)

    body.press_sequentially("typed in the middle")
    page.locator("[data-save]").click()

    expect(page.locator("[data-status]")).to_have_attribute("data-state", _IS_SAVED)
    expect(body).to_have_value(re.compile(r"^A line oftyped in the middle \*\*text"))
    assert len(saves) < 5
