"""The archive: years, months and their posts."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import QuerySet
from django.test import override_settings
from django.utils import timezone

from blog_engine.models import Post
from blog_engine.models.reading import reading_a_page
from blog_engine.queries import archive
from blog_engine.queries.archive import Month, posts_by_month
from blog_engine.queries.posts import hidden_posts
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import save, unpublish
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor, graph_of, meta
from tests.support.tables import undone


def publish_at(moment: datetime, **fields: Any) -> Post:
    return save(publish=True, now=moment, **fields).post


def months(page: Element) -> list[tuple[str, str]]:
    """Return the path and the accessible name of each month that has posts."""
    return [(link.attrs["href"], link.attrs["aria-label"]) for link in page.all("a", class_="blog-months__month")]


def rows(page: Element) -> list[str]:
    return [row.text for row in page.all("li", class_="blog-row")]


def steps(page: Element) -> list[tuple[str, str]]:
    return [(link.attrs["rel"], link.attrs["href"]) for link in page.all("a", class_="blog-pagination__step")]


@pytest.fixture
def three(db: None) -> None:
    publish_at(datetime(2024, 11, 2, 12, tzinfo=UTC), title="Stone", category="Garden")
    publish_at(datetime(2024, 12, 20, 12, tzinfo=UTC), title="Soil")
    publish_at(datetime(2025, 2, 5, 12, tzinfo=UTC), title="Frost")
    save(title="Draft")


@requirement("pages.browse.archive")
def test_the_archive_has_years_and_months_with_counts(visitor: Visitor, three: None) -> None:
    page = visitor.page("/archive")

    assert [(year.one("a").attrs["href"], year.text) for year in page.all("h2")] == [
        ("/blog/archive/2025", "2025 1"),
        ("/blog/archive/2024", "2024 2"),
    ]
    assert months(page) == [
        ("/blog/archive/2025/02", "Feb 1, February 2025"),
        ("/blog/archive/2024/11", "Nov 1, November 2024"),
        ("/blog/archive/2024/12", "Dec 1, December 2024"),
    ]
    assert page.one("p", class_="blog-heading__tagline").text == "3 posts"


@requirement("pages.browse.months")
def test_the_name_of_a_month_contains_what_is_shown(visitor: Visitor, three: None, subtests: pytest.Subtests) -> None:
    for locale in ["en", "de", "ja", "ar"]:
        with subtests.test(locale=locale):
            with override_settings(BLOG_ENGINE=blog_settings(locale=locale)):
                page = visitor.page("/archive")

            links = page.all("a", class_="blog-months__month")
            items = [item for months in page.all("ol", class_="blog-months") for item in months.all("li")]
            assert [link.attrs["aria-label"].startswith(f"{link.text}, ") for link in links] == [True] * 3
            assert len(items) == 24
            assert [item.has("a") for item in items] == [item.attrs.get("aria-hidden") != "true" for item in items]


def test_an_empty_archive_says_so(visitor: Visitor) -> None:
    page = visitor.page("/archive")

    assert page.one("p", class_="blog-empty__title").text == "Nothing has been published here yet."
    assert months(page) == []


@requirement("pages.browse.periods")
def test_a_year_lists_its_posts_by_month(visitor: Visitor, three: None) -> None:
    page = visitor.page("/archive/2024")

    assert [title.text for title in page.all("h2")] == ["December 2024", "November 2024"]
    assert rows(page) == ["December 20 Soil", "November 2 Stone Garden"]
    assert steps(page) == [("next", "/blog/archive/2025")]


@requirement("pages.browse.periods")
def test_a_month_links_the_months_beside_it_that_have_posts(visitor: Visitor, three: None) -> None:
    page = visitor.page("/archive/2024/12")

    assert page.one("h1").text == "December 2024"
    assert rows(page) == ["December 20 Soil"]
    assert steps(page) == [("prev", "/blog/archive/2024/11"), ("next", "/blog/archive/2025/02")]
    crumbs = page.one("nav", aria_label="Breadcrumbs")
    assert [link.attrs["href"] for link in crumbs.all("a")] == ["/blog/", "/blog/archive", "/blog/archive/2024"]


@requirement("pages.browse.periods")
def test_a_period_without_posts_does_not_exist(visitor: Visitor, three: None, subtests: pytest.Subtests) -> None:
    for path in [
        *("/archive/2023", "/archive/2024/10", "/archive/2024/13", "/archive/2024/1", "/archive/24"),
        *("/archive/2024?page=2", "/archive/2024?page=0", "/archive/2024?format=md", "/archive?format=json"),
    ]:
        with subtests.test(path=path):
            assert visitor.get(path).status_code == 404


@requirement("pages.browse.periods", "pages.browse.numbers", "limits.documented")
def test_a_period_has_pages(visitor: Visitor, three: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert archive.ARCHIVE_ROWS == 100
    moment = datetime(2025, 3, 1, 12, tzinfo=UTC)
    for number in range(101):
        publish_at(moment + timedelta(hours=number), title=f"Number {number}")

    first, second = visitor.page("/archive/2025/03"), visitor.page("/archive/2025?page=2")

    assert len(rows(first)) == 100
    assert rows(first)[0] == "March 5 Number 100"
    assert first.one("a", class_="blog-pagination__page").attrs["href"] == "/blog/archive/2025/03?page=2"
    assert [row.partition(" Number")[0] for row in rows(second)] == ["March 1", "February 5 Frost"]
    assert second.one("title").text == "2025 — Page 2 — The Example Journal"
    assert [page.one("h1").text for page in (first, second)] == ["March 2025", "2025, page 2"]


@requirement("pages.browse.periods")
def test_the_pages_of_a_period_have_each_post_once(
    visitor: Visitor, three: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime(2025, 3, 1, 12, tzinfo=UTC)
    for number in range(10):
        # Two posts of each moment, whose order is that of their ids.
        publish_at(moment + timedelta(days=4 * (number // 2) + 10), title=f"Number {number}")
    monkeypatch.setattr("blog_engine.queries.archive.ARCHIVE_ROWS", 3)
    archive._ids.cache_clear()
    monkeypatch.setattr("blog_engine.reader.archive.ARCHIVE_ROWS", 3)

    shown = [
        row.one("a", class_="blog-row__title").text
        for number in range(1, 5)
        for row in visitor.page(f"/archive/2025?page={number}").all("li", class_="blog-row")
    ]
    archive._ids.cache_clear()

    assert shown == [*(f"Number {number}" for number in reversed(range(10))), "Frost"]


@requirement("pages.browse.dates")
def test_months_are_those_of_the_time_zone(visitor: Visitor, subtests: pytest.Subtests) -> None:
    publish_at(datetime(2024, 12, 31, 23, 30, tzinfo=UTC), title="Late")

    for zone, month in [
        ("UTC", "/archive/2024/12"),
        ("Asia/Tokyo", "/archive/2025/01"),
        ("America/Lima", "/archive/2024/12"),
    ]:
        with subtests.test(zone=zone, month=month), undone(), override_settings(TIME_ZONE=zone):
            page = visitor.page("/archive")
            assert [path for path, _ in months(page)] == [f"/blog{month}"]
            assert len(rows(visitor.page(month))) == 1


@requirement("pages.browse.dates")
def test_a_post_without_a_date_is_not_in_the_archive(visitor: Visitor) -> None:
    post = publish_at(TODAY, title="Dated")
    QuerySet(Post).filter(pk=post.pk).update(published_at=None, listed_at=datetime(1000, 1, 1, tzinfo=UTC))

    page = visitor.page("/archive")

    assert months(page) == []
    assert page.one("p", class_="blog-empty__title").text == "Nothing has been published here yet."
    assert page.one("main").one("a", class_="blog-button").attrs["href"] == "/blog/"


@requirement("pages.browse.dates")
def test_a_post_of_the_future_appears_at_its_date(visitor: Visitor, clock: time_machine.Traveller) -> None:
    publish_at(TODAY - timedelta(hours=1), title="Now")
    for days in (2, 800):
        moment = TODAY + timedelta(days=days)
        post = publish_at(TODAY, title=f"In {days}")
        QuerySet(Post).filter(pk=post.pk).update(published_at=moment, listed_at=moment)
    this_month = f"/archive/{TODAY:%Y/%m}"

    with reading_a_page() as page:
        before = posts_by_month(now=timezone.now())
    assert before == {Month(TODAY.year, TODAY.month): 1}
    assert page.changes_at == TODAY + timedelta(days=2)
    assert [row.partition(" ")[2].partition(" ")[2] for row in rows(visitor.page(this_month))] == ["Now"]
    clock.move_to(TODAY + timedelta(days=2))
    assert [row.partition(" ")[2].partition(" ")[2] for row in rows(visitor.page(this_month))] == ["In 2", "Now"]


@requirement("limits.documented")
def test_the_archive_ends_after_a_century(visitor: Visitor) -> None:
    for year in (TODAY.year - 99, TODAY.year - 100):
        post = publish_at(TODAY, title=f"Of {year}")
        moment = datetime(year, 6, 1, tzinfo=UTC)
        QuerySet(Post).filter(pk=post.pk).update(published_at=moment, listed_at=moment)

    assert [path for path, _ in months(visitor.page("/archive"))] == [f"/blog/archive/{TODAY.year - 99}/06"]


def test_a_withdrawn_post_leaves_the_archive(visitor: Visitor) -> None:
    post = publish_at(datetime(2024, 11, 2, 12, tzinfo=UTC), title="Stone")
    unpublish(post)

    assert months(visitor.page("/archive")) == []
    assert visitor.get("/archive/2024/11").status_code == 404


def test_names_are_in_the_language_of_the_pages(visitor: Visitor, three: None) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(locale="de")):
        page = visitor.page("/archive/2024")

    assert [title.text for title in page.all("h2")] == ["Dezember 2024", "November 2024"]
    assert rows(page)[0] == "20. Dezember Soil"


@requirement("pages.browse.periods")
def test_a_title_in_another_language_says_so(visitor: Visitor) -> None:
    publish_at(datetime(2024, 11, 2, 12, tzinfo=UTC), title="Stein", language="de")
    publish_at(datetime(2024, 11, 3, 12, tzinfo=UTC), title="Stone")

    links = visitor.page("/archive/2024").all("a", class_="blog-row__title")

    assert [(link.text, link.attrs.get("lang", "")) for link in links] == [("Stone", ""), ("Stein", "de")]


@requirement("pages.browse.archive")
def test_the_head_of_the_archive(visitor: Visitor, three: None) -> None:
    page = visitor.page("/archive/2024/11")

    assert page.one("title").text == "November 2024 — The Example Journal"
    assert meta(page, "robots") == "noindex, follow"
    assert meta(page, "description") == "The posts of The Example Journal from November 2024."
    assert page.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/archive/2024/11"
    entity = graph_of(page)[0]
    assert entity["@type"] == "CollectionPage"
    assert entity["mainEntity"]["itemListElement"] == [
        {"@type": "ListItem", "position": 1, "url": "https://example.com/blog/stone", "name": "Stone"}
    ]


@requirement("pages.browse.older-posts", "pages.article.reserved-slugs")
@pytest.mark.parametrize("slug", ["archive", "subscribe"])
def test_an_older_post_comes_before_the_page(visitor: Visitor, slug: str) -> None:
    post = publish_at(TODAY - timedelta(days=1), title="Older than the page")
    assert visitor.page(f"/{slug}").one("h1").text != "Older than the page"
    QuerySet(Post).filter(pk=post.pk).update(slug=slug)

    assert visitor.page(f"/{slug}").one("h1").text == "Older than the page"
    assert visitor.get(f"/{slug}.md").status_code == 200
    assert visitor.get(f"/archive/{TODAY:%Y}").status_code == 200
    assert hidden_posts() == []
