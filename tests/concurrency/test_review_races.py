"""Two steps of one review at once."""

from typing import Any

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.conversation import AddRemark, RequestReview, ResolveRemark, ReturnReview
from blog_engine.models import Post
from blog_engine.queries.conversation import remarks_of
from tests.concurrency.races import Held, race, slowly
from tests.requirements import requirement
from tests.support.factories import LATER, approve, save

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

WANDA, RITA = Actor("Wanda Writer", id="user:7"), Actor("Rita Reviewer", id="user:8")


def ask(post: Post, note: str = "", *, actor: Actor = WANDA) -> Any:
    return services.request_review(RequestReview(id=str(post.pk), note=note), actor=actor, now=LATER)


def send_back(post: Post) -> Any:
    return services.return_review(ReturnReview(id=str(post.pk), note="No."), actor=RITA, now=LATER)


def remark(post: Post, text: str) -> Any:
    return services.add_remark(AddRemark(id=str(post.pk), text=text), actor=RITA, now=LATER)


@requirement("reviews.once")
def test_two_clicks_ask_once(held: Held) -> None:
    post = save().post

    first, second = race(held, slowly(held, lambda: ask(post)), lambda: ask(post))

    assert remarks_of(post.pk) == [first.remark]
    assert second.remark is None


@requirement("reviews.request")
def test_of_two_who_ask_the_later_one_is_known(held: Held) -> None:
    post = save().post

    race(held, slowly(held, lambda: ask(post)), lambda: ask(post, "Mine.", actor=RITA))

    assert [one.actor for one in remarks_of(post.pk)] == ["Wanda Writer", "Rita Reviewer"]
    assert Post.objects.get().review_requested_by == "Rita Reviewer"


@requirement("reviews.return", "reviews.end")
def test_an_approval_and_a_return_at_once_leave_an_approved_post(held: Held) -> None:
    first, second = save(title="One").post, save(title="Two").post

    _, refused = race(held, slowly(held, lambda: approve(first)), lambda: send_back(first))
    assert refused is ValidationFailed
    again = Held()
    race(again, slowly(again, lambda: send_back(second)), lambda: approve(second))

    assert {post.review_returned_at for post in Post.objects.all()} == {None}
    assert [len(remarks_of(post.pk)) for post in (first, second)] == [0, 1]


@requirement("reviews.resolve")
def test_remarks_at_once_are_counted(held: Held) -> None:
    post = save().post
    said = remark(post, "One").remark

    resolved = ResolveRemark(id=str(post.pk), remark=said.pk)
    race(
        held,
        slowly(held, lambda: remark(post, "Two")),
        lambda: services.resolve_remark(resolved, actor=WANDA, now=LATER),
    )

    assert Post.objects.get().open_remarks == 1
