"""An article and its neighbours in a series."""

from typing import Any

import pytest

from blog_engine.content.headings import PAGE_IDS
from blog_engine.models import Series
from tests.requirements import requirement
from tests.support.factories import save, unpublish, update
from tests.support.pages import Visitor

ORDER = ["first", "second", "fourth", "loose-one", "loose-two"]


@pytest.fixture
def series(db: None) -> dict[str, Any]:
    """Publish a series in the order of ``ORDER``, written in another order, with a draft."""
    positions = {"loose-one": None, "draft": 3, "fourth": 4, "second": 2, "loose-two": None, "first": 1}
    written = {}
    for slug, position in positions.items():
        place = {"series_position": position} if position else {}
        written[slug] = save(slug=slug, title=slug, series="Ground", publish=slug != "draft", **place).post
    return written


def neighbours(visitor: Visitor, slug: str) -> list[str]:
    links = visitor.page(f"/{slug}").one("nav", class_="blog-series").all("a")
    return [f"{link.attrs['rel']} {link.attrs['href'].removeprefix('/blog/')}" for link in links if "rel" in link.attrs]


@requirement("pages.series")
@pytest.mark.parametrize("number", range(len(ORDER)), ids=ORDER)
def test_an_article_links_to_its_neighbours(visitor: Visitor, series: dict[str, Any], number: int) -> None:
    expected = [f"prev {ORDER[number - 1]}"] if number else []
    expected += [f"next {ORDER[number + 1]}"] if number + 1 < len(ORDER) else []

    assert neighbours(visitor, ORDER[number]) == expected


@requirement("pages.series")
def test_a_withdrawn_neighbour_is_skipped_at_once(visitor: Visitor, series: dict[str, Any]) -> None:
    unpublish(series["second"])
    assert neighbours(visitor, "first") == ["next fourth"]

    update(series["fourth"], series_position=None)
    assert neighbours(visitor, "first") == ["next loose-one"]


def test_a_neighbour_is_named_by_its_title(visitor: Visitor, series: dict[str, Any]) -> None:
    before, after = visitor.page("/second").one("nav", class_="blog-series").all("a", class_="blog-series__link")

    assert before.text.endswith(": first")
    assert after.text.endswith(": fourth")


def test_the_navigation_of_a_series_has_no_id_of_a_heading(visitor: Visitor, series: dict[str, Any]) -> None:
    page = visitor.page("/second")

    assert {element.attrs["id"] for element in page.walk() if "id" in element.attrs} == PAGE_IDS


def test_the_heading_links_to_the_series(visitor: Visitor) -> None:
    save(title="Soil", series="Ground", publish=True)

    links = visitor.page("/soil").one("nav", class_="blog-series").all("a")

    assert [(link.text, link.attrs["href"]) for link in links] == [("Ground", "/blog/series/ground")]


def test_without_a_series_there_is_no_navigation(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    Series.objects.create(name="Ground", slug="ground")

    assert not visitor.page("/soil").has("nav", class_="blog-series")
