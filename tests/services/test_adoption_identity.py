"""Which post an adoption is for, and what it does not touch."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from blog_engine.errors import AlreadyChangedInGem, IdentityConflict, SlugReserved
from blog_engine.models import Baseline, Post
from tests.requirements import requirement
from tests.support.factories import (
    LATER,
    WHOLE,
    adopt,
    approve,
    declare,
    publish,
    recorded,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.tables import insert_redirect, refused

pytestmark = pytest.mark.django_db


def approved() -> Post:
    post = save(slug="night-ferry").post
    approve(post)
    return post


def declared() -> Post:
    post = save(slug="night-ferry").post
    declare(post)
    return post


def archived_with_a_redirect_only() -> Post:
    post = save(slug="night-ferry").post
    insert_redirect("/blog/somewhere", "/x", post=post)
    return remove(post).post


HAVE_RECORDS: dict[str, Callable[[], Post]] = {
    "public": lambda: save(slug="night-ferry", publish=True).post,
    "withdrawn": lambda: unpublish(save(slug="night-ferry", publish=True).post).post,
    "archived": lambda: remove(save(slug="night-ferry", publish=True).post).post,
    "approved": approved,
    "declared": declared,
    "archived with a redirect only": archived_with_a_redirect_only,
}


@requirement("adoption.own-records")
@pytest.mark.parametrize("which", HAVE_RECORDS)
def test_a_post_with_records_of_its_own_is_not_adopted(which: str) -> None:
    HAVE_RECORDS[which]()

    with refused(IdentityConflict, ["slug"]):
        adopt()


@requirement("adoption.conflict-names")
def test_the_field_that_led_to_a_post_with_records_is_named() -> None:
    save(slug="other", external_id="x", publish=True)

    with refused(IdentityConflict, ["external_id"]):
        adopt(external_id="x")


@requirement("adoption.other-source")
@pytest.mark.parametrize("other", [{"source_id": "18"}, {"source_system": "newpress"}])
def test_an_adopted_post_belongs_to_its_source(other: dict[str, str]) -> None:
    adopt(external_id="x")

    with refused(IdentityConflict, ["slug"]):
        adopt(**other)
    with refused(IdentityConflict, ["external_id"]):
        adopt(**other, external_id="x", slug="elsewhere")


@requirement("adoption.identity")
def test_the_same_id_in_another_system_is_another_article() -> None:
    adopt()

    assert adopt(source_system="newpress", slug="other").created
    assert Baseline.objects.count() == 2


@requirement("adoption.identity")
def test_two_fields_that_lead_to_two_posts_conflict() -> None:
    save(slug="night-ferry")
    save(slug="other", title="Other", external_id="x")

    with refused(IdentityConflict, ["slug", "external_id"]):
        adopt(external_id="x")


@requirement("adoption.conflict-names")
@pytest.mark.parametrize("field", ["slug", "external_id"])
def test_a_repeat_cannot_take_what_another_post_has(field: str) -> None:
    adopt()
    save(title="Other", slug="taken", external_id="taken")

    with refused(IdentityConflict, [field]):
        adopt(**{field: "taken"})


@requirement("adoption.reserved")
@pytest.mark.parametrize("slug", ["feed", "sitemap", "api", "category", "tag"])
def test_a_slug_of_the_blog_is_reserved(slug: str) -> None:
    with refused(SlugReserved, []):
        adopt(slug=slug)


@requirement("adoption.reserved")
def test_a_slug_that_redirects_is_reserved() -> None:
    insert_redirect("/blog/night-ferry", "/x")

    with refused(SlugReserved, []):
        adopt()


def republished(post: Post) -> None:
    unpublish(post)
    publish(post)


def moved_back(post: Post) -> None:
    update(post, slug="elsewhere")
    update(post, slug="night-ferry")


FOLLOWED: dict[str, Callable[[Post], Any]] = {
    "substantive": lambda post: update(post, title="New", change="substantive"),
    "correction": lambda post: update(post, title="New", change="correction", note="It was old."),
    "maintenance": lambda post: update(post, title="New", change="maintenance"),
    "a correction of the same": lambda post: update(post, change="correction", note="It was right."),
    "changed and back": lambda post: [update(post, title=title, change="substantive") for title in ("New", post.title)],
    "withdrawn": unpublish,
    "archived": remove,
    "republished": republished,
    "moved": lambda post: update(post, slug="elsewhere"),
    "moved and back": moved_back,
    "approved": approve,
    "approved without a check": lambda post: approve(post, facts_checked=False),
    "given a redirect": lambda post: insert_redirect("/old-home", "/x", post=post),
}


@requirement("adoption.changed-here")
@pytest.mark.parametrize("article", [{}, {"body": "New from there."}], ids=["the same", "changed"])
@pytest.mark.parametrize("which", FOLLOWED)
def test_what_was_changed_here_is_not_adopted_again(which: str, article: dict[str, Any]) -> None:
    FOLLOWED[which](adopt(WHOLE).post)

    with refused(AlreadyChangedInGem, []):
        adopt(WHOLE, now=LATER, **article)


@requirement("adoption.other-source")
def test_another_source_conflicts_also_with_what_was_changed_here() -> None:
    update(adopt().post, title="New", change="substantive")

    with refused(IdentityConflict, ["slug"]):
        adopt(source_id="18")


FOLLOWED_BY_NOTHING: dict[str, Callable[[Post], Any]] = {
    "other tags": lambda post: update(post, tags=["Other"]),
    "another category": lambda post: update(post, category="Other"),
    "other provenance": lambda post: update(post, provenance="ai_assisted"),
    "another external id": lambda post: save(slug="unrelated", external_id="unrelated"),
    "a declaration": declare,
}


@requirement("adoption.repeat.replaced")
@pytest.mark.parametrize("which", FOLLOWED_BY_NOTHING)
def test_what_leaves_no_record_of_content_is_overwritten(which: str) -> None:
    FOLLOWED_BY_NOTHING[which](adopt(WHOLE).post)

    adopted = adopt(WHOLE, now=LATER, body="New from there.")

    assert recorded(adopted) == ("new", "adopted", "imported", "replaced", 2)
    assert adopted.post.category is not None
    assert (adopted.post.category.name, adopted.post.provenance) == ("Ships", "human_written")
    assert [tagging.tag.name for tagging in adopted.post.taggings.all()] == ["Sea", "Night"]


@requirement("adoption.identity")
def test_a_source_is_found_whatever_slug_and_external_id_say() -> None:
    first = adopt(external_id="x")

    again = adopt(external_id="y", slug="elsewhere", now=LATER)

    assert (again.created, again.post.pk) == (False, first.post.pk)
    assert (again.post.slug, again.post.external_id) == ("elsewhere", "y")


def test_a_metadata_edit_after_a_moving_repeat_does_not_end_the_adoption() -> None:
    adopt()
    post = adopt(slug="second", now=LATER).post
    update(post, tags=["Other"], now=LATER + timedelta(minutes=1))

    assert adopt(slug="second", now=LATER + timedelta(minutes=2)).baseline == "replaced"


@requirement("adoption.identity")
@pytest.mark.parametrize("microseconds", [256, 999])
def test_a_repeat_after_a_moving_one_at_any_microsecond_replaces_it(microseconds: int) -> None:
    moment = LATER + timedelta(microseconds=microseconds)
    adopt()
    adopt(slug="second", now=moment)

    assert adopt(slug="second", body="New from there.", now=moment + timedelta(minutes=2)).baseline == "replaced"


@requirement("adoption.changed-here")
def test_a_move_here_after_a_moving_repeat_ends_it() -> None:
    adopt()
    post = adopt(slug="second", now=LATER).post
    update(post, slug="third", now=LATER + timedelta(minutes=1))

    with refused(AlreadyChangedInGem, []):
        adopt(slug="second", now=LATER + timedelta(minutes=2))


@requirement("adoption.repeat.replaced")
def test_an_adoption_that_came_earlier_and_waited_does_not_end_the_adoption() -> None:
    adopt()
    adopt(slug="second", now=LATER + timedelta(seconds=1))
    adopt(slug="second", now=LATER, body="New from there.")

    assert adopt(slug="second", now=LATER + timedelta(minutes=1)).baseline == "replaced"


@requirement("adoption.changed-here")
def test_a_move_here_that_came_earlier_and_waited_ends_it() -> None:
    post = adopt(now=LATER).post
    update(post, slug="elsewhere", now=LATER - timedelta(seconds=1))

    with refused(AlreadyChangedInGem, []):
        adopt(now=LATER + timedelta(minutes=1), body="New from there.")
