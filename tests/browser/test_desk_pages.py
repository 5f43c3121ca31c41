"""Each screen of the desk: accessible in light and dark, on a phone and a wide screen, within a strict policy."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk_pages")]

SCREENS = [
    *("index", "posts", "queue", "byline", "add", "write", "write_public"),
    *("write_back", "ask_review", "conversation"),
    *("publish", "schedule", "reschedule", "cancel", "withdraw", "remove"),
    *("review", "review_asked", "review_talk", "history", "revision", "compare"),
    *("history_versions", "version", "bin"),
    *("proposals", "proposals_applied", "proposal_open", "proposal_outdated", "proposal_scheduled"),
    *("proposal_applied", "proposal_rejected"),
    *("proposal_apply", "proposal_schedule", "proposal_cancel", "proposal_reject", "proposal_withdraw"),
    *("views", "blog_views", "doctor", "report", "disclosure"),
    *("image_list", "image", "image_add", "pick_image", "policies", "policy"),
    *("category_list", "category", "category_merge", "category_delete", "tag_list", "tag", "tag_merge", "tag_delete"),
    *("series_list", "series", "series_order", "series_merge", "series_delete", "author_list", "author"),
    *("redirect", "author_add", "policy_add"),
    *("redirect_list", "redirect_add", "redirect_delete", "tokens", "token", "token_add", "token_revoke"),
]
# The narrow ones last: then the page is measured.
_LOOKS = [(scheme, width) for width in (1280, 375) for scheme in ("light", "dark")]
_TWO_LOOKS = [("light", 1280), ("dark", 375)]
_WCAG = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]}
# The dark scheme changes colors only.
_RULES_OF = {"light": _WCAG, "dark": {"type": "rule", "values": ["color-contrast"]}}
_OPTIONS: dict[str, Any] = {
    "resultTypes": ["violations"],
    # Or axe asks for the imports of style sheets at the path of the page, and adds styles that the policy refuses.
    "preload": False,
}
# Django's own header, navigation and filters are left to Django.
_OURS = {"include": [["#content"]]}
_END_TRANSITIONS = "() => document.getAnimations().forEach((animation) => animation.finish())"
_IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"

_SMALL = """() => {
  for (const section of document.querySelectorAll("#content details")) section.open = true;
  const isLarge = ({ width, height }) => width >= 24 && height >= 24;
  return [...document.querySelectorAll("#content :is(input:not([type=hidden]), select, textarea, button, summary)")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
      const isField = element.matches("input:not([type=checkbox], [type=radio], [type=submit]), select, textarea");
      return !boxes.some(isLarge) || (isField && parseFloat(getComputedStyle(element).fontSize) < 16);
    })
    .map((element) => element.outerHTML.slice(0, 120));
}"""

Window = tuple[Reader, Page]


@pytest.fixture(scope="module")
def root(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "root")


# One window for all screens: their files are loaded once.
@pytest.fixture(scope="module")
def window(browser: Browser, desk_site: Site, root: Any) -> Iterator[Window]:
    reader = Reader(browser, desk_site)
    yield reader, reader.blank(storage_state=root, reduced_motion="reduce")
    reader.leave()


@pytest.fixture(scope="module")
def window_without_javascript(browser: Browser, desk_site: Site, root: Any) -> Iterator[Window]:
    reader = Reader(browser, desk_site)
    yield reader, reader.blank(storage_state=root, java_script_enabled=False)
    reader.leave()


@requirement("desk.accessible")
@pytest.mark.parametrize("looks", [_TWO_LOOKS, pytest.param(_LOOKS, marks=pytest.mark.heavy)], ids=["two", "all"])
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_and_nothing_is_refused(window: Window, screen: str, looks: list[tuple[str, int]]) -> None:
    reader, page = window
    reader.faults.clear()
    reader.go(page, screen)

    found = {(scheme, width): _found(page, scheme=scheme, width=width) for scheme, width in looks}

    assert found == {look: [] for look in looks}
    assert not page.evaluate(_IS_WIDER)
    assert reader.faults == []


@requirement("desk.touch")
@pytest.mark.parametrize("screen", SCREENS)
def test_on_a_phone_no_field_makes_the_page_zoom_and_each_control_can_be_hit(window: Window, screen: str) -> None:
    reader, page = window
    page.set_viewport_size({"width": 375, "height": 800})

    reader.go(page, screen)

    assert page.evaluate(_SMALL) == []


@requirement("desk.no-javascript")
@pytest.mark.parametrize(
    "screen",
    [name if at % 3 == 0 else pytest.param(name, marks=pytest.mark.heavy) for at, name in enumerate(SCREENS)],
)
def test_a_screen_shows_its_content_without_javascript(window_without_javascript: Window, screen: str) -> None:
    reader, page = window_without_javascript
    reader.faults.clear()

    reader.go(page, screen)

    assert page.locator("#content h1, #content-start h1").first.is_visible()
    assert reader.faults == []


def _found(page: Page, *, scheme: Any, width: int) -> list[tuple[str, list[str]]]:
    """Return the rules that the page violates, with the elements."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.evaluate(_END_TRANSITIONS)
    options = {**_OPTIONS, "runOnly": _RULES_OF[scheme]}
    violations = Axe().run(page, context=_OURS, options=options).response["violations"]
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations]
