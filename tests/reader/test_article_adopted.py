"""Adopted articles as readers see them."""

from typing import Any

import pytest
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.factories import DECLARATION, FIRST, LATER, MODIFIED, adopt, update
from tests.support.pages import Visitor, text_of
from tests.support.tables import undone

EVIDENCE: dict[str, Any] = {
    "first_published_at": FIRST,
    "first_published_evidence": "Dump",
    "last_modified_at": MODIFIED,
    "last_modified_evidence": "Dump",
}


def dates_on(visitor: Visitor) -> list[str]:
    page = visitor.page("/night-ferry")
    return [time.attrs["datetime"] for time in page.all("time")]


def structured_dates(visitor: Visitor) -> dict[str, str]:
    graph = visitor.graph("/night-ferry")
    return {name: value for node in graph for name, value in node.items() if name.startswith("date")}


@requirement("adoption.undated")
def test_unknown_dates_are_left_out(visitor: Visitor) -> None:
    adopt()

    assert dates_on(visitor) == []
    assert structured_dates(visitor) == {}
    assert "Published" not in text_of(visitor.get("/night-ferry.md"))


@requirement("adoption.undated", "pages.dates")
def test_known_dates_are_shown(visitor: Visitor) -> None:
    adopt(**EVIDENCE)

    published, modified = "2019-05-06T07:08:09+00:00", "2020-06-07T08:09:10+00:00"
    assert dates_on(visitor) == [published, modified]
    assert structured_dates(visitor) == {"datePublished": published, "dateModified": modified}


@requirement("pages.dates.offset")
def test_dates_before_standard_time_have_an_offset_of_whole_minutes(visitor: Visitor, settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"
    adopt(first_published_at="1899-12-31T23:00Z", first_published_evidence="Dump")

    written = "1900-01-01T04:41:00+05:41"
    assert dates_on(visitor) == [written]
    assert structured_dates(visitor) == {"datePublished": written, "dateModified": written}
    assert visitor.get("/feed.json").json()["items"][0]["date_published"] == "1899-12-31T23:00:00Z"


def test_a_declared_first_date_is_shown(visitor: Visitor) -> None:
    adopt(declaration=DECLARATION | {"declared_first_published_at": FIRST})

    assert dates_on(visitor) == ["2019-05-06T07:08:09+00:00"]


@requirement("adoption.undated", "pages.dates.maintenance")
def test_an_undated_article_gets_a_date_only_by_a_real_change(visitor: Visitor, subtests: pytest.Subtests) -> None:
    post = adopt().post

    for change, shown in [("substantive", True), ("correction", True), ("maintenance", False)]:
        with subtests.test(change=change, shown=shown), undone():
            update(post, body="New", change=change, note="It was old.", now=LATER)

            assert (dates_on(visitor)[:1] == ["2026-11-21T13:00:00+00:00"]) is shown


@requirement("adoption.listed-last")
def test_an_undated_article_is_the_last_of_the_index(visitor: Visitor) -> None:
    adopt(source_id="1", slug="undated", title="Undated")
    adopt(source_id="2", slug="old", title="Old", **EVIDENCE)

    links = [
        link.attrs["href"]
        for card in visitor.page("/").all("article")
        for link in card.one("", class_="blog-card__title").all("a")
    ]
    assert list(dict.fromkeys(links)) == ["/blog/old", "/blog/undated"]


@requirement("adoption.old-slugs", "pages.moved", "pages.moved.markdown")
def test_an_old_slug_redirects_to_the_article(visitor: Visitor) -> None:
    adopt(old_slugs=["ferry"])

    for path, target in (("/ferry", "/blog/night-ferry"), ("/ferry.md", "/blog/night-ferry.md")):
        response = visitor.get(path)

        assert (response.status_code, response["Location"]) == (301, target)
