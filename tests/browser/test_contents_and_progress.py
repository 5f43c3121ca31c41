"""Where the reader is in an article."""

import pytest
from playwright.sync_api import Page

from tests.browser.reader import Reader

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_contents_and_progress")]

_MARKED = "[data-blog-contents] a[aria-current=location]"
_READ = "() => Number(document.querySelector('[data-blog-progress]').style.getPropertyValue('--blog-read'))"
_DONE = f"() => ({_READ})() === 1"


def _scroll_to(page: Page, heading: str) -> None:
    page.evaluate("(id) => scrollTo(0, document.getElementById(id).offsetTop - 40)", heading)


def test_each_entry_leads_to_its_heading(reader: Reader) -> None:
    page = reader.open("article", reduced_motion="reduce")
    links = page.locator("[data-blog-contents] a")

    tops = []
    for link in links.all():
        link.click()
        heading = page.locator(f"[id='{page.url.partition('#')[2]}']")
        tops.append(heading.evaluate("(heading) => heading.getBoundingClientRect().top >= 0"))

    assert tops == [True] * links.count()
    assert reader.faults == []


@pytest.mark.requirement("reader:progress")
def test_the_heading_last_passed_is_marked(reader: Reader) -> None:
    page = reader.open("article", reduced_motion="reduce")
    marked = [page.locator(_MARKED).count()]

    for heading in ["the-table", "what-we-measured", "what-the-code-does"]:
        _scroll_to(page, heading)
        page.locator(f"{_MARKED}[href='#{heading}']").wait_for()
        marked.append(page.locator(_MARKED).count())

    assert marked == [0, 1, 1, 1]


@pytest.mark.requirement("reader:progress")
def test_progress_goes_from_nothing_to_all_while_the_article_is_read(reader: Reader) -> None:
    page = reader.open("article", reduced_motion="reduce")
    page.wait_for_function("() => document.querySelector('[data-blog-progress]').style.length > 0")

    begun = page.evaluate(_READ)
    _scroll_to(page, "the-table")
    page.wait_for_function(f"() => ({_READ})() > 0 && ({_READ})() < 1")
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")

    page.wait_for_function(_DONE)
    assert begun == 0


def test_a_page_without_an_article_has_no_progress(reader: Reader) -> None:
    page = reader.open("policy")

    assert page.locator("[data-blog-progress]").count() == 0
