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
def test_an_article_links_to_its_neighbours(
    visitor: Visitor, series: dict[str, Any], subtests: pytest.Subtests
) -> None:
    for number in range(len(ORDER)):
        with subtests.test(number=number):
            expected = [f"prev {ORDER[number - 1]}"] if number else []
            expected += [f"next {ORDER[number + 1]}"] if number + 1 < len(ORDER) else []

            assert neighbours(visitor, ORDER[number]) == expected


@requirement("pages.series")
def test_a_withdrawn_neighbour_is_skipped_at_once(visitor: Visitor, series: dict[str, Any]) -> None:
    unpublish(series["second"])
    assert neighbours(visitor, "first") == ["next fourth"]

    update(series["fourth"], series_position=None)
    assert neighbours(visitor, "first") == ["next loose-one"]


@requirement("pages.series")
def test_the_parts_are_listed_with_their_numbers(visitor: Visitor, series: dict[str, Any]) -> None:
    nav = visitor.page("/second").one("nav", class_="blog-series")
    parts = nav.one("ol")

    assert nav.one("span", class_="blog-label").text == "Part 2 of 5"
    assert parts.attrs["start"] == "1"
    assert [item.text for item in parts.all("li")] == ORDER
    assert [item.text for item in parts.all("li", aria_current="page")] == ["second"]
    assert [link.text for link in parts.all("a")] == [name for name in ORDER if name != "second"]


@requirement("pages.series.collapsed")
@pytest.mark.parametrize(("number", "is_collapsed"), [(12, False), (13, True)])
def test_more_than_twelve_parts_are_collapsed(visitor: Visitor, number: int, is_collapsed: bool) -> None:
    for place in range(1, number + 1):
        save(title=f"Part {place}", slug=f"part-{place}", series="Ground", series_position=place, publish=True)

    nav = visitor.page("/part-7").one("nav", class_="blog-series")

    assert nav.one("span", class_="blog-label").text == f"Part 7 of {number}"
    assert len(nav.all("li")) == number
    assert nav.has("details") is is_collapsed
    assert [box for box in nav.all("details") if "open" in box.attrs] == []


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
