"""Collapsed questions."""

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_faq")]


def _open_answers(page: Page) -> list[bool]:
    return [answer.is_visible() for answer in page.locator(".blog-faq__answer").all()]


@requirement("pages.faq.collapsed")
def test_answers_are_closed_and_each_opens_and_closes_alone(reader: Reader) -> None:
    page = reader.open("article")
    question = page.locator(".blog-faq summary").nth(1)

    before = _open_answers(page)
    question.click()
    opened = _open_answers(page)
    question.click()

    assert before == [False, False, False]
    assert opened == [False, True, False]
    assert _open_answers(page) == before


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_opens_an_answer(reader: Reader, key: str) -> None:
    page = reader.open("article")

    page.locator(".blog-faq summary").first.focus()
    page.keyboard.press(key)

    assert _open_answers(page) == [True, False, False]


@requirement("pages.faq", "pages.faq.lines")
def test_an_answer_is_text_with_paragraphs_line_breaks_and_links(reader: Reader) -> None:
    page = reader.open("article")
    for question in page.locator(".blog-faq summary").all():
        question.click()
    answers = page.locator(".blog-faq__answer")

    assert answers.nth(0).inner_text() == "The one at the steps.\n\nThe other one leaks.\nWe know."
    assert page.locator(".blog-faq summary").nth(1).inner_text() == "Is <b>bold</b> allowed here?"
    assert answers.nth(1).locator("a").evaluate("(link) => link.href") == "https://example.org/faq"


def test_a_fragment_of_the_questions_scrolls_to_them(reader: Reader) -> None:
    page = reader.open("article")

    page.locator("[data-blog-contents] a").last.click()

    page.wait_for_url("**#faq")
    page.wait_for_function("() => document.getElementById('faq').getBoundingClientRect().top < innerHeight / 2")
