"""What a new slug or a deletion of a category, tag, author or series leaves for readers."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from blog_engine import services
from blog_engine.actor import Actor, Scope
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SaveRedirect
from blog_engine.models import Category, Post, Redirect, Series, Tag
from tests.requirements import requirement
from tests.support.factories import (
    EDITOR,
    LATER,
    NOW,
    edit_author,
    edit_category,
    edit_series,
    make_author,
    make_category,
    make_series,
    save,
)
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

FORMS = ["", "/feed.xml", "/feed.json"]


def rows() -> dict[str, str | None]:
    return dict(Redirect.objects.values_list("old_path", "new_path"))


def add(old_path: str, new_path: str) -> None:
    data = parse(SaveRedirect, {"old_path": old_path, "new_path": new_path})
    services.add_redirect(data, actor=EDITOR, now=NOW)


def moves(kind: str, old: str, new: str | None) -> dict[str, str | None]:
    return {f"/blog/{kind}/{old}{form}": new and f"/blog/{kind}/{new}{form}" for form in FORMS}


@requirement("taxonomy.moves")
@pytest.mark.parametrize(
    ("kind", "make", "edit"),
    [
        ("category", make_category, edit_category),
        ("author", make_author, edit_author),
        ("series", make_series, edit_series),
    ],
)
def test_a_new_slug_leaves_redirects_for_the_page_and_its_feeds(
    kind: str, make: Callable[..., Any], edit: Callable[..., Any]
) -> None:
    record = make(name="Winter", slug="old")

    edit(record.pk, slug="new")
    edit(record.pk, name="Summer", slug="new")

    assert rows() == moves(kind, "old", "new")
    assert set(Redirect.objects.values_list("source", "post")) == {("slug_change", None)}


@requirement("taxonomy.moves")
def test_a_tag_that_is_renamed_by_hand_leaves_redirects() -> None:
    save(tags=["Old"])
    tag = Tag.objects.get()

    tag.slug = "new"
    with services.redirecting_page(tag, now=NOW):
        tag.save()

    assert rows() == moves("tag", "old", "new")


@requirement("taxonomy.moves")
def test_further_slugs_lead_to_the_last_one_and_back_in_no_circle() -> None:
    category = make_category(slug="a")

    edit_category(category.pk, slug="b")
    edit_category(category.pk, slug="c")
    assert rows() == moves("category", "a", "c") | moves("category", "b", "c")

    edit_category(category.pk, slug="a")
    assert rows() == moves("category", "b", "a") | moves("category", "c", "a")


@requirement("taxonomy.moves")
def test_readers_are_sent_to_the_page_and_feeds_of_the_new_slug(client: Client) -> None:
    save(category="Winter", publish=True)
    edit_category(Category.objects.get().pk, slug="cold")

    for form in [*FORMS, ".html"]:
        moved = client.get(f"/blog/category/winter{form}")
        assert moved.status_code == 301
        assert client.get(moved["Location"]).status_code == 200


@requirement("taxonomy.moves")
def test_a_redirect_made_by_hand_is_kept_and_followed() -> None:
    add(old_path="/blog/category/new", new_path="/elsewhere")
    add(old_path="/former", new_path="/blog/category/old")
    category = make_category(slug="old")

    edit_category(category.pk, slug="new")

    by_hand = {"/blog/category/new": "/elsewhere", "/former": "/blog/category/new"}
    assert rows() == by_hand | moves("category", "old", "new")


@requirement("taxonomy.deletion")
def test_a_deleted_category_leaves_its_posts_and_page_to_another_one(client: Client) -> None:
    post = save(category="Winter", publish=True).post
    winter, cold = Category.objects.get(), make_category(name="Cold")

    services.delete_category(winter.pk, target_id=cold.pk, actor=EDITOR, now=LATER)

    stored = Post.objects.get(pk=post.pk)
    assert (stored.category, stored.updated_at) == (cold, LATER)
    assert stored.current_revision_identifier == post.current_revision_identifier
    assert rows() == moves("category", "winter", "cold")
    assert client.get("/blog/category/winter")["Location"] == "/blog/category/cold"


@requirement("taxonomy.deletion")
def test_a_deleted_series_is_appended_to_another_one_in_its_order() -> None:
    for title, series, position in [("1", "Old", 2), ("2", "Old", 1), ("3", "Old", None), ("4", "New", 7)]:
        save(title=title, series=series, series_position=position)
    old, new = Series.objects.order_by("id")

    services.delete_series(old.pk, target_id=new.pk, actor=EDITOR, now=LATER)

    titles = Post.objects.filter(series=new).order_by("series_position").values_list("title", "series_position")
    assert list(titles) == [("4", 7), ("2", 8), ("1", 9), ("3", 10)]
    assert rows() == moves("series", "old", "new")


@requirement("taxonomy.deletion")
@pytest.mark.parametrize("kind", ["category", "series"])
def test_without_a_target_the_page_is_gone_and_the_posts_stay(client: Client, kind: str) -> None:
    post = save(publish=True, **{kind: "Winter"}).post
    record = getattr(post, kind)

    getattr(services, f"delete_{kind}")(record.pk, target_id=None, actor=EDITOR, now=LATER)

    assert getattr(Post.objects.get(pk=post.pk), kind) is None
    assert rows() == moves(kind, "winter", None)
    assert [client.get(f"/blog/{kind}/winter{form}").status_code for form in FORMS] == [410, 410, 410]


@requirement("taxonomy.deletion")
@pytest.mark.parametrize("kind", ["category", "series"])
def test_a_deletion_that_cannot_be_is_refused(kind: str) -> None:
    record = {"category": make_category, "series": make_series}[kind]()
    delete = getattr(services, f"delete_{kind}")

    with refused(ValidationFailed, ["target"]):
        delete(record.pk, target_id=record.pk, actor=EDITOR, now=NOW)
    with refused(NotFound):
        delete(record.pk, target_id=record.pk + 1, actor=EDITOR, now=NOW)
    with refused(NotFound):
        delete(record.pk + 1, target_id=None, actor=EDITOR, now=NOW)
    with refused(ScopeRequired, ["publish"]):
        delete(record.pk, target_id=None, actor=Actor("W", [Scope.READ, Scope.WRITE]), now=NOW)
