"""The same call twice at once, as a client that does not wait for the first answer sends it."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine.models import Approval, ConnectionDeclaration, Post, Proposal, Publication
from blog_engine.services import Written
from tests.concurrency.races import Held, race, slowly
from tests.requirements import requirement
from tests.support.factories import AGENT, approve, declare, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

CALLS: dict[str, Callable[[Post], Written]] = {
    "approval": lambda post: approve(post),
    "connections": lambda post: declare(post),
    "note": lambda post: update(post, change="correction", note="A name was wrong."),
    "note with its text": lambda post: update(post, body="Two.", change="correction", note="A name was wrong."),
    "propose": lambda post: update(post, body="Two.", change="maintenance", propose=True, actor=AGENT),
}
NUMBERS = {"approval": (2, 0, 1, 0), "connections": (0, 2, 1, 0), "note": (0, 0, 2, 0), "propose": (0, 0, 1, 1)}


def numbers() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Approval, ConnectionDeclaration, Publication, Proposal))


def codes(answer: Any) -> list[tuple[str, str | None]]:
    return [(one.code, one.location) for one in answer.findings if one.code == "already_recorded"]


@requirement(
    "approvals.repeated", "history.connections.repeated", "posts.change.repeated", "proposals.repeated", "proof.chain"
)
@pytest.mark.parametrize("what", CALLS)
def test_of_two_equal_calls_the_second_is_told(what: str, held: Held) -> None:
    post = save(body="One.", publish=True).post

    answers = race(held, slowly(held, lambda: CALLS[what](post)), lambda: CALLS[what](post))

    field = what.split()[0]
    assert [codes(one) for one in answers] == [[], [("already_recorded", field)]]
    assert numbers() == NUMBERS[field]


@requirement("posts.change.unchanged")
def test_the_second_of_two_equal_changes_is_a_change_of_nothing(held: Held) -> None:
    post = save(body="One.", publish=True).post

    def write() -> Written:
        return update(post, body="Two.", change="maintenance")

    first, second = race(held, slowly(held, write), write)

    assert isinstance(first, Written)
    assert isinstance(second, Written)
    assert (first.records.publication, second.records.publication) == ("maintenance", None)
    assert "nothing_changed" in {one.code for one in second.findings}
