"""Every kind of page works with and without scripts."""

import pytest

from tests.browser.chromium import KINDS, Reader, each_kind
from tests.content.bodies import render_markdown
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


@pytest.mark.chromium
@requirement("pages.without-script")
@each_kind
def test_without_script_a_page_says_the_same(reader: Reader, kind: str) -> None:
    scripted = reader.open(kind)
    scripted.evaluate(_WITHOUT_BUTTONS)

    plain = reader.open(kind, java_script_enabled=False)

    assert plain.locator("body").inner_text() == scripted.locator("body").inner_text()
    assert reader.faults == []


@pytest.mark.chromium
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


@pytest.mark.chromium
@requirement("pages.prefetch", "pages.prefetch.views")
def test_a_prefetched_article_is_announced_once_it_is_open(reader: Reader) -> None:
    page = reader.open("index")
    link = page.locator(".blog-card__title a").first
    path = link.get_attribute("href")

    with page.expect_event("request", lambda request: "prefetch" in request.headers.get("sec-purpose", "")) as loaded:
        link.hover()
    loaded.value.response()
    with page.expect_response(lambda response: response.request.resource_type == "fetch") as counted:
        link.click()

    assert [one.removeprefix(reader.site.origin) for one in (loaded.value.url, counted.value.url)] == [path, path]
    assert "sec-purpose" not in counted.value.request.headers
    assert reader.faults == []


@requirement("rendering.details")
def test_without_script_a_box_opens(reader: Reader) -> None:
    page = reader.open("article", java_script_enabled=False)
    hidden = page.get_by_text("By hand, twice.")

    assert not hidden.is_visible()
    page.locator(".blog-prose summary").click()

    assert hidden.is_visible()


@requirement("rendering.embeds.click")
def test_a_video_is_loaded_by_a_click(reader: Reader) -> None:
    page = reader.open("article")
    button = page.get_by_role("button", name="Load video from YouTube")
    place = page.locator(".blog-embed").bounding_box()
    assert (page.locator("iframe").count(), reader.faults) == (0, [])

    button.click()

    frame = page.locator(".blog-embed iframe")
    assert frame.get_attribute("src") == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"
    assert (frame.get_attribute("title") or "").startswith("YouTube: https://")
    assert button.count() == 0
    assert place is not None
    size = page.locator(".blog-embed").bounding_box() or {}
    assert (size["width"], size["height"]) == (place["width"], place["height"])


@requirement("rendering.math")
def test_a_formula_is_laid_out(reader: Reader) -> None:
    page = reader.open("article")

    fraction = page.locator(".blog-prose mfrac").first
    above, below = fraction.locator("> *").all()

    assert page.locator(".blog-prose annotation").first.is_hidden()
    assert (above.bounding_box() or {})["y"] < (below.bounding_box() or {})["y"]


_INSERT = """(html) => {
  const place = document.querySelector(".blog-prose");
  place.insertAdjacentHTML("afterbegin", html);
  return [...place.firstElementChild.querySelectorAll("mtr > mtd:first-child > :last-child")]
    .map((last) => Math.round(last.getBoundingClientRect().right));
}"""
_DRAWN = """() => [...document.querySelectorAll(".blog-prose menclose")]
  .map((struck) => getComputedStyle(struck).backgroundImage.split("linear-gradient").length - 1)"""


@requirement("rendering.math.look")
def test_equations_are_aligned_at_their_signs(reader: Reader) -> None:
    page = reader.open("article")
    formula = render_markdown("$$\n\\begin{aligned} a &= b \\\\ xyz + c &= d \\end{aligned}\n$$").html

    short, long = page.evaluate(_INSERT, formula)

    assert short == long


@pytest.mark.chromium
@requirement("rendering.math.look")
def test_struck_terms_are_struck_out(reader: Reader) -> None:
    page = reader.open("article")

    page.evaluate(_INSERT, render_markdown("$$\\cancel{a} \\bcancel{b} \\xcancel{c} \\sout{d}$$").html)

    assert page.evaluate(_DRAWN) == [1, 1, 2, 1]
