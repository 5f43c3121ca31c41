"""The version of a post, by which a writer notices another one."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import RevisionMismatch
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision, PostRef
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


def approve_present(post: Post, **expected: Any) -> object:
    present = Post.objects.get(pk=post.pk).current_revision_identifier
    sent = {"revision_identifier": present, "name": "Rosa", "facts_checked": True} | expected
    data = parse(ApproveRevision, sent, fixed={"id": str(post.pk)})
    return services.approve_revision(data, actor=EDITOR, now=LATER)


WRITES: dict[str, Callable[..., object]] = {
    "save": lambda post, **expected: save(slug=post.slug, description="Mine.", now=LATER, **expected),
    "update": lambda post, **expected: update(post, title="Mine", **expected),
    "publish": publish,
    "publish by slug": lambda post, **expected: save(slug=post.slug, publish=True, now=LATER, **expected),
    "unpublish": unpublish,
    "remove": remove,
    "approve": approve_present,
    "declare": declare,
}
every_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


@requirement("desk.versions", "posts.expected")
@pytest.mark.parametrize("name", ["expected_version", "expected_revision"])
@every_write
def test_a_write_for_another_version_or_revision_is_refused(write: Callable[..., object], name: str) -> None:
    post = save().post
    expected = {"expected_version": 1, "expected_revision": post.current_revision_identifier}[name]
    update(post, body="Theirs.")

    with refused(RevisionMismatch, [name]):
        write(post, **{name: expected})


@requirement("desk.versions", "posts.expected")
@every_write
def test_a_write_for_the_present_post_is_done(write: Callable[..., object]) -> None:
    post = save().post
    present = update(post, body="Theirs.").post
    before = everything_stored()

    write(post, expected_version=2, expected_revision=present.current_revision_identifier)

    assert everything_stored() != before


@requirement("posts.expected")
def test_another_place_of_the_same_content_is_the_same_revision() -> None:
    post = save().post
    update(post, featured=True)

    assert update(post, title="Mine", expected_revision=post.current_revision_identifier).post.title == "Mine"


@requirement("posts.expected.new")
def test_a_post_that_is_expected_must_be_there() -> None:

    with refused(RevisionMismatch, ["expected_revision", "expected_version"]):
        save(slug="gone", expected_version=3, expected_revision="a" * 64)


@requirement("posts.expected.new")
def test_the_version_zero_only_creates() -> None:
    post = save(slug="taken", expected_version=0).post

    with refused(RevisionMismatch, ["expected_version"]):
        save(slug="taken", title="Mine", expected_version=0)

    assert Post.objects.get().title == post.title


@requirement("posts.expected.message")
def test_the_refusal_says_who_changed_what_since() -> None:
    post = save().post
    update(post, body="Theirs.", tags=["Frost"], faq=[{"question": "Why?", "answer": "So."}], actor=Actor("Theo"))
    publish(post)
    unpublish(post)

    with pytest.raises(RevisionMismatch) as refusal:
        update(post, title="Mine", expected_version=1)

    at = "2026-11-21T13:00:00Z"
    assert "version 4" in str(refusal.value)
    assert f"Theo at {at} (body, faq, tags)" in str(refusal.value)
    assert f"Ines Editor at {at} (published); Ines Editor at {at} (draft)" in str(refusal.value)


@requirement("posts.expected.message")
def test_a_revision_that_is_long_gone_has_no_list_of_changes() -> None:
    post = save().post
    for number in range(25):
        update(post, body=f"Text {number}.")

    with pytest.raises(RevisionMismatch, match="not among its last 20 writes"):
        update(post, title="Mine", expected_revision=post.current_revision_identifier)

    assert len(Post.objects.get().recent_writes) == 20


@requirement("posts.expected.correction")
def test_a_repeated_correction_adds_no_second_note() -> None:
    post = save(publish=True).post
    sent = {"change": "correction", "note": "A name was wrong.", "expected_revision": post.current_revision_identifier}
    update(post, **sent)

    again = update(post, **sent)

    assert again.records.publication is None


@requirement("posts.expected.correction")
def test_another_note_on_the_same_text_is_another_correction() -> None:
    post = save(publish=True).post
    expected = post.current_revision_identifier
    update(post, change="correction", note="A name was wrong.", expected_revision=expected)

    written = update(post, change="correction", note="So was a year.", expected_revision=expected)

    assert written.records.publication == "correction"
