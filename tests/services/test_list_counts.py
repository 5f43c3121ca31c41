"""The numbers of public posts in lists follow every write."""

from collections.abc import Callable

import pytest
from django.db.models import Sum

from blog_engine import services
from blog_engine.models import Category, ListCount, Post, Series
from blog_engine.queries.audit import wrong_list_counts
from blog_engine.queries.listings import number_of_posts
from tests.support.factories import EDITOR, LATER, NOW, adopt, publish, remove, save, unpublish, update
from tests.support.tables import execute

pytestmark = pytest.mark.django_db


def counted() -> dict[str, int]:
    """Return the stored numbers of posts by the slug of their list, without those that are 0."""
    rows = ListCount.objects.exclude(posts=0).values_list(
        "category__slug", "tag__slug", "series__slug", "author__slug", "posts"
    )
    return {next(slug for slug in slugs if slug): posts for *slugs, posts in rows}


def public() -> Post:
    return save(category="Soil", tags=["Clay", "Loam"], series="Spring", publish=True).post


ALL = {"soil": 1, "clay": 1, "loam": 1, "spring": 1, "ada-example": 1}


def test_a_draft_counts_nowhere_and_a_public_post_in_each_of_its_lists() -> None:
    post = save(category="Soil", tags=["Clay", "Loam"], series="Spring").post
    assert counted() == {}

    publish(post)
    assert counted() == ALL
    assert number_of_posts() == 1


def test_the_posts_of_all_authors_are_the_posts_of_the_blog() -> None:
    assert number_of_posts() == 0
    for title, author in (("Clay", "Ada"), ("Loam", "Ines"), ("Sand", "Ada")):
        save(title=title, author=author, publish=True)

    assert number_of_posts() == 3


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"title": "Other", "change": "substantive"}, ALL),
        ({"tags": ["Loam", "Sand"]}, {"soil": 1, "loam": 1, "sand": 1, "spring": 1, "ada-example": 1}),
        ({"tags": []}, {"soil": 1, "spring": 1, "ada-example": 1}),
        ({"category": "Sea"}, {**ALL, "sea": 1} | {"soil": 0}),
        ({"category": None, "series": None}, {"clay": 1, "loam": 1, "ada-example": 1}),
        ({"author": "Ines", "change": "substantive"}, {**ALL, "ines": 1} | {"ada-example": 0}),
    ],
)
def test_an_edited_public_post_moves_between_lists(fields: dict[str, object], expected: dict[str, int]) -> None:
    update(public(), **fields)

    assert counted() == {slug: posts for slug, posts in expected.items() if posts}
    assert wrong_list_counts() == []


@pytest.mark.parametrize("withdraw", [unpublish, remove])
def test_a_withdrawn_post_leaves_its_lists(withdraw: Callable[[Post], object]) -> None:
    post = public()

    withdraw(post)
    assert counted() == {}

    publish(post)
    assert counted() == ALL


def test_publishing_again_counts_nothing_twice() -> None:
    post = public()

    publish(post)

    assert counted() == ALL


def test_scheduled_posts_count_from_their_release_on() -> None:
    save(tags=["Clay"], publish=True, publish_at=LATER.isoformat())
    assert counted() == {}

    services.publish_due(now=LATER)
    assert counted() == {"clay": 1, "ada-example": 1}


def test_adopted_posts_are_counted_once() -> None:
    adopt(tags=["Clay"])
    assert wrong_list_counts() == []

    adopt(tags=["Clay", "Loam"])
    assert wrong_list_counts() == []
    assert ListCount.objects.filter(tag__isnull=False).aggregate(total=Sum("posts"))["total"] == 2


@pytest.mark.parametrize("with_target", [True, False])
def test_a_deleted_list_hands_its_posts_over(with_target: bool) -> None:
    public()
    save(title="Draft", category="Soil", series="Spring")
    save(title="Sea", category="Sea", series="Tides", publish=True)
    for model, old, new in ((Category, "soil", "sea"), (Series, "spring", "tides")):
        delete = services.delete_category if model is Category else services.delete_series
        target = model.objects.get(slug=new).pk if with_target else None
        delete(model.objects.get(slug=old).pk, target_id=target, actor=EDITOR, now=NOW)

    assert wrong_list_counts() == []
    assert counted()["sea"] == (2 if with_target else 1)


def test_everything_can_be_counted_again() -> None:
    public()
    execute("UPDATE blog_engine_listcount SET posts = posts + 7")
    save(title="Other", tags=["Clay"], publish=True)
    execute("DELETE FROM blog_engine_listcount WHERE series_id IS NOT NULL")
    assert wrong_list_counts()

    services.recount_lists()

    assert wrong_list_counts() == []
    assert counted() == {**ALL, "clay": 2, "ada-example": 2}
