"""Pages fit narrow, enlarged, spaced out, right-to-left, without motion and on paper."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import KINDS, SHAPES, Reader
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
# Cards and breadcrumbs cut texts that the page shows whole.
_CUT_ON_PURPOSE = {"blog-card__description", "blog-breadcrumbs"}
_TRANSITIONS = """() => [...document.querySelectorAll("*")]
  .map((element) => getComputedStyle(element))
  .filter((style) => style.transitionDuration !== "0s" || style.animationName !== "none").length"""


def _sideways(page: Page, *, width: int) -> int:
    """Return by how many pixels something overflows a window of this width."""
    page.set_viewport_size({"width": width, "height": 900})
    pixels: int = page.evaluate(_SIDEWAYS)
    return pixels


@requirement("pages.narrow-screens")
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_overflows_the_window(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    assert {width: _sideways(page, width=width) for width in _WIDTHS} == dict.fromkeys(_WIDTHS, 0)


@pytest.mark.parametrize("kind", SHAPES)
def test_nothing_overflows_at_twice_the_text_size(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    page.evaluate(_LARGE_TEXT)

    assert {width: _sideways(page, width=width) for width in _LARGE} == dict.fromkeys(_LARGE, 0)


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


@requirement("pages.print")
@pytest.mark.parametrize("width", [1080, 700, 480])
def test_paper_keeps_the_right_edge_of_code_and_tables(reader: Reader, width: int) -> None:
    page = reader.open("article", width=width)
    page.evaluate(_LONG_LINES)
    page.emulate_media(media="print")

    assert page.evaluate(_PAST_THE_EDGE) == []
    assert page.evaluate(_SIDEWAYS) == 0


_PRINTED = ["h1", ".blog-byline", ".blog-notice--ai", ".blog-notice--paid", ".blog-disclosure", ".blog-correction"]


def test_paper_shows_everything_that_the_article_says(reader: Reader) -> None:
    page = reader.open("article", color_scheme="dark")
    page.emulate_media(media="print")

    shown: dict[str, Any] = {part: page.locator(part).first.is_visible() for part in _PRINTED}
    answers = [answer.is_visible() for answer in page.locator(".blog-faq__answer").all()]

    assert shown == dict.fromkeys(_PRINTED, True)
    assert answers == [True] * len(answers) != []
