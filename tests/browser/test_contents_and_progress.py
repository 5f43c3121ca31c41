"""The table of contents and the progress bar of an article."""

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Reader
from tests.requirements import requirement

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
        target = link.get_attribute("href")
        page.wait_for_url(f"**{target}")
        heading = page.locator(f"[id='{str(target).removeprefix('#')}']")
        tops.append(heading.evaluate("(heading) => heading.getBoundingClientRect().top >= 0"))

    assert tops == [True] * links.count()
    assert reader.faults == []


@requirement("pages.progress")
def test_the_heading_last_passed_is_marked(reader: Reader) -> None:
    page = reader.open("article", reduced_motion="reduce")
    marked = [page.locator(_MARKED).count()]

    for heading in ["the-table", "what-we-measured", "what-the-code-does"]:
        _scroll_to(page, heading)
        page.locator(f"{_MARKED}[href='#{heading}']").wait_for()
        marked.append(page.locator(_MARKED).count())

    assert marked == [0, 1, 1, 1]


@requirement("pages.progress")
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


_WIDE, _NARROW = 1280, 1000
_MARK_AND_LOOK = """async (href) => {
  document.getElementById(href.slice(1)).scrollIntoView();
  for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  const list = document.querySelector("[data-blog-contents]").getBoundingClientRect();
  const entry = document.querySelector("[data-blog-contents] a[aria-current]").getBoundingClientRect();
  return list.top <= entry.top && entry.bottom <= list.bottom;
}"""


def _entries(page: Page) -> list[bool]:
    return [link.is_visible() for link in page.locator("[data-blog-contents] a").all()]


@requirement("pages.contents")
@pytest.mark.parametrize("javascript", [True, False])
def test_a_long_list_is_open_beside_the_text_and_closed_above_it(reader: Reader, javascript: bool) -> None:
    page = reader.open("article", width=_WIDE, java_script_enabled=javascript)
    beside = _entries(page)
    summary = page.locator("[data-blog-contents] summary")
    is_summary_beside = summary.is_visible()

    page.set_viewport_size({"width": _NARROW, "height": 900})
    above = _entries(page)
    summary.click()

    assert len(beside) > 6
    assert beside == _entries(page) == [True] * len(beside)
    assert above == [False] * len(beside)
    assert not is_summary_beside


@requirement("pages.contents")
def test_entries_below_others_are_indented(reader: Reader) -> None:
    page = reader.open("article", width=_WIDE)

    starts = [
        page.locator(f".blog-contents__item--{level} a").first.evaluate(
            "(link) => { const text = document.createRange(); text.selectNodeContents(link);"
            " return text.getBoundingClientRect().left }"
        )
        for level in ("h2", "h3")
    ]

    assert starts[1] >= starts[0] + 12


@pytest.mark.chromium
@requirement("pages.contents")
def test_the_current_entry_is_kept_in_view(reader: Reader) -> None:
    page = reader.open("article", width=_WIDE, height=220, reduced_motion="reduce")
    box = page.locator("[data-blog-contents]")
    headings = [link.get_attribute("href") for link in box.locator("a").all()]
    is_long = box.evaluate("(box) => box.scrollHeight > box.clientHeight + 60")

    shown = [page.evaluate(_MARK_AND_LOOK, heading) for heading in [*headings, *reversed(headings)]]

    assert is_long
    assert shown == [True] * 2 * len(headings)
