"""Covers and images that are hard to show, and cards without a category."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_pictures")]

_COVER, _FIGURE = ".blog-cover img", ".blog-figure img"
_BACKING = "(image) => getComputedStyle(image).backgroundColor"
_SHADOW = "(image) => getComputedStyle(image).boxShadow"
_LOADED = "(image) => image.decode().then(() => image.naturalWidth)"
_HEIGHT_OF_FILE = """(image) => new Promise((done) => {
  const file = new Image();
  file.onload = () => done(file.naturalHeight);
  file.src = image.currentSrc;
})"""
_TITLES = """() => [...document.querySelectorAll(".blog-cards > .blog-card")].map((card) =>
  card.querySelector(".blog-card__title a").getBoundingClientRect().top - card.getBoundingClientRect().top)"""
_DISTANCES = """() => {
  const cards = [...document.querySelectorAll(".blog-cards > .blog-card")].map((card) => card.getBoundingClientRect());
  const below = (box) => cards.filter((other) => other.left === box.left && other.top > box.top);
  return cards.map((box) => Math.min(...below(box).map((other) => other.top - box.bottom))).filter(Number.isFinite);
}"""
_GAP_OF_CARDS = "() => parseFloat(getComputedStyle(document.querySelector('.blog-cards > .blog-card')).marginBlockEnd)"
_SIZES_OF_TITLES = """() => [...document.querySelectorAll(".blog-cards .blog-card__title")].map((title) =>
  getComputedStyle(title).fontSize)"""
_SIZE = "(image) => [image.offsetWidth, image.offsetHeight]"
_ZOOM, _ZOOM_COVER, _ZOOMED = ".blog-prose a.blog-zoom", ".blog-cover a.blog-zoom", ".blog-zoomed"
_NOTHING = "rgba(0, 0, 0, 0)"


def _box(page: Page, selector: str) -> dict[str, float]:
    image = page.locator(selector).first
    image.scroll_into_view_if_needed()
    image.evaluate(_LOADED)
    box: Any = image.bounding_box()
    return dict(box)


@pytest.mark.chromium
@requirement("pages.images")
@pytest.mark.parametrize("selector", [_COVER, _FIGURE])
def test_black_lines_on_transparency_are_visible_in_dark_mode(reader: Reader, selector: str) -> None:
    dark = reader.open("transparent", color_scheme="dark").locator(selector).evaluate(_BACKING)
    light = reader.open("transparent", color_scheme="light").locator(selector).evaluate(_BACKING)

    assert (dark, light) == ("rgb(228, 228, 228)", _NOTHING)


@pytest.mark.chromium
@requirement("pages.images")
def test_the_paper_of_a_transparent_picture_is_wider_than_the_picture(reader: Reader) -> None:
    shadows = [
        reader.open(page, color_scheme=scheme).locator(_FIGURE).first.evaluate(_SHADOW)
        for page, scheme in (("transparent", "dark"), ("transparent", "light"), ("tower", "dark"))
    ]

    assert shadows == ["rgb(228, 228, 228) 0px 0px 0px 8px", f"{_NOTHING} 0px 0px 0px 8px", "none"]


# Only Chromium knows attr() with a type, which makes the box narrow; elsewhere the picture is as large, in a wide box.
@pytest.mark.chromium
@requirement("pages.images")
@pytest.mark.parametrize(
    ("selector", "width", "height"),
    [(_COVER, 1280, 900), *((_FIGURE, *size) for size in [(1280, 900), (375, 812), (320, 480)])],
)
def test_a_tall_picture_fits_the_window_and_its_box_is_as_narrow(
    reader: Reader, selector: str, width: int, height: int
) -> None:
    box = _box(reader.open("tower", width=width, height=height), selector)

    assert box["height"] == pytest.approx(0.9 * height, abs=1)
    assert box["width"] == pytest.approx(box["height"] / 4, abs=1)


@requirement("pages.first-screen")
@pytest.mark.parametrize("width", [375, 320])
def test_on_a_phone_a_cover_is_a_banner_of_the_width_of_the_window(reader: Reader, width: int) -> None:
    page = reader.open("tower", width=width, height=812)

    box = _box(page, _COVER)

    # Less than the window where the bar for scrolling takes room.
    inner = page.evaluate("document.documentElement.clientWidth")
    assert (box["x"], box["width"], box["height"]) == (0, inner, 160)


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
    assert tops == pytest.approx([tops[0]] * 3, abs=0.01)


@requirement("pages.cards.filled")
@pytest.mark.parametrize("name", ["index", "category", "not_found"])
@pytest.mark.parametrize("width", [1280, 800])
def test_nothing_stays_empty_beside_cards_with_and_without_pictures(reader: Reader, name: str, width: int) -> None:
    page = reader.open(name, width=width)

    distances = page.evaluate(_DISTANCES)

    assert page.locator(".blog-cards:has(.blog-card__media) > .blog-card--text").count() > 0
    assert distances == pytest.approx([page.evaluate(_GAP_OF_CARDS)] * len(distances), abs=1)
    assert distances


@requirement("pages.cards.art")
def test_the_mark_of_an_image_lies_over_it_in_a_list(reader: Reader) -> None:
    media = reader.open("series", width=375).locator(".blog-card__media").first

    picture, mark = media.locator("img").bounding_box(), media.locator("[data-blog-image-mark]").bounding_box()

    assert picture and mark
    assert picture["y"] <= mark["y"] <= picture["y"] + picture["height"] - mark["height"]


@requirement("pages.cards.art")
@pytest.mark.parametrize("name", ["index", "category", "article"])
def test_titles_of_cards_with_and_without_pictures_are_of_one_size(reader: Reader, name: str) -> None:
    assert len(set(reader.open(name, width=1280).evaluate(_SIZES_OF_TITLES))) == 1


@requirement("pages.cards.link")
@pytest.mark.parametrize(
    ("part", "path"), [("img", "tower"), (".blog-meta time", "tower"), (".blog-kicker a", "category/workshop")]
)
def test_a_card_leads_to_its_post_except_at_its_other_links(reader: Reader, part: str, path: str) -> None:
    page = reader.open("pictures", width=1280)
    box = page.locator(".blog-card").first.locator(part).bounding_box()
    assert box

    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    page.wait_for_url(f"**/blog/{path}")


@requirement("rendering.images.full-size")
@pytest.mark.parametrize("way_back", ["Escape", "Enter", "outside"])
def test_an_image_opens_in_full_size_and_the_reader_returns_to_its_link(reader: Reader, way_back: str) -> None:
    page = reader.open("article", reduced_motion="reduce")
    link = page.locator(_ZOOM)
    link.focus()
    scrolled = page.evaluate("() => scrollY")

    page.keyboard.press("Enter")

    dialog = page.locator(_ZOOMED)
    expect(dialog).to_be_visible()
    expect(dialog.locator("img")).to_have_attribute("src", page.evaluate("(link) => link.href", link.element_handle()))
    expect(dialog.locator("img")).to_have_attribute("alt", "A low sun over rows of leeks")
    expect(dialog).to_contain_text("The wall on the second of January")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    if way_back == "outside":
        page.mouse.click(3, 450)
    else:
        page.keyboard.press(way_back)
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()
    assert page.evaluate("() => scrollY") == scrolled
    assert reader.faults == []


@requirement("rendering.images.full-size")
def test_a_cover_opens_in_full_size(reader: Reader) -> None:
    page = reader.open("article", reduced_motion="reduce")
    link = page.get_by_role("link", name="Image in full size: Leeks in rows on dark earth, and a low red sun")

    link.click()

    dialog = page.locator(_ZOOMED)
    expect(dialog.locator("img")).to_have_attribute("src", page.evaluate("(link) => link.href", link.element_handle()))
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()
    assert reader.faults == []


@requirement("rendering.images.full-size")
@pytest.mark.parametrize("is_mouse", [True, False], ids=["mouse", "keyboard"])
def test_an_image_larger_than_the_window_is_fitted_first_and_then_shown_as_it_is(
    reader: Reader, is_mouse: bool
) -> None:
    page = reader.open("tower", width=800, height=600, reduced_motion="reduce")
    page.locator(_ZOOM).click()
    image = page.locator(f"{_ZOOMED} img[aria-pressed]")
    expect(image).to_have_attribute("aria-pressed", "false")
    fitted = image.evaluate(_SIZE)

    if is_mouse:
        image.click()
    else:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")

    expect(image).to_have_attribute("aria-pressed", "true")
    assert (fitted[1], image.evaluate(_SIZE)) == (600, [600, 2400])
    assert page.locator(_ZOOMED).evaluate("(box) => box.scrollHeight") >= 2400
    assert reader.faults == []


@pytest.mark.chromium
@requirement("rendering.images.full-size")
@pytest.mark.parametrize("link", [_ZOOM, _ZOOM_COVER], ids=["figure", "cover"])
def test_without_a_script_an_image_links_to_its_file(reader: Reader, link: str) -> None:
    page = reader.open("article", java_script_enabled=False)

    page.locator(link).click()

    page.wait_for_url("**/winter-garden.png")
