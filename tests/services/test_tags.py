"""Renaming, merging and deleting tags."""

from typing import Any

import pytest
from django.test import Client

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import MergeTags, RenameTag
from blog_engine.models import ListCount, Post, Redirect, Tag
from blog_engine.queries.audit import wrong_list_counts
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, save, update
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

WRITER = Actor("Writer", scopes=["read", "write"])
READER = Actor("Reader", scopes=["read", "publish"])


def rename(tag: Tag, *, actor: Actor = EDITOR, **fields: Any) -> Tag:
    return services.rename_tag(parse(RenameTag, fields, fixed={"id": tag.pk}), actor=actor, now=LATER)


def merge(tag: Tag, target: Tag, *, actor: Actor = EDITOR) -> Tag:
    return services.merge_tags(MergeTags(id=tag.pk, target=target.pk), actor=actor, now=LATER)


def tagged(*names: str, **fields: Any) -> Post:
    return save(title=", ".join(names), tags=list(names), **fields).post


def tag(name: str) -> Tag:
    return Tag.objects.get(name=name)


def tags_of_post(post: Post) -> list[str]:
    return list(post.taggings.order_by("id").values_list("tag__name", flat=True))


@requirement("taxonomy.tags.renaming")
def test_a_renamed_tag_is_found_by_its_new_name() -> None:
    post = tagged("soil")

    rename(tag("soil"), name=" Earth ")

    assert tags_of_post(post) == ["Earth"]
    assert (tag("Earth").slug, tag("Earth").key) == ("soil", "earth")
    update(post, tags=["EARTH", "sand"])
    assert tags_of_post(post) == ["Earth", "sand"]
    assert Tag.objects.count() == 2


def test_the_case_of_a_name_can_change() -> None:
    tagged("soil")

    rename(tag("soil"), name="Soil")

    assert tag("Soil").key == "soil"


@requirement("taxonomy.moves", "taxonomy.tags.renaming")
def test_a_new_slug_of_a_tag_redirects_its_page_and_feeds() -> None:
    tagged("soil")

    rename(tag("soil"), slug="earth")

    assert dict(Redirect.objects.values_list("old_path", "new_path")) == {
        f"/blog/tag/soil{form}": f"/blog/tag/earth{form}" for form in ("", "/feed.xml", "/feed.json")
    }


@requirement("taxonomy.tags.renaming")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": "SAND"}, ["name"]),
        ({"slug": "sand"}, ["slug"]),
        ({"name": "Sand", "slug": "sand"}, ["name", "slug"]),
    ],
)
def test_a_name_or_slug_of_another_tag_is_refused(fields: dict[str, str], details: list[str]) -> None:
    tagged("soil", "sand")

    with refused(ValidationFailed, details):
        rename(tag("soil"), **fields)


def test_renaming_needs_the_scope_write() -> None:
    tagged("soil")

    with refused(ScopeRequired, ["write"]):
        rename(tag("soil"), name="Earth", actor=READER)


@requirement("taxonomy.tags.merging")
def test_a_merge_gives_posts_the_target_once_and_keeps_the_order_of_their_tags() -> None:
    one, both, other = tagged("a", "soil", "z"), tagged("earth", "b", "soil"), tagged("earth")
    unchanged = other.updated_at

    target = merge(tag("soil"), tag("earth"))

    assert target == tag("earth")
    assert [tags_of_post(post) for post in (one, both, other)] == [["a", "earth", "z"], ["earth", "b"], ["earth"]]
    assert set(Tag.objects.values_list("name", flat=True)) == {"a", "b", "z", "earth"}
    assert list(Post.objects.order_by("id").values_list("version", "updated_at")) == [
        (one.version + 1, LATER),
        (both.version + 1, LATER),
        (other.version, unchanged),
    ]


def test_a_merge_counts_the_public_posts_of_the_target() -> None:
    tagged("soil", "clay", publish=True)
    tagged("soil", "earth", publish=True)
    tagged("soil")

    merge(tag("soil"), tag("earth"))

    assert ListCount.objects.get(tag=tag("earth")).posts == 2
    assert wrong_list_counts() == []


@requirement("taxonomy.tags.merging")
def test_the_page_and_feeds_of_a_merged_tag_redirect_to_the_target(client: Client) -> None:
    tagged("soil", "earth", publish=True)

    merge(tag("soil"), tag("earth"))

    found = {path: client.get(f"/blog/tag/soil{path}").get("Location") for path in ("", "/feed.xml", "/feed.json")}
    assert found == {path: f"/blog/tag/earth{path}" for path in found}
    assert "soil, earth" in client.get("/blog/tag/earth").content.decode()


def test_a_tag_can_be_merged_twice() -> None:
    tagged("one", "two", "three", publish=True)

    merge(tag("one"), tag("two"))
    merge(tag("two"), tag("three"))

    assert set(Redirect.objects.values_list("new_path", flat=True)) == {
        f"/blog/tag/three{form}" for form in ("", "/feed.xml", "/feed.json")
    }


def test_a_merge_with_itself_is_refused() -> None:
    tagged("soil")

    with refused(ValidationFailed, ["target"]):
        merge(tag("soil"), tag("soil"))


@pytest.mark.parametrize("missing", ["id", "target"])
def test_a_merge_of_a_tag_that_does_not_exist_is_refused(missing: str) -> None:
    tagged("soil")
    ids = {"id": tag("soil").pk, "target": tag("soil").pk} | {missing: 10**9}

    with refused(NotFound, []):
        services.merge_tags(MergeTags(**ids), actor=EDITOR, now=LATER)


def test_merging_and_deleting_need_the_scope_publish() -> None:
    tagged("soil", "earth")

    with refused(ScopeRequired, ["publish"]):
        merge(tag("soil"), tag("earth"), actor=WRITER)
    with refused(ScopeRequired, ["publish"]):
        services.delete_tag(tag("soil").pk, actor=WRITER, now=LATER)


@requirement("taxonomy.tags.deletion")
def test_a_tag_without_posts_is_deleted_and_its_page_is_gone(client: Client) -> None:
    post = tagged("soil")
    update(post, tags=[])

    services.delete_tag(tag("soil").pk, actor=EDITOR, now=LATER)

    assert not Tag.objects.exists()
    paths = ("/blog/tag/soil", "/blog/tag/soil/feed.xml", "/blog/tag/soil/feed.json")
    assert [client.get(path).status_code for path in paths] == [410, 410, 410]


@requirement("taxonomy.tags.deletion")
def test_a_tag_of_a_post_is_not_deleted() -> None:
    tagged("soil")

    with refused(ValidationFailed, []):
        services.delete_tag(tag("soil").pk, actor=EDITOR, now=LATER)
