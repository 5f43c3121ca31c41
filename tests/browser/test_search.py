"""Suggestions under the search form."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.chromium import Reader

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

_WORDS = "harbour"
_WAIT = 200
_INPUT = "input[name=q]"
_OPTION = "[role=option]"


def _ask(page: Page, words: str = _WORDS) -> None:
    """Write the words at once, so that one answer arrives, and wait for the suggestions."""
    page.locator(_INPUT).fill(words)
    expect(page.locator(_OPTION).first).to_be_visible()


def _open_at_rest(reader: Reader) -> Page:
    """Open the index with a stopped clock."""
    page = reader.blank()
    page.clock.install(time="2026-11-21T12:00:00Z")
    reader.go(page, "index")
    page.clock.pause_at("2026-11-21T13:00:00Z")
    return page


def _questions(page: Page) -> list[str]:
    """Return the list of the script's requests from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/search.json" in request.url else None)
    return asked


def _active(page: Page) -> str | None:
    return page.locator(_INPUT).get_attribute("aria-activedescendant")


def test_typed_words_are_answered_with_titles_as_text(reader: Reader) -> None:
    page = reader.open("index")

    _ask(page)

    field, options = page.locator(_INPUT), page.locator(_OPTION)
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(field).to_have_attribute("aria-controls", page.locator("[role=listbox]").get_attribute("id") or "")
    expect(page.locator(".blog-search [role=status]")).to_contain_text(str(options.count()))
    assert 0 < options.count() <= 8
    assert reader.faults == []


def test_the_arrows_move_and_enter_follows(reader: Reader) -> None:
    page = reader.open("index")
    _ask(page)
    ids = [option.get_attribute("id") for option in page.locator(_OPTION).all()]

    moves = []
    for key in ("ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
        moves.append(_active(page))
    marked = page.locator(f"{_OPTION}[aria-selected=true]")
    target = marked.get_attribute("href") or ""
    page.keyboard.press("Enter")

    assert moves == [ids[-1], ids[0], ids[1]]
    page.wait_for_url(target)
    assert reader.faults == []


def test_escape_closes_and_the_arrow_opens_again(reader: Reader) -> None:
    page = reader.open("index")
    _ask(page)

    page.keyboard.press("Escape")

    expect(page.locator("[role=listbox]")).to_be_hidden()
    expect(page.locator(_INPUT)).to_have_attribute("aria-expanded", "false")
    expect(page.locator(_INPUT)).to_have_value(_WORDS)
    page.keyboard.press("ArrowDown")
    expect(page.locator(_OPTION).first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("[role=listbox]")).to_be_hidden()


def test_enter_without_a_choice_opens_the_search_page(reader: Reader) -> None:
    page = reader.open("index")
    _ask(page)

    page.keyboard.press("Enter")

    page.wait_for_url("**/search?q=harbour")
    expect(page.locator(_INPUT)).to_have_value(_WORDS)


def test_a_pressed_suggestion_is_followed(reader: Reader) -> None:
    page = reader.open("index", width=360)
    _ask(page)
    option = page.locator(_OPTION).last

    target = option.get_attribute("href") or ""
    option.click()

    page.wait_for_url(target)


@pytest.mark.parametrize("words", ["h", " h ", "h" * 101])
def test_too_short_and_too_long_words_are_not_asked_for(reader: Reader, words: str) -> None:
    page = _open_at_rest(reader)
    asked = _questions(page)

    page.locator(_INPUT).evaluate(
        "(field, words) => { field.value = words; field.dispatchEvent(new Event('input', { bubbles: true })); }", words
    )
    page.clock.run_for(2 * _WAIT)

    assert asked == []


def test_typing_sends_one_request(reader: Reader) -> None:
    page = _open_at_rest(reader)
    asked = _questions(page)

    page.locator(_INPUT).press_sequentially(_WORDS)
    page.clock.run_for(_WAIT - 50)
    early = list(asked)
    page.clock.run_for(100)
    expect(page.locator(_OPTION).first).to_be_visible()

    assert early == []
    assert [question.partition("?")[2] for question in asked] == [f"q={_WORDS}"]


def test_a_late_response_is_ignored(reader: Reader) -> None:
    page, held = reader.open("index"), list[Route]()
    page.route("**/search.json?q=harbour", lambda route: held.append(route))
    with page.expect_request("**/search.json?q=harbour"):
        page.locator(_INPUT).fill(_WORDS)

    page.locator(_INPUT).fill("readings")

    expect(page.locator(_OPTION).first).to_be_visible()
    shown = page.locator(_OPTION).all_text_contents()
    with suppress(Error):
        held[0].fulfill(json=[{"title": "Late", "url": "/late", "description": ""}])
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.locator(_OPTION).all_text_contents() == shown


@pytest.mark.parametrize(("urls", "chosen"), [(["/new", "/kept"], 1), (["/new"], None)])
def test_a_choice_stays_with_its_post(reader: Reader, urls: list[str], chosen: int | None) -> None:
    page = reader.open("index")
    page.route("**/search.json?q=harbour", lambda route: route.fulfill(json=[{"title": "Kept", "url": "/kept"}]))
    _ask(page)
    held = list[Route]()
    page.route("**/search.json?q=harbours", lambda route: held.append(route))

    with page.expect_request("**/search.json?q=harbours"):
        page.keyboard.press("s")
    page.keyboard.press("ArrowDown")
    held[0].fulfill(json=[{"title": url, "url": url} for url in urls])
    expect(page.locator(_OPTION).first).to_have_attribute("href", "/new")

    marked = page.locator(_OPTION).evaluate_all(
        "options => options.findIndex(option => option.ariaSelected === 'true')"
    )
    assert marked == (-1 if chosen is None else chosen)
    assert _active(page) == (chosen if chosen is None else f"blog-search-list-{chosen}")


@pytest.mark.parametrize("answer", [(429, "{}"), (500, "no"), (200, "<html>")])
def test_on_an_error_the_list_is_closed_and_the_form_works(reader: Reader, answer: tuple[int, str]) -> None:
    page = reader.open("index")
    _ask(page)
    status, body = answer
    page.route("**/search.json?q=harbours", lambda route: route.fulfill(status=status, body=body))

    page.locator(_INPUT).press_sequentially("s")

    expect(page.locator("[role=listbox]")).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=harbours")


@pytest.mark.chromium
def test_without_script_the_form_works(reader: Reader) -> None:
    page = reader.open("index", java_script_enabled=False)
    field = page.locator(_INPUT)

    field.fill(_WORDS)
    field.press("Enter")

    page.wait_for_url("**/search?q=harbour")
    assert field.get_attribute("role") is None
