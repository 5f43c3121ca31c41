"""The writing surface: nothing lies over anything else, the text grows, details fold, the preview follows the caret."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk")]

_OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
_STEP = 90
_PREVIEWS = ["", "phone", "wide"]


@pytest.fixture(scope="module")
def root(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "root")


def overlaps(page: Page) -> list[str]:
    """Return what lies over something else at any scroll position of the page."""
    found: list[str] = page.evaluate(f"(step) => {{ {_OVERLAPS}; return overlaps(step); }}", _STEP)
    return found


def _with_errors(page: Page) -> None:
    """Save a post with a side field that is refused; the page stays, and says so in its bar and at the field."""
    page.locator("#id_title").fill("Refused")
    page.locator("#id_canonical_url").evaluate("(field) => { field.value = 'nonsense'; }")
    page.locator("[data-save]").click()
    page.locator("#error_canonical_url").wait_for(state="attached")


def _on_a_page_of_errors(page: Page) -> None:
    """Send the same without the script that saves in place, and show the page that the server answers with."""
    page.locator("[data-post-form]").evaluate(
        """(form) => {
          form.elements.canonical_url.value = "nonsense";
          const save = Object.assign(document.createElement("input"), { type: "hidden", name: "save", value: "1" });
          form.append(save);
          HTMLFormElement.prototype.submit.call(form);
        }"""
    )
    page.locator("#editor-errors").wait_for()


def _with_a_message(page: Page) -> None:
    page.evaluate(
        """() => {
          const list = document.createElement("ul");
          list.className = "messagelist";
          list.innerHTML = '<li class="success">Saved.</li><li class="warning">And a warning.</li>';
          document.querySelector(".main, #main").prepend(list);
        }"""
    )


def _with_a_copy(page: Page) -> None:
    page.evaluate(
        "document.querySelector('[data-post-form]').before(document.querySelector('[data-copy-template]').content)"
    )


_STATES = {
    "add": ("add", _with_errors),
    "errors": ("add", _on_a_page_of_errors),
    "write": ("write", _with_a_message),
    "write_public": ("write_public", _with_a_copy),
    "propose": ("propose", None),
}


@requirement("desk.surface.overlaps")
@pytest.mark.parametrize("width", [1024, 1280, 1600])
@pytest.mark.parametrize("state", _STATES)
def test_nothing_lies_over_anything_at_any_scroll_position(
    desk_reader: Reader, root: Any, state: str, width: int
) -> None:
    screen, prepare = _STATES[state]
    page = desk_reader.opened_and_ready(screen, width=width, height=800, storage_state=root)
    if prepare:
        prepare(page)
    found = {}
    for are_details_shown in (True, False):
        found["closed", are_details_shown] = overlaps(page)
        page.locator("[data-preview-toggle]").click()
        for shape in _PREVIEWS:
            if shape:
                page.locator(f"button[data-preview-width={shape}]").click()
            found[shape, are_details_shown] = overlaps(page)
        page.locator("button[data-preview-width=wide]").click()
        page.locator("[data-preview-toggle]").click()
        page.locator("[data-details-toggle]").click()

    assert {view: lines for view, lines in found.items() if lines} == {}


def test_what_lies_over_something_is_found(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("write", height=800, storage_state=root)
    page.locator("#editor-side").evaluate("(side) => { side.style.translate = '-300px 0'; }")

    found = overlaps(page)

    assert any("input#id_title" in line for line in found), found


def type_lines(page: Page, number: int) -> None:
    """Fill the text with short lines, with the caret behind them."""
    page.locator("#id_body").fill("".join(f"line {line}\n" for line in range(number)))
    page.locator("#id_body").press("Control+End")


_CARET = """(field) => {
  const style = getComputedStyle(field);
  const height = parseFloat(style.lineHeight);
  const line = field.value.slice(0, field.selectionStart).split("\\n").length - 1;
  const top = field.getBoundingClientRect().top + field.clientTop + parseFloat(style.paddingTop) + line * height;
  const bars = document.querySelector("[data-tools]").getBoundingClientRect().bottom;
  const isSeen = top >= bars && top + height <= innerHeight;
  return { y: scrollY, isSeen, isWhole: field.scrollHeight <= field.clientHeight };
}"""
_OLD_BROWSER = """
  const supports = CSS.supports.bind(CSS);
  CSS.supports = (name, value) => name !== "field-sizing" && supports(name, value);
"""
_FIX_SIZES = "document.styleSheets[0].insertRule('textarea { field-sizing: fixed !important }')"


def caret(page: Page) -> dict[str, Any]:
    """Return how far the page is scrolled, whether the line of the caret is seen, and whether no text is cut off."""
    told: dict[str, Any] = page.locator("#id_body").evaluate(_CARET)
    return told


@requirement("desk.surface.text")
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("is_old", [False, True], ids=["", "without_field_sizing"])
def test_the_text_grows_and_the_caret_stays_in_view(desk_reader: Reader, root: Any, width: int, is_old: bool) -> None:
    page = desk_reader.open("add", width=width, height=700, storage_state=root, first=_OLD_BROWSER if is_old else "")
    if is_old:
        page.evaluate(_FIX_SIZES)
    type_lines(page, 120)
    page.keyboard.type("x")
    page.wait_for_function("() => scrollY > 1000")
    places = [caret(page)]
    for key in ["Enter", "x", "Enter", "Enter", "x", "Backspace", "x", "Enter", "x"]:
        page.keyboard.press(key)
        places.append(caret(page))

    assert all(place["isSeen"] and place["isWhole"] for place in places)
    steps = [after["y"] - before["y"] for before, after in pairwise(places)]
    assert all(-1 <= step <= 61 for step in steps)

    # Where it is simulated, Chromium scrolls by pages without the caret.
    for key in ["ArrowUp", "Control+Home"] if is_old else ["PageUp", "PageUp", "ArrowUp", "Control+Home", "PageDown"]:
        page.keyboard.press(key)
        page.wait_for_function(f"() => ({_CARET})(document.getElementById('id_body')).isSeen")
    height = page.locator("#id_body").evaluate("(field) => field.offsetHeight")
    page.locator("#id_body").fill("short")
    page.wait_for_function("(before) => document.getElementById('id_body').offsetHeight < before / 2", arg=height)


@requirement("desk.surface.text")
def test_a_list_in_the_middle_of_a_long_text_goes_on_where_it_is(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("add", height=700, storage_state=root)
    type_lines(page, 200)
    at = page.locator("#id_body").input_value().index("line 100")
    page.locator("#id_body").evaluate("(field, at) => field.setSelectionRange(at, at)", at)
    page.keyboard.type("- ")
    page.wait_for_function(f"() => ({_CARET})(document.getElementById('id_body')).isSeen")
    before = caret(page)

    page.keyboard.press("Enter")
    page.keyboard.type("x")

    after = caret(page)
    assert after["isSeen"]
    assert abs(after["y"] - before["y"]) < 60


_COUNT_LAYOUTS = """
  window.layouts = 0;
  for (const name of ["scrollHeight", "offsetHeight", "clientHeight"]) {
    const owner = name === "offsetHeight" ? HTMLElement.prototype : Element.prototype;
    const { get } = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { get() { if (this.id === "id_body") layouts++; return get.call(this); } });
  }
"""


@requirement("desk.surface.text")
@pytest.mark.parametrize("is_old", [False, True], ids=["", "without_field_sizing"])
def test_a_key_in_a_long_text_asks_for_one_layout_at_most(desk_reader: Reader, root: Any, is_old: bool) -> None:
    page = desk_reader.open("add", storage_state=root, first=_COUNT_LAYOUTS + (_OLD_BROWSER if is_old else ""))
    page.locator("#id_body").evaluate(
        "(field) => { field.value = `${'word '.repeat(20)}\\n\\n`.repeat(1000); field.focus(); }"
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    page.evaluate("layouts = 0")

    page.keyboard.type("ten of you")
    for _ in range(10):
        page.keyboard.press("Backspace")

    assert page.evaluate("layouts") == (20 if is_old else 0)


def details(page: Page) -> tuple[bool, bool, str | None]:
    """Return whether the description and the side are shown, and what the button says."""
    button = page.locator("[data-details-toggle]")
    shown = [page.locator(name).is_visible() for name in ("#id_description", "#editor-side")]
    return shown[0], shown[1], button.get_attribute("aria-expanded")


@requirement("desk.surface.details")
def test_details_are_hidden_and_folded_as_the_browser_remembers(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("write", storage_state=root)
    page.locator("[data-fold=sorting] > summary").press("Enter")
    page.locator("[data-fold=shared] > summary").click()
    assert details(page) == (True, True, "true")
    page.get_by_role("button", name="Details").press("Enter")
    assert details(page) == (False, False, "false")

    desk_reader.go(page, "write_public")

    assert details(page) == (False, False, "false")
    page.get_by_role("button", name="Details").click()
    assert page.locator("[data-fold=sorting]").get_attribute("open") is None
    assert page.locator("[data-fold=shared]").get_attribute("open") == ""
    expect(page.locator("[data-status]")).to_be_empty()


@requirement("desk.surface.details")
def test_what_has_an_error_or_is_led_to_is_shown(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("add", storage_state=root)
    page.locator("[data-details-toggle]").click()
    _with_errors(page)
    assert details(page)[1:] == (True, "true")
    expect(page.locator("#id_canonical_url")).to_be_visible()

    page.locator("[data-details-toggle]").click()
    page.get_by_role("button", name="Original URL").click()
    expect(page.locator("#id_canonical_url")).to_be_visible()

    page.locator("[data-details-toggle]").click()
    page.locator("#id_series").evaluate("(field) => field.parentElement.classList.add('errors')")
    expect(page.locator("#id_series")).to_be_visible()

    # What was shown for these is not remembered.
    other = page.context.new_page()
    desk_reader.go(other, "write")
    assert details(other)[1:] == (False, "false")


_NO_STORAGE = """
  for (const name of ["getItem", "setItem"]) {
    const own = Storage.prototype[name];
    Storage.prototype[name] = function (key, ...rest) {
      if (key === "blog-engine-editor") throw new DOMException("", "SecurityError");
      return own.call(this, key, ...rest);
    };
  }
"""


# Frames of other origins have no storage.
_BROKEN_STORAGE = "try { localStorage.setItem('blog-engine-editor', '[]}'); } catch { window.hasNoStorage = true; }"


@requirement("desk.surface.details")
@pytest.mark.parametrize("first", [_NO_STORAGE, _BROKEN_STORAGE])
def test_details_need_no_storage(desk_reader: Reader, root: Any, first: str) -> None:
    page = desk_reader.open("write", storage_state=root, first=first)

    assert details(page) == (True, True, "true")
    page.locator("[data-details-toggle]").click()

    assert details(page) == (False, False, "false")
    assert desk_reader.faults == []


@requirement("desk.surface.details", "desk.no-javascript")
@pytest.mark.chromium
def test_without_scripts_all_fields_are_shown(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("write", storage_state=root, java_script_enabled=False)

    expect(page.locator("#id_description")).to_be_visible()
    expect(page.locator("#id_category")).to_be_visible()
    expect(page.locator("[data-details-toggle]")).to_be_hidden()


_PASSAGES = "".join(
    f"## Heading {number}\n\nThe [harbour](https://example.org/{number}) in year {number}, **long** enough for two "
    f"lines of the page.\n\n- item {number}\n- the same\n\n```python\nprint({number})\n```\n\n| a | b |\n"
    f"| --- | --- |\n| cell {number} | the same |\n\nThe same words each time.\n\n"
    for number in range(40)
)
_WRITE = "(field, text) => { field.value = text; field.dispatchEvent(new Event('input', { bubbles: true })); }"
_SEEN = """(frame, text) => [...frame.contentDocument.querySelectorAll("[data-blog-body] *")].some((element) => {
  const { top } = element.getBoundingClientRect();
  return element.textContent.includes(text) && element.children.length < 3 && top >= 0 && top < frame.clientHeight;
})"""


def go_to(page: Page, text: str, nth: int = 0) -> None:
    """Put the caret into a passage as a click does."""
    place = -1
    for _ in range(nth + 1):
        place = _PASSAGES.index(text, place + 1)
    page.locator("#id_body").evaluate(
        """(field, at) => {
          field.dispatchEvent(new Event("pointerdown"));
          field.focus();
          field.setSelectionRange(at, at);
        }""",
        place,
    )


@requirement("desk.surface.preview")
def test_the_preview_follows_the_caret(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("add", storage_state=root, reduced_motion="reduce")
    page.locator("#id_body").evaluate(_WRITE, _PASSAGES)
    page.get_by_role("button", name="Preview").click()
    frame = page.locator("[data-preview-frame]")
    expect(page.frame_locator("[data-preview-frame]").locator("#heading-39")).to_be_attached()

    for text, nth, near in [
        ("Heading 30", 0, "Heading 30"),
        ("print(7)", 0, "print(7)"),
        ("cell 21", 0, "cell 21"),
        ("The same words", 12, "cell 12"),
        ("- the same", 35, "item 35"),
        ("| --- | --- |", 3, "cell 3"),
    ]:
        go_to(page, text, nth)
        page.wait_for_function(f"([frame, text]) => ({_SEEN})(frame, text)", arg=[frame.element_handle(), near])
    page.locator("#id_title").focus()
    page.wait_for_function(
        "(frame) => frame.contentDocument.documentElement.scrollTop === 0", arg=frame.element_handle()
    )
    assert "data-line" not in frame.evaluate("(frame) => frame.contentDocument.documentElement.outerHTML")


@requirement("desk.surface.preview")
def test_a_preview_that_somebody_scrolled_stays_while_they_write(desk_reader: Reader, root: Any) -> None:
    page = desk_reader.open("add", storage_state=root, reduced_motion="reduce")
    page.locator("#id_body").evaluate(_WRITE, _PASSAGES)
    page.get_by_role("button", name="Preview").click()
    frame = page.locator("[data-preview-frame]")
    expect(page.frame_locator("[data-preview-frame]").locator("#heading-39")).to_be_attached()
    go_to(page, "Heading 30")
    page.wait_for_function(f"([frame, text]) => ({_SEEN})(frame, text)", arg=[frame.element_handle(), "Heading 30"])
    frame.evaluate(
        """(frame) => {
          frame.contentDocument.dispatchEvent(new WheelEvent("wheel"));
          frame.contentDocument.documentElement.scrollTo({ top: 40, behavior: "instant" });
        }"""
    )

    with page.expect_response("**/preview/"):
        page.keyboard.type("More ")
    expect(page.frame_locator("[data-preview-frame]").locator("h2", has_text="More Heading 30")).to_be_attached()
    assert frame.evaluate("(frame) => frame.contentDocument.documentElement.scrollTop") == 40

    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"([frame, text]) => ({_SEEN})(frame, text)", arg=[frame.element_handle(), "Heading 30"])
