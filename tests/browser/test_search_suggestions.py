"""The search form: with script it suggests, without one it is a form."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.reader import Reader

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

_OPTIONS = "[role=option]"
_MOST = 8


def _typed(page: Page, words: str) -> None:
    page.locator("input[name=q]").press_sequentially(words)


def _titles(page: Page) -> list[str]:
    page.locator(_OPTIONS).first.wait_for()
    return page.locator(_OPTIONS).all_inner_texts()


def test_titles_are_suggested_while_the_reader_types(reader: Reader) -> None:
    page = reader.open("index")

    _typed(page, "gale")

    assert "After the gale" in _titles(page)
    assert page.locator("input[name=q]").get_attribute("aria-expanded") == "true"
    assert reader.faults == []


def test_at_most_eight_are_suggested_and_one_leads_to_its_article(reader: Reader) -> None:
    page = reader.open("index")

    _typed(page, "week")
    titles = _titles(page)
    page.locator(_OPTIONS).first.click()

    expect(page.locator("h1")).to_have_text(titles[0])
    assert len(titles) == _MOST


def test_keys_choose_a_suggestion(reader: Reader) -> None:
    page = reader.open("index")

    _typed(page, "week")
    titles = _titles(page)
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]:
        page.keyboard.press(key)
    chosen = page.locator("[aria-selected=true]").inner_text()
    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_have_text(titles[1])
    assert chosen == titles[1]


def test_escape_closes_the_list_and_keeps_the_words(reader: Reader) -> None:
    page = reader.open("index")
    _typed(page, "week")
    _titles(page)

    page.keyboard.press("Escape")

    expect(page.locator("[role=listbox]")).to_be_hidden()
    assert page.locator("input[name=q]").input_value() == "week"


def test_without_a_choice_enter_asks_for_the_page_of_results(reader: Reader) -> None:
    page = reader.open("index")
    _typed(page, "week")
    _titles(page)

    page.keyboard.press("Enter")

    page.wait_for_url("**/blog/search?q=week")
    assert page.locator(".blog-card").count() > 0


def test_nothing_is_asked_before_two_characters_nor_before_a_pause(reader: Reader) -> None:
    page = reader.blank()
    page.clock.install()
    reader.go(page, "index")
    page.clock.pause_at(datetime.now(tz=UTC) + timedelta(hours=1))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    _typed(page, "w")
    page.clock.run_for(1000)
    _typed(page, "e")
    page.clock.run_for(150)
    _typed(page, "ek")
    page.clock.run_for(199)
    before = list(asked)
    with page.expect_request("**/search.json?q=week"):
        page.clock.run_for(1)

    assert before == []
    assert len(asked) == 1


def test_a_late_answer_does_not_replace_a_newer_one(reader: Reader) -> None:
    page = reader.open("index")
    held: list[Route] = []
    page.route("**/search.json?q=we", held.append)

    with page.expect_request("**/search.json?q=we"):
        _typed(page, "we")
    _typed(page, "ek 14")
    titles = _titles(page)
    [late] = held
    late.abort()

    assert titles == page.locator(_OPTIONS).all_inner_texts()
    assert all("14" in title for title in titles)


@pytest.mark.parametrize("answer", [{"status": 429, "json": {"error": {"code": "rate_limited"}}}, {"body": "no JSON"}])
def test_a_failed_question_closes_the_list(reader: Reader, answer: dict[str, object]) -> None:
    page = reader.open("index")
    _typed(page, "week")
    _titles(page)
    page.route("**/search.json*", lambda route: route.fulfill(**answer))

    with page.expect_response("**/search.json*"):
        _typed(page, " 1")

    expect(page.locator("[role=listbox]")).to_be_hidden()
    assert [fault for fault in reader.faults if fault.startswith("error: Type")] == []


def test_without_script_the_form_leads_to_the_page_of_results(reader: Reader) -> None:
    page = reader.open("index", java_script_enabled=False)

    page.locator("input[name=q]").fill("week")
    page.locator(".blog-search button").click()

    page.wait_for_url("**/blog/search?q=week")
    assert page.locator(".blog-card").count() > 0
    assert page.locator("input[name=q]").input_value() == "week"
