"""The switch between system, light and dark mode."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_theme_switch")]

# Firefox also runs it in the empty page before, which has no storage.
_KEEP = "if (location.protocol === 'http:') localStorage.setItem('blog-theme', '%s');"
_SWITCH = "[data-blog-theme-switch]"
_CHOSEN = "() => document.documentElement.dataset.theme ?? null"
_KEPT = "() => localStorage.getItem('blog-theme')"
_GROUND = "() => getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)"
_DARK = 3 * 128

_NO_STORAGE = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
"""
_WATCH_THE_CHOICE = """
new MutationObserver(() => { window.setBeforeBody ??= document.body === null; })
  .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-theme"] });
"""


def _is_dark(page: Page) -> bool:
    return bool(sum(page.evaluate(_GROUND)) < _DARK)


def _press(page: Page) -> tuple[Any, str]:
    page.locator(_SWITCH).click()
    return page.evaluate(_CHOSEN), page.locator(f"{_SWITCH} [data-blog-label]").inner_text()


@requirement("pages.mode-switch")
@pytest.mark.parametrize("system", ["light", pytest.param("dark", marks=pytest.mark.chromium)])
def test_the_switch_cycles(reader: Reader, system: Any) -> None:
    page = reader.open("index", color_scheme=system)
    words = page.locator(_SWITCH).evaluate("(button) => ({ ...button.dataset })")
    seen = [(page.evaluate(_KEPT), _is_dark(page))]

    presses = []
    for _ in range(3):
        presses.append(_press(page))
        seen.append((page.evaluate(_KEPT), _is_dark(page)))

    assert presses == [
        ("light", words["blogLabelLight"]),
        ("dark", words["blogLabelDark"]),
        (None, words["blogLabelSystem"]),
    ]
    assert seen == [(None, system == "dark"), ("light", False), ("dark", True), (None, system == "dark")]
    assert reader.faults == []


@requirement("pages.mode-switch")
def test_the_choice_is_stored_and_applied_before_the_first_paint(reader: Reader) -> None:
    page = reader.open("index", color_scheme="light", first=_WATCH_THE_CHOICE)
    _press(page)
    _press(page)

    reader.go(page, "article")

    assert page.evaluate(_CHOSEN) == "dark"
    assert page.evaluate("() => window.setBeforeBody") is True
    assert _is_dark(page)


def test_without_storage_the_choice_lasts_as_long_as_the_page(reader: Reader) -> None:
    page = reader.open("index", color_scheme="light", first=_NO_STORAGE)

    _press(page)
    chosen, _ = _press(page)

    assert chosen == "dark"
    assert _is_dark(page)
    assert reader.faults == []


def test_another_word_in_the_storage_is_ignored(reader: Reader) -> None:
    page = reader.open("index", color_scheme="light", first=_KEEP % "sepia")

    assert page.evaluate(_CHOSEN) is None
    assert reader.faults == []


@pytest.mark.parametrize("kind", ["index", "article", "policy", "not_found"])
def test_the_choice_holds_on_every_page(reader: Reader, kind: str) -> None:
    page = reader.open(kind, color_scheme="light", first=_KEEP % "dark")

    assert _is_dark(page)


@pytest.mark.chromium
@pytest.mark.parametrize("system", ["light", "dark"])
def test_without_script_the_page_follows_the_system(reader: Reader, system: Any) -> None:
    page = reader.open("index", color_scheme=system, java_script_enabled=False)

    assert _is_dark(page) is (system == "dark")
