"""Covers and images that are hard to show, and cards without a category."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_pictures")]

_COVER, _FIGURE = ".blog-cover img", ".blog-figure img"
_BACKING = "(image) => getComputedStyle(image).backgroundColor"
_LOADED = "(image) => image.decode().then(() => image.naturalWidth)"
_HEIGHT_OF_FILE = """(image) => new Promise((done) => {
  const file = new Image();
  file.onload = () => done(file.naturalHeight);
  file.src = image.currentSrc;
})"""
_TITLES = """() => [...document.querySelectorAll(".blog-cards > .blog-card")].map((card) =>
  card.querySelector(".blog-card__title a").getBoundingClientRect().top - card.getBoundingClientRect().top)"""
_NOTHING = "rgba(0, 0, 0, 0)"


def _box(page: Page, selector: str) -> dict[str, float]:
    image = page.locator(selector).first
    image.scroll_into_view_if_needed()
    image.evaluate(_LOADED)
    box: Any = image.bounding_box()
    return dict(box)


@requirement("pages.images")
@pytest.mark.parametrize("selector", [_COVER, _FIGURE])
def test_black_lines_on_transparency_are_visible_in_dark_mode(reader: Reader, selector: str) -> None:
    dark = reader.open("transparent", color_scheme="dark").locator(selector).evaluate(_BACKING)
    light = reader.open("transparent", color_scheme="light").locator(selector).evaluate(_BACKING)

    assert (dark, light) == ("rgb(148, 148, 148)", _NOTHING)


@requirement("pages.images")
@pytest.mark.parametrize("selector", [_COVER, _FIGURE])
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (375, 812), (320, 480)])
def test_a_tall_picture_fits_the_window_and_its_box_is_as_narrow(
    reader: Reader, selector: str, width: int, height: int
) -> None:
    box = _box(reader.open("tower", width=width, height=height), selector)

    assert box["height"] == pytest.approx(0.9 * height, abs=1)
    assert box["width"] == pytest.approx(box["height"] / 4, abs=1)


@requirement("pages.images")
def test_loading_a_tall_picture_shifts_nothing(reader: Reader) -> None:
    page = reader.blank()
    page.route("**/w*.avif", lambda route: route.abort())
    page.route("**/w*.webp", lambda route: route.abort())
    reader.go(page, "tower")
    before = page.locator(_COVER).bounding_box()

    after = _box(reader.open("tower"), _COVER)

    assert before is not None
    assert (before["width"], before["height"]) == (after["width"], after["height"])


@requirement("media.cards")
def test_the_cover_of_a_card_that_is_a_panorama_is_sharp(reader: Reader) -> None:
    page = reader.open("pictures", width=1280)
    image = page.locator("img[alt='A horizon']")
    box = _box(page, "img[alt='A horizon']")

    file_height = image.evaluate(_HEIGHT_OF_FILE)

    assert file_height >= min(box["height"], 1600 / 6)


@requirement("pages.cards.aligned")
def test_the_title_of_a_card_without_category_is_beside_those_of_its_neighbours(reader: Reader) -> None:
    page = reader.open("pictures", width=1280)

    tops = page.evaluate(_TITLES)

    assert page.locator(".blog-card .blog-kicker").count() == 2
    assert tops == [tops[0]] * 3
