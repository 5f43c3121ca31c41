"""The interface in each of its languages fits the page; screenshots are kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import Prepared, Reader, keep_picture, serve
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_languages")]

# One with long words, and the only one from right to left, run for each change.
_OFTEN = ["ar", "pl"]
_BEFORE_RELEASES = ["de", "es", "fr", "it", "ja", "nl", "pt", "zh-Hans"]
_ALL = [*_OFTEN, *(pytest.param(one, marks=pytest.mark.heavy) for one in _BEFORE_RELEASES)]
_KINDS = ["index_2", "article", "search", "feeds", "not_found"]
_FOLDER = Path(__file__).resolve().parents[2] / "artifacts" / "screenshots" / "languages"
# Words that reach beyond their control, heading or cell are cut off or lie over a neighbour; code and chips scroll.
_OVERFLOWING = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    let box = text.parentElement;
    // What is hidden from sight for screen readers has no place on the page.
    const isSeen = text.data.trim() && box.checkVisibility() && getComputedStyle(box).position !== "absolute";
    if (!isSeen || box.closest(".blog-prose, .blog-skip, .blog-share")) continue;
    while (getComputedStyle(box).display === "inline") box = box.parentElement;
    const words = document.createRange();
    words.selectNodeContents(text);
    const outer = box.getBoundingClientRect();
    if ([...words.getClientRects()].some((one) => one.right > outer.right + 1 || one.left < outer.left - 1)) {
      found.push(`${box.className || box.tagName}: ${text.data.trim().slice(0, 40)}`);
    }
  }
  if (document.scrollingElement.scrollWidth > innerWidth) found.push("the page");
  return found;
}"""


@pytest.fixture(scope="module", params=_ALL)
def language(request: pytest.FixtureRequest, browser: Browser, prepared: Prepared) -> Iterator[tuple[str, Reader]]:
    with serve(prepared, BLOG_LOCALE=request.param) as site:
        visitor = Reader(browser, site)
        yield request.param, visitor
        visitor.leave()


@requirement("pages.translations", "pages.narrow-screens")
def test_the_words_of_a_language_fit_every_page(language: tuple[str, Reader]) -> None:
    locale, reader = language
    page = reader.blank()
    found = {}

    for kind in _KINDS:
        reader.go(page, kind)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            found[kind, width] = page.evaluate(_OVERFLOWING)
            keep_picture(page, _FOLDER / f"{locale}-{kind}-{width}.png")

    assert [place for place in found.items() if place[1]] == []
    assert page.locator("html").get_attribute("dir") == ("rtl" if locale == "ar" else "ltr")
    assert page.locator("html").get_attribute("lang") == locale
    assert reader.faults == []
