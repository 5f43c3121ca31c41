"""The examples of a host's look, each with the blog that the other tests read."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.chromium import EXAMPLES, Prepared, Reader, serve
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_examples")]

_LOOKS: dict[str, dict[str, str]] = {
    "editorial_serif": {"font": "Newsreader", "accent": "rgb(138, 43, 18)", "navigation": "About"},
    "plain_list": {"font": "system-ui", "accent": "rgb(179, 38, 30)", "navigation": "About"},
    "product_blog": {"font": "Figtree", "accent": "rgb(91, 61, 245)", "navigation": "Product"},
}
_FONT = "(element) => getComputedStyle(element).fontFamily.split(',')[0].replaceAll('\"', '')"
_ACCENT = """() => {
  const link = document.body.appendChild(document.createElement("a"));
  link.href = "#";
  return getComputedStyle(link).color;
}"""
# Firefox gives names with their quotes.
_LOADED = """async () => [...await document.fonts.ready].filter((face) => face.status === "loaded")
  .map((face) => face.family.replaceAll('"', ""))"""
_SIDEWAYS = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest, browser: Browser, prepared: Prepared) -> Iterator[tuple[str, Reader]]:
    with serve(prepared, settings=f"examples.{request.param}.settings") as site:
        visitor = Reader(browser, site)
        yield request.param, visitor
        visitor.leave()


@requirement("pages.accessible", "pages.csp", "pages.narrow-screens")
@pytest.mark.parametrize("kind", ["index", "article"])
def test_an_example_is_accessible_and_fits_a_phone(example: tuple[str, Reader], kind: str) -> None:
    _, reader = example
    page = reader.open(kind, reduced_motion="reduce")

    assert {scheme: _violations(page, scheme) for scheme in ("light", "dark")} == {"light": [], "dark": []}
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate(_SIDEWAYS) == 0
    # Nothing was refused by the policy, missing, or fetched from elsewhere.
    assert reader.faults == []


@requirement("pages.brand.accent", "pages.brand.fonts", "pages.brand.stylesheets")
def test_an_example_has_its_look(example: tuple[str, Reader]) -> None:
    name, reader = example
    page = reader.open("article", color_scheme="light")

    fonts = {page.locator(part).first.evaluate(_FONT) for part in ("h1", ".blog-prose > p")}

    assert fonts == {_LOOKS[name]["font"]}
    assert page.evaluate(_ACCENT) == _LOOKS[name]["accent"]
    assert ("Newsreader" in page.evaluate(_LOADED)) is (name == "editorial_serif")
    assert ("Figtree" in page.evaluate(_LOADED)) is (name == "product_blog")


@requirement("pages.brand.links", "pages.without-script")
def test_on_a_phone_the_links_are_in_a_menu_that_needs_no_script(example: tuple[str, Reader]) -> None:
    name, reader = example
    page = reader.open("index", width=390, java_script_enabled=False)
    first = page.get_by_role("link", name=_LOOKS[name]["navigation"], exact=True)
    assert not first.is_visible()

    page.get_by_role("button", name="Menu").click()

    assert first.is_visible()
    box = first.bounding_box()
    assert box
    assert box["height"] >= 44
    page.keyboard.press("Escape")
    assert not first.is_visible()


def _violations(page: Page, scheme: Any) -> list[tuple[str, list[str]]]:
    page.emulate_media(color_scheme=scheme)
    options = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [(rule["help"], [node["html"] for node in rule["nodes"]]) for rule in found]
