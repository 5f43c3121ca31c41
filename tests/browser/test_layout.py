"""Pages fit narrow, enlarged, spaced out, right-to-left, without motion and on paper."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Picture
from playwright.sync_api import Page

from tests.browser.chromium import SHAPES, Reader, each_kind
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_layout")]

# 640 is 1280 at 200 % zoom.
_WIDTHS = [1280, 768, 640, 375, 320]
# At 200 % font size, 640 is as narrow as 320.
_LARGE = [1280, 640]
_SIDEWAYS = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
_LARGE_TEXT = "() => { document.documentElement.style.fontSize = '200%'; }"
# A stylesheet made by script, since the policy refuses inline ones.
_SPACED_OUT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-block-end: 2em !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
_CUT_OFF = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility() && element.textContent.trim())
  .filter((element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX)
    && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1))
  .map((element) => element.closest("[class]").className)"""
# Cards and breadcrumbs cut texts that the page shows whole; the names of share icons are hidden.
_CUT_ON_PURPOSE = {
    *(
        "blog-card__title",
        "blog-card__description",
        "blog-card__description p-summary",
        "blog-breadcrumbs",
        "blog-share",
    ),
}
_TRANSITIONS = """() => [...document.querySelectorAll("*")]
  .map((element) => getComputedStyle(element))
  .filter((style) => style.transitionDuration !== "0s" || style.animationName !== "none").length"""


def _sideways(page: Page, *, width: int) -> int:
    """Return by how many pixels something overflows a window of this width."""
    page.set_viewport_size({"width": width, "height": 900})
    pixels: int = page.evaluate(_SIDEWAYS)
    return pixels


@requirement("pages.narrow-screens")
@each_kind
def test_nothing_overflows_the_window(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    assert {width: _sideways(page, width=width) for width in _WIDTHS} == dict.fromkeys(_WIDTHS, 0)


@pytest.mark.parametrize("kind", SHAPES)
def test_nothing_overflows_at_twice_the_text_size(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    page.evaluate(_LARGE_TEXT)

    assert {width: _sideways(page, width=width) for width in _LARGE} == dict.fromkeys(_LARGE, 0)


@requirement("pages.sidebar")
def test_categories_are_above_the_list_on_a_phone_and_beside_it_on_a_desk(reader: Reader) -> None:
    page = reader.open("category", width=1280)
    above, beside = [".blog-categories", ".blog-list__main", ".blog-sidebar"], [".blog-categories", ".blog-sidebar"]

    wide = {part: page.locator(part).bounding_box() or {} for part in above}
    page.set_viewport_size({"width": 375, "height": 800})
    narrow = [(page.locator(part).bounding_box() or {})["y"] for part in above]

    assert {wide[part]["x"] for part in beside} == {wide[".blog-sidebar"]["x"]}
    assert wide[".blog-categories"]["y"] == wide[".blog-list__main"]["y"]
    assert wide[".blog-sidebar"]["x"] > wide[".blog-list__main"]["x"] + wide[".blog-list__main"]["width"]
    assert narrow == sorted(narrow)


@pytest.mark.heavy
@pytest.mark.parametrize("kind", SHAPES)
def test_nothing_is_cut_off_when_text_is_spaced_out(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    page.evaluate(_SPACED_OUT)

    assert {width: _sideways(page, width=width) for width in _WIDTHS} == dict.fromkeys(_WIDTHS, 0)
    assert set(page.evaluate(_CUT_OFF)) - _CUT_ON_PURPOSE == set()


@pytest.mark.heavy
@pytest.mark.parametrize("kind", SHAPES)
def test_from_right_to_left_nothing_overflows(arabic_reader: Reader, kind: str) -> None:
    page = arabic_reader.open(kind)

    language = page.locator("html").evaluate("(html) => [html.lang, html.dir]")

    assert language == ["ar", "rtl"]
    assert arabic_reader.faults == []
    assert {width: _sideways(page, width=width) for width in _WIDTHS} == dict.fromkeys(_WIDTHS, 0)


def test_from_right_to_left_the_page_is_mirrored(arabic_reader: Reader) -> None:
    page = arabic_reader.open("article")

    brand = page.locator(".blog-brand").bounding_box()
    switch = page.locator("[data-blog-theme-switch]").bounding_box()

    assert brand and switch
    assert brand["x"] > switch["x"]


@pytest.mark.chromium
@pytest.mark.parametrize("kind", ["index", "article"])
def test_reduced_motion_is_respected(reader: Reader, kind: str) -> None:
    still = reader.open(kind, reduced_motion="reduce")
    moving = reader.open(kind, reduced_motion="no-preference")

    assert still.evaluate(_TRANSITIONS) == 0
    assert moving.evaluate(_TRANSITIONS) > 0


_LONG_LINES = "() => document.querySelectorAll('pre code').forEach((code) => { code.textContent = 'x'.repeat(400) })"
_PAST_THE_EDGE = """() => [...document.querySelectorAll(".blog-prose :is(pre, .blog-highlight, .blog-table, table)")]
  .filter((element) => element.checkVisibility())
  .filter((element) => element.scrollWidth > element.clientWidth + 1
    || element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((element) => element.outerHTML.slice(0, 80))"""


@pytest.mark.chromium
@requirement("pages.print")
@pytest.mark.parametrize("width", [1080, 700, 480])
def test_paper_keeps_the_right_edge_of_code_and_tables(reader: Reader, width: int) -> None:
    page = reader.open("article", width=width)
    page.evaluate(_LONG_LINES)
    page.emulate_media(media="print")

    assert page.evaluate(_PAST_THE_EDGE) == []
    assert page.evaluate(_SIDEWAYS) == 0


_PRINTED = ["h1", ".blog-byline", ".blog-notice--ai", ".blog-notice--paid", ".blog-disclosure", ".blog-correction"]


@pytest.mark.chromium
@requirement("pages.print")
def test_paper_shows_everything_that_the_article_says(reader: Reader) -> None:
    page = reader.open("article", color_scheme="dark")
    page.emulate_media(media="print")

    shown: dict[str, Any] = {part: page.locator(part).first.is_visible() for part in _PRINTED}
    answers = [answer.is_visible() for answer in page.locator(".blog-faq__answer").all()]

    assert shown == dict.fromkeys(_PRINTED, True)
    assert answers == [True] * len(answers) != []
    assert page.locator(".blog-prose details:not([open])").get_by_text("By hand, twice.").is_visible()
    assert (page.locator(".blog-embed-load").count(), page.locator(".blog-embed-load").first.is_visible()) == (1, False)
    assert page.locator(".blog-embed a").is_visible()


_WIDE = """() => {
  const box = (element) => element.getBoundingClientRect();
  const prose = box(document.querySelector(".blog-prose"));
  const contents = document.querySelector("[data-blog-contents]");
  const beside = getComputedStyle(contents).position === "sticky" ? box(contents) : null;
  return [...document.querySelectorAll(".blog-prose > :is(.blog-table, .blog-highlight, .blog-wide)")]
    .map(box)
    .map(({ left, right, width }) => ({
      wider: width - prose.width,
      width,
      beside: beside === null || (beside.right <= left || beside.left >= right),
      inside: left >= 0 && right <= document.documentElement.clientWidth,
    }));
}"""


@requirement("rendering.wide")
@pytest.mark.parametrize(
    "width", [2560, 1216, 800, *(pytest.param(width, marks=pytest.mark.heavy) for width in (1600, 1280, 1200))]
)
def test_wide_blocks_have_more_space_and_touch_neither_contents_nor_window(reader: Reader, width: int) -> None:
    page = reader.open("article", width=width)

    boxes = page.evaluate(_WIDE)

    assert all(box["inside"] and box["beside"] for box in boxes)
    widest = max(box["width"] for box in boxes)
    assert max(box["wider"] for box in boxes) > 0
    assert widest <= 56 * 16 + 24 + 1
    assert width < 1200 or widest > 55 * 16


@requirement("rendering.wide")
def test_on_a_phone_wide_blocks_fill_the_window(reader: Reader) -> None:
    page = reader.open("article", width=375)

    # Less than 375 px where the bar for scrolling takes room.
    window = page.evaluate("document.documentElement.clientWidth")
    assert {round(box["width"]) for box in page.evaluate(_WIDE)} == {window}


@requirement("rendering.scrolling")
def test_the_head_of_a_tall_table_stays_in_view(reader: Reader) -> None:
    page = reader.open("article", height=240)
    table = page.locator(".blog-table").first

    moved = table.evaluate("(box) => { box.scrollTop = 1000; return box.scrollTop; }")

    assert moved > 0
    assert table.evaluate("""(box) => {
      const head = box.querySelector("th").getBoundingClientRect();
      return Math.abs(head.top - box.getBoundingClientRect().top - box.clientTop) < 1;
    }""")


@requirement("rendering.scrolling")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_where_code_is_cut_off_it_has_a_shadow(reader: Reader, scheme: str) -> None:
    page = reader.open("article", width=375, color_scheme=scheme)
    code = page.locator(".blog-highlight pre").first
    code.scroll_into_view_if_needed()

    cut = _colors_above_the_code(code.screenshot(animations="disabled"))
    code.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    whole = _colors_above_the_code(code.screenshot(animations="disabled"))

    assert cut[-2] != cut[len(cut) // 2]
    assert whole[-2] == whole[len(whole) // 2]
    assert whole[1] != whole[len(whole) // 2]


def _colors_above_the_code(screenshot: bytes) -> list[object]:
    """Return the colours of the row of pixels in the space above the first line of code."""
    with Picture.open(BytesIO(screenshot)) as image:
        return [image.getpixel((x, 8)) for x in range(image.width)]
