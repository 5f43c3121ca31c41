"""The version of a post, by which a writer notices another one."""

from collections.abc import Callable

import pytest

from blog_engine import services
from blog_engine.errors import RevisionMismatch
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision, PostRef, PublishPost, RemovePost, UpdatePost
from blog_engine.models import Category, Post
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, approve, declare, publish, remove, save, unpublish, update
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db


def version_of(post: Post) -> int:
    return Post.objects.get(pk=post.pk).version


@requirement("desk.versions")
def test_a_new_post_has_the_version_one() -> None:
    assert version_of(save(publish=True).post) == 1


EVERY: dict[str, Callable[[Post], object]] = {
    "another body": lambda post: update(post, body="New."),
    "another place": lambda post: update(post, featured=True),
    "nothing sent": update,
    "a release": publish,
    "a withdrawal": unpublish,
    "a removal": lambda post: remove(publish(post).post),
    "an approval": approve,
    "a declaration": declare,
    "a request": lambda post: services.request_review(PostRef(id=str(post.pk)), actor=EDITOR, now=LATER),
    "no request": lambda post: services.cancel_review_request(PostRef(id=str(post.pk)), actor=EDITOR, now=LATER),
    "no category": lambda post: services.delete_category(
        Category.objects.get().pk, target_id=None, actor=EDITOR, now=LATER
    ),
}


@requirement("desk.versions")
@pytest.mark.parametrize("write", EVERY.values(), ids=EVERY)
def test_every_write_makes_the_version_higher(write: Callable[[Post], object]) -> None:
    post = save(category="Garden").post

    write(post)

    assert version_of(post) > 1


@requirement("desk.versions")
def test_an_approval_of_a_public_post_is_a_write() -> None:
    post = save(publish=True).post

    approve(post)

    assert version_of(post) == 2


WRITES: dict[str, Callable[[str, int], object]] = {
    "update": lambda key, version: services.update_post(
        parse(UpdatePost, {"title": "Mine"}, fixed={"id": key}), actor=EDITOR, now=LATER, expected_version=version
    ),
    "publish": lambda key, version: services.publish_post(
        parse(PublishPost, {}, fixed={"id": key}), actor=EDITOR, now=LATER, expected_version=version
    ),
    "unpublish": lambda key, version: services.unpublish_post(
        PostRef(id=key), actor=EDITOR, now=LATER, expected_version=version
    ),
    "remove": lambda key, version: services.remove_post(
        RemovePost(id=key), actor=EDITOR, now=LATER, expected_version=version
    ),
    "approve": lambda key, version: services.approve_revision(
        ApproveRevision(
            id=key,
            revision_identifier=Post.objects.get(pk=key).current_revision_identifier,
            name="Rosa",
            facts_checked=True,
        ),
        actor=EDITOR,
        now=LATER,
        expected_version=version,
    ),
}


@requirement("desk.versions")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_for_another_version_is_refused(write: Callable[[str, int], object]) -> None:
    post = save().post
    update(post, body="Theirs.")
    before = everything_stored()

    with refused(RevisionMismatch, ["expected_version"]):
        write(str(post.pk), 1)

    assert everything_stored() == before


@requirement("desk.versions")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_for_the_present_version_is_done(write: Callable[[str, int], object]) -> None:
    post = save().post
    update(post, body="Theirs.")
    before = everything_stored()

    write(str(post.pk), 2)

    assert everything_stored() != before
