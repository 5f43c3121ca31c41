"""Steps of proposals at once, in real transactions on PostgreSQL."""

from datetime import timedelta

import pytest

from blog_engine.errors import ProposalDecided, ProposalOutdated, RevisionMismatch
from blog_engine.models import Post, ProposalEvent, Publication
from blog_engine.services import publish_due
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import BODY, LATER, apply, events_of, propose, reject, save, seen, update, withdraw

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

DUE = LATER + timedelta(minutes=30)


def made() -> tuple[Post, int]:
    post = save(publish=True, body=BODY).post
    return post, propose(post)


@requirement("proposals.races")
def test_a_proposal_is_applied_once(held: Held) -> None:
    _, proposal = made()

    one, two = race(held, lambda: apply(proposal), lambda: apply(proposal))

    assert (one.records.publication, two) == ("maintenance", ProposalDecided)
    assert (Publication.objects.count(), events_of(proposal)) == (2, ["applied"])


@requirement("proposals.races")
@pytest.mark.parametrize("end", [reject, withdraw])
def test_a_proposal_is_applied_or_ended(held: Held, end) -> None:
    _, proposal = made()

    _, two = race(held, lambda: apply(proposal), lambda: end(proposal))

    assert (two, events_of(proposal)) == (ProposalDecided, ["applied"])


@requirement("proposals.races")
def test_of_many_steps_at_once_one_is_made() -> None:
    _, proposal = made()

    found = together(*[lambda: apply(proposal), lambda: reject(proposal), lambda: withdraw(proposal)] * 2)

    assert (found.count(ProposalDecided), ProposalEvent.objects.count()) == (5, 1)


@requirement("proposals.races")
def test_an_edit_of_the_same_line_that_came_first_is_not_overwritten(held: Held) -> None:
    post, proposal = made()

    _, two = race(
        held,
        lambda: update(post, body="One?\n\nTwo.\n\nThree.", change="maintenance"),
        lambda: apply(proposal),
    )

    assert (two, Post.objects.get().body) == (ProposalOutdated, "One?\n\nTwo.\n\nThree.")


@requirement("proposals.races")
def test_an_edit_of_another_line_that_came_first_is_kept(held: Held) -> None:
    post, proposal = made()

    race(
        held,
        lambda: update(post, body="One.\n\nTwo.\n\nThree?", change="maintenance"),
        lambda: apply(proposal),
    )

    assert Post.objects.get().body == "One!\n\nTwo.\n\nThree?"


@requirement("proposals.races")
def test_what_was_expected_is_checked_against_an_edit_that_came_first(held: Held) -> None:
    post, proposal = made()
    expected = seen(proposal).post.current_revision_identifier

    _, two = race(
        held,
        lambda: update(post, title="Edited", change="maintenance"),
        lambda: apply(proposal, expected_revision=expected),
    )

    assert (two, events_of(proposal)) == (RevisionMismatch, [])


@requirement("proposals.races")
def test_an_edit_after_the_application_builds_on_it(held: Held) -> None:
    post, proposal = made()

    race(held, lambda: apply(proposal), lambda: update(post, title="Edited", change="maintenance"))

    found = Post.objects.get()
    assert (found.title, found.body[:4]) == ("Edited", "One!")


@requirement("proposals.races", "proposals.schedule")
def test_two_runs_apply_a_due_proposal_once() -> None:
    _, proposal = made()
    apply(proposal, publish_at=DUE.isoformat())

    together(*[lambda: publish_due(now=DUE)] * 3)

    assert events_of(proposal) == ["scheduled", "applied"]


@requirement("proposals.races", "proposals.limit")
def test_the_number_of_proposals_of_a_post_holds_for_writers_at_once() -> None:
    post, _ = made()
    for number in range(18):
        propose(post, title=f"Title {number}", change="maintenance")

    together(*[lambda: propose(post, description="Other", change="maintenance")] * 4)

    assert post.proposals.count() == 20
