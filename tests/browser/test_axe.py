"""axe-core, an accessibility checker, finds no violations."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.chromium import Reader, each_kind
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_axe")]

_LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (375, 1280)]
_ALL = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]}
# The dark scheme changes colors only.
_RULES_OF = {"light": _ALL, "dark": {"type": "rule", "values": ["color-contrast"]}}
_CHOOSE = """async (scheme) => {
  document.documentElement.dataset.theme = scheme;
  await Promise.all(document.getAnimations().map((animation) => animation.finished));
}"""
_OPEN_ANSWERS = "() => { for (const answer of document.querySelectorAll('details')) answer.open = true; }"


@requirement("pages.accessible")
@each_kind
def test_axe_finds_nothing(reader: Reader, kind: str) -> None:
    page = reader.open(kind, reduced_motion="reduce")
    page.evaluate(_OPEN_ANSWERS)

    found = {(scheme, width): _found(page, scheme=scheme, width=width) for scheme, width in _LOOKS}

    assert found == {look: [] for look in _LOOKS}


@requirement("pages.accessible", "pages.contents")
def test_axe_finds_nothing_in_collapsed_contents(reader: Reader) -> None:
    page = reader.open("article", reduced_motion="reduce")

    assert _found(page, scheme="light", width=1280) == []


def _found(page: Page, *, scheme: Any, width: int) -> list[tuple[str, list[str]]]:
    """Return the rules that the page violates, with the elements."""
    page.set_viewport_size({"width": width, "height": 900})
    # As the switch on the page does: not every browser can emulate the scheme.
    page.evaluate(_CHOOSE, scheme)
    options = {"runOnly": _RULES_OF[scheme], "resultTypes": ["violations"]}
    violations = Axe().run(page, options=options).response["violations"]
    return [(rule["help"], [node["html"] for node in rule["nodes"]]) for rule in violations]
