"""The lists of the desk: a post or a record has at most two lines, in languages with long words too."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import Prepared, Reader, serve, signed_in
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_desk_lists")]

_LONG = "A very long headline about the pilots of the north channel who waited for the tide and for the fog to lift"
_TITLES = ["Nets", _LONG, _LONG.replace(" ", "-"), "Donaudampfschiff" * 9]
_FILL = f"""
from datetime import timedelta
from django.utils import timezone
from blog_engine.models import ApiToken, Redirect
from tests.support.factories import propose, save
now = timezone.now()
names = dict.fromkeys(["author", "category", "series"], {_LONG!r})
for number, title in enumerate({_TITLES!r}):
    save(title=title, slug=f"draft-{{number}}", now=now - timedelta(days=3), **names)
    later = (now + timedelta(days=400)).isoformat()
    save(title=title, slug=f"later-{{number}}", publish=True, publish_at=later, made_by_ai=True)
    before = now - timedelta(days=4)
    public = save(title=title, slug=f"public-{{number}}", body="Words.", publish=True, now=before, tags=[title]).post
    propose(public, title=f"{{title}} 4", body="More.", description="All.", change="substantive", now=now)
    path = f"/{{number}}-" + title.replace(" ", "-")
    Redirect.objects.create(old_path=path, old_key=path, new_path=path, source="manual", occurred_on=now.date())
scopes = ApiToken.objects.get().scopes
ApiToken.objects.create(name={_LONG!r}, token_digest="x", token_prefix="be_12345", scopes=scopes)
"""
_LISTS = ["posts", "proposals", "redirect_list", "tokens", "tag_list", "author_list", "category_list", "series_list"]
_ROWS = """() => [...document.querySelectorAll(".list-posts tbody tr, #result_list tbody tr")]
  .map((row) => Math.round(row.getBoundingClientRect().height))"""
_IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
_MOST = {1280: 64, 375: 70}
"""Pixels of two lines with their margins, by the width of the window; a third line is at least 16 more."""
_WIDE = ("posts", "proposals")
"""The lists whose rows are held to two lines on a wide screen; Django lays the others out."""


@pytest.fixture(scope="module", params=["de", pytest.param("ar", marks=pytest.mark.heavy)])
def window(
    request: pytest.FixtureRequest, browser: Browser, desk_prepared: Prepared, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Reader, Page]]:
    copy = desk_prepared.copied_to(tmp_path_factory.mktemp("desk") / "copy")
    with serve(copy, BLOG_SITE="desk", BLOG_LOCALE=request.param) as site:
        site.manage("shell", "--verbosity", "0", "-c", _FILL)
        reader = Reader(browser, site)
        yield reader, reader.blank(storage_state=signed_in(browser, site, "root"))
        reader.leave()


@requirement("desk.list")
@pytest.mark.parametrize("screen", _LISTS)
def test_a_row_has_at_most_two_lines(window: tuple[Reader, Page], screen: str) -> None:
    reader, page = window
    reader.go(page, screen)

    for width, most in _MOST.items():
        page.set_viewport_size({"width": width, "height": 900})
        heights = page.evaluate(_ROWS)

        assert len(heights) > 1
        if width == 375 or screen in _WIDE:
            assert max(heights) <= most, (width, heights)
        assert not page.evaluate(_IS_WIDER)


@requirement("desk.list")
def test_a_title_that_is_cut_off_is_whole_for_who_asks(window: tuple[Reader, Page]) -> None:
    reader, page = window
    reader.go(page, "posts")

    for width in _MOST:
        page.set_viewport_size({"width": width, "height": 900})
        # After two lines on a wide screen, after one on a phone.
        titles = page.locator(".list-title a").evaluate_all(
            "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth)"
            ".map((one) => one.title)"
        )

        assert _LONG in titles
