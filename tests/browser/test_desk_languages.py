"""The desk in a language with long words and in one from right to left: its words fit each screen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import Prepared, Reader, keep_picture, serve, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.heavy, pytest.mark.xdist_group("browser_desk_languages")]

_SCREENS = ["index", "posts", "queue", "write", "history", "review", "proposal_open", "series_order"]
_FOLDER = Path(__file__).resolve().parents[2] / "artifacts" / "screenshots" / "languages"
# Words that reach beyond their control, heading or cell are cut off or lie over a neighbour. Tables and code scroll;
# an ellipsis says that there is more, as in lists.
_OVERFLOWING = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector("#content"), NodeFilter.SHOW_TEXT);
  const isScrolling = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const scrolls = (one) => one && (isScrolling(one) || scrolls(one.parentElement));
  while (texts.nextNode()) {
    const text = texts.currentNode;
    let box = text.parentElement;
    if (!text.data.trim() || !box.checkVisibility() || box.closest("[class*=hidden], select, textarea")) continue;
    if (getComputedStyle(box).position === "absolute" || scrolls(box)) continue;
    while (getComputedStyle(box).display === "inline") box = box.parentElement;
    if (getComputedStyle(box).textOverflow === "ellipsis") continue;
    const words = document.createRange();
    words.selectNodeContents(text);
    const outer = box.getBoundingClientRect();
    if ([...words.getClientRects()].some((one) => one.right > outer.right + 1 || one.left < outer.left - 1)) {
      found.push(`${box.className || box.tagName}: ${text.data.trim().slice(0, 40)}`);
    }
  }
  if (document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth) found.push("the page");
  return found;
}"""

Window = tuple[str, Reader, Page]


@pytest.fixture(scope="module", params=["ar", "pl"])
def window(
    request: pytest.FixtureRequest, browser: Browser, desk_prepared: Prepared, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window]:
    copy = desk_prepared.copied_to(tmp_path_factory.mktemp("desk") / "copy")
    with serve(copy, BLOG_SITE="desk", BLOG_LOCALE=request.param) as site:
        visitor = Reader(browser, site)
        state = signed_in(browser, site, "root")
        yield request.param, visitor, visitor.blank(storage_state=state, reduced_motion="reduce")
        visitor.leave()


@requirement("desk.translated")
@pytest.mark.parametrize("screen", _SCREENS)
def test_the_words_of_a_language_fit_a_screen_of_the_desk(window: Window, screen: str) -> None:
    language, reader, page = window
    reader.faults.clear()
    reader.go(page, screen)
    found = {}

    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        found[width] = page.evaluate(_OVERFLOWING)
        keep_picture(page, _FOLDER / f"desk-{language}-{screen}-{width}.png")

    assert found == {375: [], 1280: []}
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert reader.faults == []


@requirement("desk.directions")
def test_the_line_of_the_history_is_where_lines_begin(window: Window) -> None:
    language, reader, page = window
    reader.go(page, "history")

    style = page.locator(".timeline").evaluate(
        "(one) => [getComputedStyle(one).borderLeftWidth, getComputedStyle(one).borderRightWidth]"
    )

    assert style == (["0px", "2px"] if language == "ar" else ["2px", "0px"])


@requirement("desk.translated")
def test_the_words_and_the_size_of_a_text_are_written_as_the_server_does(window: Window) -> None:
    language, reader, page = window
    reader.go(page, "write")
    facts = page.locator("[data-facts] p")
    expect(facts).not_to_have_text(re.compile(r"^\s*·"))
    text = page.locator("#id_body").input_value()
    words = [piece for piece in text.split() if re.search(r"\w", piece)]
    size = f"{len(text.encode()) / 1024:.1f}"

    numbers = re.findall(r"\d[\d.,\u066b]*", facts.inner_text())

    # Words, size and limit: the same digits, and the same sign before their fraction.
    assert [re.sub(r"\D", ".", number) for number in numbers] == [str(len(words)), size, "256.0"]
    assert numbers[1][-2] == numbers[2][-2] == ("," if language == "pl" else numbers[2][-2])
