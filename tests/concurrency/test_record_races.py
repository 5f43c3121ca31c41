"""Two writers of one category or series, in real transactions on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine import services
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.models import Category, Post, Series
from blog_engine.queries.audit import wrong_list_counts
from blog_engine.services._transaction import write_transaction
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, edit_category, edit_series, make_category, make_series, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def details_of(write: Callable[[], Any]) -> Callable[[], Any]:
    """Run the write; return the code and details of a refusal."""

    def writer() -> Any:
        try:
            return write()
        except Refusal as refusal:
            return refusal.code, refusal.details

    return writer


@requirement("taxonomy.racing")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": "Sea"}, ["name", "slug"]),
        ({"name": "Sea", "slug": "ocean"}, ["name"]),
        ({"name": "Ocean", "slug": "sea"}, ["slug"]),
    ],
)
def test_the_second_of_two_new_categories_is_refused_with_what_is_taken(
    fields: dict[str, Any], details: list[str]
) -> None:
    held = Held()

    one, two = race(held, slowly(held, lambda: make_category(name="Sea")), details_of(lambda: make_category(**fields)))

    assert two == ("validation_failed", details)
    assert Category.objects.get() == one


@requirement("taxonomy.slugs.numbered")
def test_the_second_of_two_new_categories_gets_the_next_number() -> None:
    held = Held()

    one, two = race(held, slowly(held, lambda: make_category(name="Sea")), lambda: make_category(name="Sea!"))

    assert (one.slug, two.slug) == ("sea", "sea-2")


@requirement("taxonomy.racing", "taxonomy.names.same")
@pytest.mark.parametrize("field", ["category", "series", "author"])
def test_two_posts_that_name_a_new_record_in_another_case_make_one(field: str) -> None:
    held = Held()

    one, two = race(
        held,
        slowly(held, lambda: save(title="One", **{field: "Night boats"}).post),
        lambda: save(title="Two", **{field: "NIGHT BOATS"}).post,
    )

    assert getattr(one, field) == getattr(two, field)
    assert getattr(two, field).name == "Night boats"


@requirement("taxonomy.slugs.numbered")
def test_the_second_of_two_new_tags_gets_the_next_number() -> None:
    held = Held()

    one, two = race(
        held,
        slowly(held, lambda: save(title="One", tags=["Sea"]).post),
        lambda: save(title="Two", tags=["Sea!"]).post,
    )

    assert [tag.slug for post in (one, two) for tag in post.tags.all()] == ["sea", "sea-2"]


@requirement("taxonomy.racing")
def test_the_second_of_two_new_series_is_refused() -> None:
    held = Held()

    _, two = race(
        held,
        slowly(held, lambda: make_series(slug="tides")),
        details_of(lambda: make_series(name="Ebb", slug="tides")),
    )

    assert two == ("validation_failed", ["slug"])
    assert Series.objects.count() == 1


def test_an_edit_waits_for_another_one_to_the_same_slug() -> None:
    held = Held()
    one, other = make_category(name="One"), make_category(name="Other")

    _, two = race(
        held,
        slowly(held, lambda: edit_category(one.pk, slug="sea")),
        details_of(lambda: edit_category(other.pk, slug="sea", position=9)),
    )

    assert two == ("validation_failed", ["slug"])
    assert list(Category.objects.values_list("slug", "position")) == [("sea", 0), ("other", 0)]


@requirement("taxonomy.racing")
def test_two_edits_of_one_series_are_both_kept() -> None:
    held = Held()
    series = make_series()

    race(
        held,
        slowly(held, lambda: edit_series(series.pk, name="Ebb")),
        lambda: edit_series(series.pk, description="About it."),
    )

    series.refresh_from_db()
    assert (series.name, series.description) == ("Ebb", "About it.")


def test_of_many_equal_categories_at_once_one_is_made() -> None:
    outcomes = together(*(make_category for _ in range(6)))

    assert outcomes.count(ValidationFailed) == 5
    assert Category.objects.count() == 1


@requirement("taxonomy.deletion", "taxonomy.deletion.racing")
@pytest.mark.parametrize("kind", ["category", "series"])
def test_a_post_that_joins_while_the_deletion_waits_is_moved_as_well(kind: str) -> None:
    post = save(title="Post", publish=True, **{kind: "Soil"}).post
    target = getattr(save(title="Other", publish=True, **{kind: "Earth"}).post, kind)
    late = save(title="Late", publish=True).post
    held = Held()
    delete = services.delete_category if kind == "category" else services.delete_series

    def first() -> Any:
        with write_transaction():
            update(post, title="New", change="maintenance")
            held(None, None)
            # The deletion has read which posts it moves, and waits for this one.
            return together(lambda: update(late, **{kind: "Soil"}))

    race(held, first, lambda: delete(getattr(post, f"{kind}_id"), target_id=target.pk, actor=EDITOR, now=LATER))

    assert set(Post.objects.values_list(kind, flat=True)) == {target.pk}
    assert wrong_list_counts() == []


@requirement("taxonomy.deletion", "taxonomy.deletion.racing")
@pytest.mark.parametrize("kind", ["category", "series"])
def test_a_deletion_waits_for_a_post_that_joins(kind: str) -> None:
    post = save(title="Post", publish=True, **{kind: "Soil"}).post
    target = getattr(save(title="Other", publish=True, **{kind: "Earth"}).post, kind)
    late = save(title="Late", publish=True).post
    held = Held()
    delete = services.delete_category if kind == "category" else services.delete_series

    race(
        held,
        slowly(held, lambda: update(late, **{kind: "Soil"})),
        lambda: delete(getattr(post, f"{kind}_id"), target_id=target.pk, actor=EDITOR, now=LATER),
    )

    assert set(Post.objects.values_list(kind, flat=True)) == {target.pk}
    assert wrong_list_counts() == []
