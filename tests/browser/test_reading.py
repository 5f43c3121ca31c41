"""Every kind of page works with and without scripts."""

import pytest

from tests.browser.chromium import KINDS, Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_reading")]

_TO_THE_END = """async () => {
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode()));
}"""
_WITHOUT_BUTTONS = (
    "() => { for (const button of document.querySelectorAll('button[type=button]')) button.style.display = 'none'; }"
)


@requirement("pages.csp")
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_loads_only_from_its_own_host_without_errors(reader: Reader, kind: str) -> None:
    page = reader.open(kind)

    page.evaluate(_TO_THE_END)

    assert reader.faults == []


@requirement("pages.without-script")
@pytest.mark.parametrize("kind", KINDS)
def test_without_script_a_page_says_the_same(reader: Reader, kind: str) -> None:
    scripted = reader.open(kind)
    scripted.evaluate(_WITHOUT_BUTTONS)

    plain = reader.open(kind, java_script_enabled=False)

    assert plain.locator("body").inner_text() == scripted.locator("body").inner_text()
    assert reader.faults == []


@requirement("pages.without-script")
def test_without_script_no_button_is_shown_that_needs_one(reader: Reader) -> None:
    page = reader.open("article", java_script_enabled=False)

    buttons = page.locator("button[type=button]")

    assert buttons.count() > 0
    assert [button.is_visible() for button in buttons.all()] == [False] * buttons.count()


def test_without_script_an_answer_opens(reader: Reader) -> None:
    page = reader.open("article", java_script_enabled=False)
    answer = page.locator(".blog-faq__answer").first

    assert not answer.is_visible()
    page.locator(".blog-faq summary").first.click()

    assert answer.is_visible()
