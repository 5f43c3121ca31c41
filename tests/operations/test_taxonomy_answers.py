"""Exact keys, order and counts of categories, tags and series."""

from typing import Any

import pytest

from blog_engine.models import Category, Post, Series
from blog_engine.operations import records
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import LATER, make_category, make_series, remove, save, update

pytestmark = pytest.mark.django_db


def save_posts_of_every_state(**fields: Any) -> list[Post]:
    """A draft, a scheduled, a published and an archived post."""
    archived = save(title="Archived", publish=True, **fields).post
    remove(archived)
    return [
        save(title="Draft", **fields).post,
        save(title="Scheduled", publish=True, publish_at=LATER.isoformat(), **fields).post,
        save(title="Published", publish=True, **fields).post,
        archived,
    ]


@requirement("taxonomy.categories.object")
def test_a_category_has_exactly_its_fields() -> None:
    made = call_operation(records.create_category, {"name": "Garden", "description": None, "position": 2})

    assert list(made) == ["id", "name", "slug", "description", "position", "posts_count"]
    assert made == {
        "id": Category.objects.get().pk,
        "name": "Garden",
        "slug": "garden",
        "description": "",
        "position": 2,
        "posts_count": 0,
    }


@requirement("taxonomy.categories.object")
def test_an_edited_category_answers_with_what_is_stored_now() -> None:
    save_posts_of_every_state(category="Garden")
    category = Category.objects.get()

    assert call_operation(records.update_category, {"name": "Earth", "description": "D"}, id=str(category.pk)) == {
        "id": category.pk,
        "name": "Earth",
        "slug": "garden",
        "description": "D",
        "position": 0,
        "posts_count": 4,
        "redirects": [],
    }


@requirement("api.lists.envelope", "taxonomy.posts-count")
def test_categories_are_listed_by_id_with_posts_of_every_state() -> None:
    make_category(name="Zinnias", position=1)
    save_posts_of_every_state(category="Garden", tags=["soil", "frost"])
    make_category(name="Apples", position=0)

    answer = call_operation(records.list_categories)

    assert list(answer) == ["categories", "page", "per_page", "total", "next_cursor"]
    assert [(row["name"], row["posts_count"]) for row in answer.pop("categories")] == [
        ("Zinnias", 0),
        ("Garden", 4),
        ("Apples", 0),
    ]
    assert answer == {"page": 1, "per_page": 25, "total": 3, "next_cursor": None}


@requirement("api.lists.envelope", "taxonomy.posts-count", "taxonomy.tags.list")
def test_tags_are_listed_by_id_with_posts_of_every_state() -> None:
    save_posts_of_every_state(tags=["soil", "Été"])
    save(title="Another", tags=["soil"])
    kept = save(title="Untagged", tags=["gone"]).post
    remove(kept)

    answer = call_operation(records.list_tags)

    assert list(answer) == ["tags", "page", "per_page", "total", "next_cursor"]
    assert [list(row) for row in answer["tags"]] == [["id", "name", "slug", "posts_count"]] * 3
    assert {(row["name"], row["slug"], row["posts_count"]) for row in answer["tags"]} == {
        ("soil", "soil", 5),
        ("Été", "ete", 4),
        ("gone", "gone", 0),
    }
    assert [row["id"] for row in answer["tags"]] == sorted(row["id"] for row in answer["tags"])
    assert (answer["page"], answer["per_page"], answer["total"]) == (1, 25, 3)


@requirement("taxonomy.series.object")
def test_a_new_series_has_exactly_its_fields_and_no_posts() -> None:
    made = call_operation(records.create_series, {"name": "Tides"})

    assert list(made) == ["id", "name", "slug", "description", "posts"]
    assert made == {"id": Series.objects.get().pk, "name": "Tides", "slug": "tides", "description": "", "posts": []}


@requirement("taxonomy.series.posts")
def test_a_series_holds_its_posts_in_reading_order_whatever_their_state() -> None:
    last = save(title="No place", series="Tides").post
    draft, scheduled, published, archived = save_posts_of_every_state(series="Tides")
    for post, position in ((draft, 3), (scheduled, 1), (published, 2)):
        update(post, series_position=position)
    save(title="Elsewhere", series="Other", series_position=1)

    series, other = call_operation(records.list_series)["series"]

    assert series["posts"] == [
        {"id": scheduled.pk, "slug": "scheduled", "title": "Scheduled", "position": 1},
        {"id": published.pk, "slug": "published", "title": "Published", "position": 2},
        {"id": draft.pk, "slug": "draft", "title": "Draft", "position": 3},
        {"id": last.pk, "slug": "no-place", "title": "No place", "position": None},
        {"id": archived.pk, "slug": "archived", "title": "Archived", "position": None},
    ]
    assert [post["slug"] for post in other["posts"]] == ["elsewhere"]


@requirement("taxonomy.series.object")
def test_an_edited_series_still_holds_its_posts() -> None:
    post = save(title="Ebb", series="Tides", series_position=7).post

    answer = call_operation(records.update_series, {"slug": "t"}, id=str(post.series_id))

    assert (answer["slug"], answer["posts"]) == (
        "t",
        [{"id": post.pk, "slug": "ebb", "title": "Ebb", "position": 7}],
    )


@requirement("api.lists.envelope")
def test_series_are_listed_by_pages() -> None:
    for number in range(3):
        make_series(name=f"Series {2 - number}")

    answer = call_operation(records.list_series, {"page": "2", "per_page": "2"})

    assert [row["name"] for row in answer.pop("series")] == ["Series 0"]
    assert answer == {"page": 2, "per_page": 2, "total": 3, "next_cursor": None}
