"""The posts around a post: its series, related posts, and those published before and after it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from blog_engine.models import Post
from blog_engine.queries.articles import stored_article_at, surroundings_of
from blog_engine.queries.nearby import NearbyPosts, SeriesAround, SeriesPart, nearby_posts, series_around
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import NOW, adopt, save

pytestmark = pytest.mark.django_db


def public(slug: str, *tags: str, hours: int = 0, **fields: Any) -> Post:
    now = NOW + timedelta(hours=hours)
    return save(title=slug, slug=slug, tags=list(tags), now=now, publish=True, **fields).post


def stored(slug: str) -> Post:
    post = stored_article_at(slug)
    assert post is not None
    return post


def near(slug: str) -> NearbyPosts:
    return nearby_posts(stored(slug))


def around(slug: str) -> SeriesAround:
    found = series_around(stored(slug))
    assert found is not None
    return found


def related(slug: str) -> list[str]:
    return [post.slug for post in near(slug).related]


def beside(slug: str) -> tuple[str | None, str | None]:
    found = near(slug)
    return found.previous.slug if found.previous else None, found.next.slug if found.next else None


@requirement("pages.article.related")
def test_shared_tags_come_before_the_category_and_this_before_the_newest() -> None:
    public("soil", "clay", "loam", "marl", category="Garden")
    public("two", "loam", "clay", hours=-9)
    public("one-beside", "marl", "other", category="Garden", hours=-8)
    public("one-elsewhere", "marl", hours=5)
    public("none-beside", category="Garden", hours=6)
    public("none", hours=7)

    assert related("soil") == ["two", "one-beside", "one-elsewhere"]
    assert related("one-elsewhere") == ["soil", "one-beside", "none"]
    assert related("none-beside") == ["soil", "one-beside", "none"]
    assert related("none") == ["none-beside", "one-elsewhere", "soil"]


@requirement("pages.article.related")
def test_neither_the_post_nor_its_series_nor_drafts_are_related() -> None:
    public("soil", "clay", series="Ground", category="Garden")
    public("second", "clay", series="Ground", category="Garden", hours=1)
    public("other-series", "clay", series="Sea")
    save(title="Draft", slug="draft", tags=["clay"], category="Garden")

    assert related("soil") == ["other-series"]
    assert set(related("other-series")) == {"soil", "second"}


@requirement("pages.article.related")
def test_posts_in_the_language_of_the_post_come_before_newer_ones_in_others() -> None:
    for number in range(4):
        public(f"en-{number}", "clay", category="Garden", hours=number)
    public("between", hours=4)
    for number in range(4):
        public(f"de-{number}", "clay", category="Garden", language="de", hours=5 + number)

    assert related("en-0") == ["en-3", "en-2", "en-1"]
    assert related("de-0") == ["de-3", "de-2", "de-1"]


@requirement("pages.article.related.frequent")
def test_of_a_frequent_tag_only_the_newest_posts_are_related() -> None:
    publish_crowd(40, like=public("soil", "clay", hours=-1))
    public("old", "clay", "loam", hours=-9)
    public("lone", "clay", "loam", category="Garden", hours=1)
    assert related("lone")[0] == "old"

    publish_crowd(200, like=stored("old"), start=40)

    assert related("lone") == ["crowd-0", "crowd-1", "crowd-2"]


@requirement("pages.article.neighbours")
def test_the_posts_before_and_after_are_those_of_the_standard_order() -> None:
    for number, hours in enumerate([0, 2, 2, 2, 5]):
        public(f"post-{number}", hours=hours)
    save(title="Draft", slug="draft", now=NOW + timedelta(hours=3))
    adopt(slug="undated", title="Undated")

    assert [beside(f"post-{number}") for number in range(5)] == [
        ("undated", "post-1"),
        ("post-0", "post-2"),
        ("post-1", "post-3"),
        ("post-2", "post-4"),
        ("post-3", None),
    ]
    assert beside("undated") == (None, "post-0")
    assert beside("draft") == (None, None)


@requirement("pages.article.neighbours")
def test_a_translation_is_not_beside_a_post() -> None:
    public("before")
    post = public("soil", hours=1)
    public("boden", language="de", translation_of=post.slug, hours=2)
    public("after", hours=3)

    assert beside("soil") == ("before", "after")
    assert beside("boden") == ("before", "after")


def turned(slug: str) -> tuple[str | None, str | None]:
    nearby = surroundings_of(stored(slug), now=NOW).nearby
    return nearby.previous.slug if nearby.previous else None, nearby.next.slug if nearby.next else None


@requirement("pages.article.neighbours")
def test_parts_are_beside_each_other_in_reading_order() -> None:
    public("before")
    public("three", series="Ground", series_position=3, hours=1)
    public("between", hours=2)
    public("one", series="Ground", series_position=1, hours=3)
    public("loose", series="Ground", hours=4)
    public("two", series="Ground", series_position=2, hours=5)
    public("after", hours=6)
    save(title="Draft", slug="draft", series="Ground", series_position=5)

    assert turned("one") == ("between", "two")
    assert turned("two") == ("one", "three")
    assert turned("three") == ("two", "loose")
    assert turned("loose") == ("three", "after")
    assert turned("between") == ("three", "one")
    assert turned("draft") == (None, None)


@requirement("pages.article.neighbours")
def test_at_the_ends_of_a_series_the_nearest_other_posts_follow() -> None:
    for number in range(6):
        public(f"part-{number}", series="Ground", series_position=number + 1, hours=6 - number)
    public("before")
    public("after", hours=9)

    assert turned("part-0") == ("before", "part-1")
    assert turned("part-5") == ("part-4", "after")


@requirement("pages.article.neighbours")
def test_a_translation_in_the_same_series_is_not_beside_a_part() -> None:
    post = public("soil", series="Ground", series_position=1)
    public("boden", language="de", translation_of=post.slug, series="Ground", series_position=2, hours=1)
    public("sand", series="Ground", series_position=3, hours=2)

    assert turned("soil") == (None, "sand")
    assert turned("boden") == (None, "sand")


@requirement("pages.article.neighbours")
def test_the_neighbours_in_a_long_series_are_known() -> None:
    publish_crowd(240, like=public("soil", series="Ground"))

    assert turned("crowd-120") == ("crowd-119", "crowd-121")


def test_an_only_post_has_nothing_around_it(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    post = stored(public("soil").slug)

    with django_assert_num_queries(1):
        assert nearby_posts(post) == NearbyPosts(related=(), previous=None, next=None)
    assert series_around(post) is None


@requirement("pages.series.window")
def test_of_a_long_series_the_parts_around_the_article_are_known() -> None:
    publish_crowd(240, like=public("soil", series="Ground"))
    slugs = ["soil", *(f"crowd-{number}" for number in range(240))]

    found = {place: around(slugs[place]) for place in (0, 60, 99, 100, 101, 239, 240)}

    for place, one in found.items():
        assert len(one.parts) == 100
        assert one.total == 241
        assert [part.slug for part in one.parts if part.is_current] == [slugs[place]]
        begin = slugs.index(one.parts[0].slug)
        assert [part.slug for part in one.parts] == slugs[begin : begin + 100]
        assert (one.first, one.number) == ((begin + 1, place + 1) if place < 100 else (None, None))


@requirement("pages.series")
def test_a_draft_is_counted_as_a_part_on_its_preview() -> None:
    public("first", series="Ground", series_position=1)
    public("third", series="Ground", series_position=3)
    save(title="Second", slug="second", series="Ground", series_position=2)

    assert (around("first").total, around("third").number) == (2, 2)
    assert around("second") == SeriesAround(
        name="Ground",
        slug="ground",
        parts=(
            SeriesPart("first", "first", "", False),
            SeriesPart("second", "Second", "", True),
            SeriesPart("third", "third", "", False),
        ),
        first=1,
        number=2,
        total=3,
    )


def plans(slug: str) -> list[str]:
    """Return the query plans of what an article reads of its surroundings."""
    post = stored(slug)
    with CaptureQueriesContext(connection) as queries:
        nearby_posts(post)
        series_around(post)
    explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The tables of a test are so small that a sequential scan is cheapest.
            cursor.execute("SET LOCAL enable_seqscan = off")
        found = []
        for query in queries:
            cursor.execute(explain + query["sql"].replace("%", "%%"), [])
            found.append("\n".join(str(row[-1]) for row in cursor.fetchall()))
    return found


@requirement("pages.queries")
def test_an_index_finds_every_post_around_a_post() -> None:
    public("soil", "clay", series="Ground", category="Garden")
    public("second", "clay", series="Ground", category="Garden")

    # What subqueries with a limit found; SQLite has numbers for those without a name.
    short = re.compile(r"nearby|earlier|later|tagged|of_category|newest|related|json_each|\(subquery-\d+\)")
    for plan in plans("soil"):
        scanned = [line.split()[1] for line in plan.splitlines() if line.startswith("SCAN")]
        assert [name for name in scanned if not short.fullmatch(name)] == []
        assert "Seq Scan on blog_engine_post" not in plan
