"""No template cuts off or widens its page by a word, URL, formula or table, however long it is."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import Prepared, Reader, Site, serve
from tests.browser.long_contents import WORD
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_layout")]

_WIDTHS = [320, 375, 768, 1280, 1920]
_PAGES = [
    *("index", "category", "tag", "author", "series", "article", "article without a cover", "search", "search_empty"),
    *("archive", "archive_year", "feeds", "policy", "history", "history_version", "history_changes", "not_found"),
    *("gone", "preview", *(f"directory of {kind}" for kind in ("category", "tag", "author", "series"))),
]
# Breadcrumbs end in an ellipsis above the whole title, chips of categories scroll, and names of icons are hidden.
_LOST = """() => {
  const page = document.scrollingElement;
  const lost = new Set(page.scrollWidth > page.clientWidth ? ["the page scrolls sideways"] : []);
  const exempt = `script, style, annotation, .blog-skip, .blog-share, .blog-search__status, .blog-breadcrumbs,
    [data-blog-label]`;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    const isShown = text.data.trim() && element.checkVisibility({ visibilityProperty: true });
    if (!isShown || element.closest(exempt)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { left, right, width } of range.getClientRects()) {
      let isFree = false;
      for (let one = element; one && !isFree; one = one.parentElement) {
        const style = getComputedStyle(one);
        isFree = ["auto", "scroll"].includes(style.overflowX) || style.clipPath !== "none";
        const frame = one.getBoundingClientRect();
        const cuts = ["hidden", "clip"].includes(style.overflowX) && style.display !== "inline";
        if (cuts && (right > frame.right + 1 || left < frame.left - 1)) {
          lost.add(`${element.className} is cut by ${one.className}`);
        }
      }
      if (width && !isFree && (right > page.clientWidth + 1 || left < -1)) lost.add(`${element.className} is outside`);
    }
  }
  return [...lost];
}"""


@pytest.fixture(scope="module")
def long_site(long_prepared: Prepared) -> Iterator[Site]:
    with serve(long_prepared) as served:
        yield served


@pytest.fixture
def long_reader(browser: Browser, long_site: Site) -> Iterator[Reader]:
    visitor = Reader(browser, long_site)
    yield visitor
    visitor.leave()


@pytest.mark.chromium
@requirement("pages.narrow-screens", "pages.cards.whole")
@pytest.mark.parametrize("name", _PAGES)
def test_long_words_are_whole_on_every_page(long_reader: Reader, name: str) -> None:
    page = long_reader.open(name, width=_WIDTHS[-1])
    lost: dict[int, list[str]] = {}

    for width in _WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        lost[width] = page.evaluate(_LOST)

    assert lost == {width: [] for width in _WIDTHS}


def test_the_word_has_114_letters() -> None:
    assert len(WORD) == 114


@pytest.mark.chromium
@requirement("pages.first-screen")
def test_the_text_begins_on_the_first_screen_of_a_phone(long_reader: Reader) -> None:
    page = long_reader.open("usual", width=375, height=812)

    top = page.locator(".blog-prose p").first.evaluate("(text) => text.getBoundingClientRect().top")

    assert all(page.locator(part).is_visible() for part in [".blog-cover img", ".blog-contents", ".blog-notice--ai"])
    assert top < 812 - 28  # the first line, whole


@requirement("pages.cards.whole")
def test_titles_of_cards_have_at_most_four_lines(long_reader: Reader) -> None:
    page = long_reader.open("index", width=320)

    lines = page.evaluate("""() => [...document.querySelectorAll(".blog-cards .blog-card__title")].map((title) =>
      Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight)))""")

    assert lines
    assert max(lines) <= 5  # with the space above the first one
