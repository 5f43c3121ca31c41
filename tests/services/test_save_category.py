"""Creating and editing categories."""

from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.content.text import slug_from_name
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.models import Category, Post
from tests.requirements import requirement
from tests.support.factories import NOW, edit_category, make_category, save
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

READER = Actor("Reader", scopes=["read", "publish"])


def columns(category: Category) -> tuple[str, str, str, int]:
    row = Category.objects.get(pk=category.pk)
    return row.name, row.slug, row.description, row.position


@requirement("taxonomy.categories.position")
def test_a_name_is_enough() -> None:
    category = make_category(name=" Winter garden ")

    assert columns(category) == ("Winter garden", "winter-garden", "", 0)
    assert Category.objects.get().created_at == NOW


@requirement("taxonomy.categories.fields")
def test_every_field_is_stored() -> None:
    category = make_category(name="Garden", slug="g_1", description=" All *of* it.\r\n", position=-3)

    assert columns(category) == ("Garden", "g_1", " All *of* it.\r\n", -3)


@requirement("taxonomy.slugs", "posts.slug.derived")
@pytest.mark.parametrize(
    ("name", "slug"), [("Été & Ähre", "ete-ahre"), ("!!!", slug_from_name("!!!", kind="category"))]
)
@pytest.mark.parametrize("blank", [{}, {"slug": None}, {"slug": " "}])
def test_a_blank_slug_is_made_from_the_name(name: str, slug: str, blank: dict[str, Any]) -> None:
    assert make_category(name=name, **blank).slug == slug


@requirement("taxonomy.statuses")
def test_an_edit_keeps_what_it_leaves_out() -> None:
    category = make_category(description="About soil.", position=4)

    edit_category(category.pk, name="Earth")

    assert columns(category) == ("Earth", "garden", "About soil.", 4)


@requirement("taxonomy.categories.fields")
@pytest.mark.parametrize(
    ("fields", "after"),
    [
        ({}, ("Garden", "g", "D", 4)),
        ({"slug": None}, ("Garden", "g", "D", 4)),
        ({"slug": " ", "name": "Earth"}, ("Earth", "g", "D", 4)),
        ({"name": "Garden", "slug": "g"}, ("Garden", "g", "D", 4)),
        ({"slug": "earth"}, ("Garden", "earth", "D", 4)),
        ({"description": None}, ("Garden", "g", "", 4)),
        ({"position": 0}, ("Garden", "g", "D", 0)),
    ],
)
def test_an_edit_writes_what_was_sent(fields: dict[str, Any], after: tuple[str, str, str, int]) -> None:
    category = make_category(slug="g", description="D", position=4)

    edit_category(category.pk, **fields)

    assert columns(category) == after


@requirement("taxonomy.slugs", "taxonomy.categories.unique")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": "Garden"}, ["name", "slug"]),
        ({"name": " Garden "}, ["name", "slug"]),
        ({"name": "Garden", "slug": "garden"}, ["name", "slug"]),
        ({"name": "Garden", "slug": "other"}, ["name"]),
        ({"name": "Other", "slug": "garden"}, ["slug"]),
    ],
)
def test_a_name_or_slug_of_another_category_is_refused(fields: dict[str, Any], details: list[str]) -> None:
    make_category(name="Garden")

    with refused(ValidationFailed, details):
        make_category(**fields)


@requirement("taxonomy.slugs.numbered")
def test_a_new_category_gets_the_next_number_when_another_name_has_its_slug() -> None:
    make_category(name="Garden")

    assert [make_category(name=name).slug for name in ("garden!", "GARDEN")] == ["garden-2", "garden-3"]


@requirement("taxonomy.slugs")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": "Garden"}, ["name"]),
        ({"slug": "garden"}, ["slug"]),
        ({"slug": "garden", "name": "Garden", "position": 5}, ["name", "slug"]),
    ],
)
def test_an_edit_takes_no_name_or_slug_of_another_category(fields: dict[str, Any], details: list[str]) -> None:
    make_category(name="Garden")
    other = make_category(name="Sea")

    with refused(ValidationFailed, details):
        edit_category(other.pk, **fields)


@requirement("taxonomy.categories.unique")
def test_names_differ_by_case() -> None:
    make_category(name="Garden")

    assert make_category(name="GARDEN", slug="capitals").name == "GARDEN"


@requirement("taxonomy.slugs.reserved")
def test_a_slug_may_be_a_word_that_posts_may_not_have() -> None:
    assert make_category(name="Feed").slug == "feed"


def test_a_category_that_does_not_exist_is_not_found() -> None:
    with refused(NotFound, []):
        edit_category(10**17, name="Sea")


@requirement("taxonomy.scopes")
def test_writing_needs_the_scope_write() -> None:
    category = make_category()

    with refused(ScopeRequired, ["write"]):
        make_category(name="Sea", actor=READER)
    with refused(ScopeRequired, ["write"]):
        edit_category(category.pk, name="Sea", actor=READER)


def test_a_post_finds_a_category_by_the_name_it_was_given() -> None:
    category = make_category(name=" Winter garden\n", slug="w")

    assert save(category="Winter garden").post.category_id == category.pk


@requirement("taxonomy.renamed")
def test_renaming_leaves_the_rows_of_posts_alone() -> None:
    post = save(category="Garden", publish=True).post
    before = everything_stored()

    edit_category(post.category_id, name="Earth", slug="earth", description="New.")

    after = everything_stored()
    assert after.pop("Category") != before.pop("Category")
    assert after.pop("Redirect") != before.pop("Redirect")
    assert after == before
    assert Post.objects.get().category.name == "Earth"
