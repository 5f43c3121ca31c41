"""Which posts wait for a review, and the requests for one."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired
from blog_engine.inputs.posts import PostRef
from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, approve, publish, remove, save, unpublish, update
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

TOMORROW = (NOW + timedelta(days=1)).isoformat()


def request(post: Post, *, actor: Actor = EDITOR) -> None:
    services.request_review(PostRef(id=str(post.pk)), actor=actor, now=LATER)


def waits(post: Post) -> tuple[str | None, str | None]:
    row = Post.objects.get(pk=post.pk)
    assert (row.review_requested_by is None) is (row.review_requested_at is None)
    return row.review_reason, row.review_requested_by


@requirement("desk.queue")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, None),
        ({"made_by_ai": True}, "ai_draft"),
        ({"made_by_ai": False}, None),
        ({"provenance": "ai_assisted"}, "ai_draft"),
        ({"provenance": "human_written", "made_by_ai": True}, None),
        ({"publish": True, "provenance": "ai_assisted"}, None),
        ({"publish": True, "publish_at": TOMORROW}, "scheduled"),
        ({"publish": True, "publish_at": TOMORROW, "provenance": "human_written"}, None),
        ({"made_by_ai": True, "approval": {"name": "Rosa", "facts_checked": True}}, None),
        ({"made_by_ai": True, "approval": {"name": "Rosa", "facts_checked": False}}, "ai_draft"),
        ({"publish": True, "publish_at": TOMORROW, "approval": {"name": "Rosa", "facts_checked": True}}, None),
        ({"publish": True, "publish_at": TOMORROW, "approval": {"name": "Rosa", "facts_checked": False}}, "scheduled"),
    ],
)
def test_a_new_post_waits(fields: dict[str, object], reason: str | None) -> None:
    assert waits(save(**fields).post) == (reason, None)


@requirement("desk.queue")
def test_a_post_that_changed_since_its_approval_waits_until_it_is_approved_again() -> None:
    post = approve(save(publish=True).post).post
    assert waits(post) == (None, None)

    changed = update(post, body="Other facts.", change="substantive").post
    assert waits(post) == ("changed", None)

    approve(changed)
    assert waits(post) == (None, None)


@requirement("desk.queue")
def test_a_draft_by_ai_waits_until_its_facts_are_checked() -> None:
    post = approve(save(made_by_ai=True).post, facts_checked=False).post
    assert waits(post) == ("ai_draft", None)

    approve(post)
    assert waits(post) == (None, None)


@requirement("desk.queue")
def test_the_approved_text_is_not_waiting_when_it_comes_back() -> None:
    post = approve(save(body="Facts.").post).post

    update(post, body="Other facts.")
    update(post, body="Facts.")

    assert waits(post) == (None, None)


@requirement("desk.queue")
def test_a_withdrawn_post_waits_again_and_an_archived_one_does_not() -> None:
    post = save(publish=True, provenance="ai_assisted").post

    unpublish(post)
    assert waits(post) == ("ai_draft", None)

    remove(post)
    assert waits(post) == (None, None)


@requirement("desk.review-requests")
def test_a_request_keeps_the_name_and_comes_first() -> None:
    post = save(made_by_ai=True).post

    request(post, actor=Actor("Wanda Writer", scopes=["write"]))

    assert waits(post) == ("requested", "Wanda Writer")
    assert Post.objects.get().review_requested_at == LATER


@requirement("desk.review-requests")
def test_taking_a_request_back_leaves_the_other_reason() -> None:
    post = save(made_by_ai=True).post
    request(post)

    services.cancel_review_request(PostRef(id=str(post.pk)), actor=EDITOR, now=LATER)

    assert waits(post) == ("ai_draft", None)


@requirement("desk.review-requests")
@pytest.mark.parametrize(
    "answer",
    [
        approve,
        lambda post: approve(post, facts_checked=False),
        publish,
        lambda post: remove(publish(post).post),
    ],
    ids=["approval", "unchecked approval", "release", "archive"],
)
def test_an_answer_ends_a_request(answer: Callable[[Post], object]) -> None:
    post = save().post
    request(post)

    answer(post)

    assert waits(post) == (None, None)


@requirement("desk.review-requests")
def test_an_edit_or_a_schedule_keeps_a_request() -> None:
    post = save().post
    request(post)

    update(post, body="Better.")
    publish(post, publish_at=TOMORROW)

    assert waits(post) == ("requested", "Ines Editor")


@requirement("desk.review-requests")
def test_a_public_post_can_be_asked_for() -> None:
    post = save(publish=True).post

    request(post)
    assert waits(post) == ("requested", "Ines Editor")

    approve(post)
    assert waits(post) == (None, None)


@requirement("desk.review-requests")
def test_an_approved_post_is_not_asked_for() -> None:
    post = approve(save().post).post

    request(post)

    assert waits(post) == (None, None)


@pytest.mark.parametrize("ask", [services.request_review, services.cancel_review_request])
def test_asking_needs_the_scope_and_the_post(ask: Callable[..., object]) -> None:
    post = save().post

    with refused(ScopeRequired, ["write"]):
        ask(PostRef(id=str(post.pk)), actor=Actor("Reader", scopes=["read"]), now=LATER)
    with refused(NotFound):
        ask(PostRef(id="no-such-post"), actor=EDITOR, now=LATER)
