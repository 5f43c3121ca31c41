"""Posts in another script direction than the blog, as a browser lays them out."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Reader
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_directions")]

_SIDES = """() => Object.fromEntries([...document.querySelectorAll(".blog-article h1, [data-blog-body] > *, li, td")]
  .filter((one) => one.closest("article")).map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const [text, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
    const side = Math.abs(text.right - box.right) < Math.abs(text.left - box.left) ? "right" : "left";
    return [one.dataset.name ?? one.textContent.trim(), [getComputedStyle(one).direction, side]];
  }))"""


def _sides(page: Page) -> Any:
    """Return the direction of each part, and the side at which its text begins."""
    return page.evaluate(_SIDES)


@requirement("pages.directions")
def test_an_arabic_post_reads_from_the_right_in_an_english_blog(reader: Reader) -> None:
    found = _sides(reader.open("arabic_article"))

    assert found["رحلة إلى البحر"] == ["rtl", "right"]
    assert found["مرحبا بكم في Django!"] == ["rtl", "right"]
    assert found["واحد"] == ["rtl", "right"]
    assert found["Two, in English!"] == ["rtl", "right"]
    assert found["٣٠"] == ["rtl", "right"]
    assert found["An English paragraph!"] == ["ltr", "left"]
    assert reader.faults == []


@requirement("pages.directions")
def test_an_english_paragraph_reads_from_the_left_in_an_arabic_blog(arabic_reader: Reader) -> None:
    found = _sides(arabic_reader.open("arabic_article"))

    assert found["مرحبا بكم في Django!"] == ["rtl", "right"]
    assert found["An English paragraph!"] == ["ltr", "left"]
    assert arabic_reader.faults == []
