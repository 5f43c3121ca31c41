"""The copy buttons."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_copy")]

_ALLOWED = ["clipboard-read", "clipboard-write"]
_REFUSED = "navigator.clipboard.writeText = async () => { throw new DOMException('no', 'NotAllowedError'); };"
_ABSENT = "Object.defineProperty(Navigator.prototype, 'clipboard', { get() { return undefined; } });"
_BUTTONS = ["[data-blog-copy]", "[data-blog-copy-link]"]


def _clipboard(page: Page) -> str:
    text: str = page.evaluate("() => navigator.clipboard.readText()")
    return text


@requirement("pages.copying")
def test_code_is_copied_as_it_was_written(reader: Reader) -> None:
    page = reader.open("article", permissions=_ALLOWED)

    copied = []
    for button in page.locator("[data-blog-copy]").all():
        button.click()
        expect(button).to_have_text(_word_for_done(page))
        copied.append(_clipboard(page))

    assert copied == page.locator(".blog-prose pre code").all_text_contents()
    assert copied[1:] == ["$ python slipway.py --sill 1.4\nusable from 08:04\n", "no language at all\n"]
    assert reader.faults == []


@requirement("rendering.code.numbers")
def test_numbers_of_lines_are_not_copied_with_selected_code(reader: Reader) -> None:
    page = reader.open("article")
    code = page.locator(".blog-highlight-numbered code")

    number = code.locator(".blog-line").nth(1).evaluate("(line) => getComputedStyle(line, '::before').content")
    selected = code.evaluate("(code) => { getSelection().selectAllChildren(code); return getSelection().toString(); }")

    assert "counter(blog-line)" in number
    assert selected.rstrip("\n") == "$ python slipway.py --sill 1.4\nusable from 08:04"


def test_the_url_of_the_article_is_copied(reader: Reader) -> None:
    page = reader.open("article", permissions=_ALLOWED)

    for button in page.locator("[data-blog-copy-link]").all():
        page.evaluate("() => navigator.clipboard.writeText('')")
        button.click()
        expect(button).to_have_text(_word_for_done(page))

        assert _clipboard(page) == page.url
        assert button.locator("svg").is_visible()


@requirement("pages.copying")
@pytest.mark.parametrize("button", _BUTTONS)
def test_the_button_says_so_for_two_seconds(reader: Reader, button: str) -> None:
    page = reader.blank(permissions=_ALLOWED)
    page.clock.install()
    reader.go(page, "article")
    copies = page.locator(button).first
    word = copies.text_content()
    page.clock.pause_at(datetime.now(tz=UTC) + timedelta(hours=1))

    copies.click()
    expect(copies).to_have_text(_word_for_done(page))
    expect(copies).to_have_accessible_name(_word_for_done(page))
    page.clock.run_for(1900)
    still = copies.text_content()
    page.clock.run_for(200)

    assert still == _word_for_done(page) != word
    assert copies.text_content() == word


@pytest.mark.chromium
@pytest.mark.parametrize("button", _BUTTONS)
def test_if_copying_is_refused_the_button_keeps_its_label(reader: Reader, button: str) -> None:
    page = reader.open("article", first=_REFUSED)
    copies = page.locator(button).first
    word = copies.text_content()

    copies.click()

    assert copies.text_content() == word
    assert reader.faults == []


def test_without_a_clipboard_no_button_is_shown(reader: Reader) -> None:
    page = reader.open("article", first=_ABSENT)

    shown = [page.locator(button).first.is_visible() for button in _BUTTONS]

    assert shown == [False, False]
    assert reader.faults == []


def _word_for_done(page: Page) -> str:
    word = page.locator("[data-blog-body]").get_attribute("data-blog-copied")
    assert word
    return word
