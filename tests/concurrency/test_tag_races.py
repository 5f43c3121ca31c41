"""Merges of tags beside each other and beside writes of posts, in real transactions on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine import services
from blog_engine.errors import Busy, NotFound, ValidationFailed
from blog_engine.inputs.records import MergeTags
from blog_engine.models import Post, PostTag, Tag
from blog_engine.queries.audit import wrong_list_counts
from blog_engine.services._transaction import write_transaction
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, save, unpublish, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def tag(name: str) -> Tag:
    return Tag.objects.get(name=name)


def merging(name: str, target: str) -> Callable[[], Any]:
    data = MergeTags(id=tag(name).pk, target=tag(target).pk)
    return lambda: services.merge_tags(data, actor=EDITOR, now=LATER)


def names_of(post: Post) -> list[str]:
    return list(PostTag.objects.filter(post=post).order_by("id").values_list("tag__name", flat=True))


def test_of_two_merges_into_each_other_one_is_refused() -> None:
    post = save(tags=["Soil", "Earth"], publish=True).post
    held = Held()

    one, two = race(held, slowly(held, merging("Soil", "Earth")), merging("Earth", "Soil"))

    assert (one, two) == (tag("Earth"), NotFound)
    assert names_of(post) == ["Earth"]
    assert wrong_list_counts() == []


def test_many_merges_at_once_leave_one_tag() -> None:
    posts = [save(title=f"Post {n}", tags=[f"Tag {n}", f"Tag {(n + 1) % 4}"], publish=True).post for n in range(4)]
    pairs = [(one, other) for one in range(4) for other in range(4) if one != other]

    together(*(merging(f"Tag {one}", f"Tag {other}") for one, other in pairs))

    assert Tag.objects.count() == 1
    assert {tuple(names_of(post)) for post in posts} == {(Tag.objects.get().name,)}
    assert wrong_list_counts() == []


def test_a_merge_waits_for_a_post_that_is_being_written(held: Held) -> None:
    post = save(title="Post", tags=["Soil"], publish=True).post
    save(title="Other", tags=["Earth"])

    race(
        held,
        lambda: update(post, tags=["Sand", "Soil"], title="New", change="maintenance"),
        merging("Soil", "Earth"),
    )

    assert names_of(post) == ["Sand", "Earth"]
    assert wrong_list_counts() == []


def test_a_post_that_is_written_waits_for_the_merge() -> None:
    post = save(title="Post", tags=["Soil"], publish=True).post
    save(title="Other", tags=["Earth"])
    held = Held()

    race(held, slowly(held, merging("Soil", "Earth")), lambda: unpublish(post))

    assert names_of(post) == ["Earth"]
    assert Post.objects.get(pk=post.pk).status == "draft"
    assert wrong_list_counts() == []


@requirement("taxonomy.deletion.racing")
def test_a_write_that_found_the_tag_before_the_merge_is_refused_as_busy() -> None:
    save(title="Post", tags=["Soil"], publish=True)
    save(title="Other", tags=["Earth"])
    late = save(title="Late").post
    held = Held()

    one, two = race(held, slowly(held, lambda: update(late, tags=["Soil"])), merging("Soil", "Earth"))

    assert (one, two) == (Busy, tag("Earth"))
    assert names_of(late) == []
    assert wrong_list_counts() == []


@requirement("taxonomy.deletion.racing")
def test_a_post_that_gets_the_tag_while_the_merge_waits_is_merged_as_well() -> None:
    post = save(title="Post", tags=["Soil"], publish=True).post
    save(title="Other", tags=["Earth"])
    late = save(title="Late", publish=True).post
    held = Held()

    def first() -> Any:
        with write_transaction():
            update(post, title="New", change="maintenance")
            held(None, None)
            # The merge has read which posts have the tag, and waits for this one.
            return together(lambda: update(late, tags=["Soil"]))

    _, merged = race(held, first, merging("Soil", "Earth"))

    assert merged == tag("Earth")
    assert (names_of(post), names_of(late)) == (["Earth"], ["Earth"])
    assert wrong_list_counts() == []


@requirement("taxonomy.deletion.racing")
def test_a_merge_waits_for_a_public_post_that_gets_the_tag() -> None:
    save(title="Post", tags=["Soil"], publish=True)
    save(title="Other", tags=["Earth"], publish=True)
    late = save(title="Late", publish=True).post
    held = Held()

    _, merged = race(held, slowly(held, lambda: update(late, tags=["Soil"])), merging("Soil", "Earth"))

    assert merged == tag("Earth")
    assert names_of(late) == ["Earth"]
    assert wrong_list_counts() == []


@requirement("taxonomy.tags.deletion")
def test_a_tag_that_a_post_gets_meanwhile_is_not_deleted() -> None:
    update(save(title="Post", tags=["Soil"], publish=True).post, tags=[])
    late = save(title="Late", publish=True).post
    soil = tag("Soil").pk
    held = Held()

    _, deleted = race(
        held,
        slowly(held, lambda: update(late, tags=["Soil"])),
        lambda: services.delete_tag(soil, actor=EDITOR, now=LATER),
    )

    assert deleted is ValidationFailed
    assert names_of(late) == ["Soil"]


def test_merges_beside_writes_of_posts_lose_nothing() -> None:
    posts = [save(title=f"Post {n}", tags=["Soil", "Sand"], publish=True).post for n in range(4)]
    save(title="Other", tags=["Earth"])

    outcomes = together(
        merging("Soil", "Earth"),
        *(lambda post=post: update(post, tags=["Sand", "Soil"]) for post in posts[:2]),
        lambda: unpublish(posts[2]),
        lambda: save(title="New", tags=["Soil", "Clay"], publish=True),
    )

    assert set(filter(lambda one: isinstance(one, type), outcomes)) <= {Busy}
    assert wrong_list_counts() == []
