"""Proposals of posts whose bodies were changed since: what is worked out for lists and approvals, and how often."""

from typing import Any

import pytest
from django.core.cache import cache

from blog_engine.errors import Refusal
from blog_engine.inputs.proposals import ListProposals
from blog_engine.models import Post
from blog_engine.queries import proposals
from blog_engine.queries.proposals import listed_proposals, proposals_of
from blog_engine.services import proposals as deciding
from tests.requirements import requirement
from tests.support.factories import apply, approve, propose, save, seen, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

BODY = "One.\n\n## Two\n\nTwo.\n\nThree.\n"
EDITS = [{"after_heading": "Two", "new": "Inserted."}]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Forget what other tests, whose posts have the same contents, worked out."""
    cache.clear()


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the proposals of which a list worked out what they make."""
    found, function = list[int](), proposals.rebased_body
    monkeypatch.setattr(
        proposals, "rebased_body", lambda proposal, body: (found.append(proposal.pk), function(proposal, body))[1]
    )
    return found


def states() -> list[str]:
    """Return the states in the list, the newest proposal first."""
    return [one.state.value for one in listed_proposals(ListProposals()).rows]


def proposed(post: Post, **fields: Any) -> int:
    return propose(post, change="maintenance", **fields or {"edits": EDITS})


@requirement("proposals.made", "proposals.list")
def test_a_list_works_out_nothing_while_the_body_is_the_same(worked_out: list[int]) -> None:
    post = save(publish=True, body=BODY).post
    proposed(post)
    update(post, title="Other", change="maintenance")

    assert states() == ["open"]
    assert worked_out == []


@requirement("proposals.list.bounded", "proposals.states")
def test_a_list_works_out_once_what_a_proposal_makes_of_another_body(worked_out: list[int]) -> None:
    post = save(publish=True, body=BODY).post
    fits, conflicts = proposed(post), proposed(post, body=BODY.replace("Three", "Four"))
    update(post, body=BODY.replace("Three", "Five"), change="maintenance")

    assert (states(), states()) == (["outdated", "open"], ["outdated", "open"])
    assert [one.state for one in proposals_of(post.pk)] == ["outdated", "open"]
    assert worked_out == [conflicts, fits]

    update(post, body=BODY.replace("Three", "Four"), change="maintenance")

    assert states() == ["outdated", "open"]
    assert worked_out == [conflicts, fits] * 2


@requirement("proposals.list.bounded")
def test_a_list_without_time_counts_what_it_does_not_know_as_fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True, body=BODY).post
    proposal = proposed(post, body=BODY.replace("Three", "Four"))
    update(post, body=BODY.replace("Three", "Five"), change="maintenance")
    monkeypatch.setattr(proposals, "_MOST_SECONDS", -1.0)

    assert states() == ["open"]
    assert seen(proposal).state == "outdated"
    assert states() == ["outdated"]


@requirement("proposals.list")
def test_a_list_has_the_names_of_fields_and_no_texts() -> None:
    post = save(publish=True, body=BODY).post
    proposed(post)

    [one] = listed_proposals(ListProposals()).rows

    assert one.proposal.fields == {"change": "maintenance"}
    assert one.proposal.base == dict.fromkeys(["body", "body_format", "edited_body"])


@requirement("proposals.approval")
def test_an_approval_finds_the_proposal_that_was_read_first(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True, body=BODY).post
    numbers = [proposed(post, title=f"Title {number}") for number in range(3)]
    update(post, description="Other", change="maintenance")
    identifier = seen(numbers[1]).post.current_revision_identifier
    read, function = list[int](), deciding.read_proposal
    monkeypatch.setattr(
        deciding, "read_proposal", lambda data, **more: (read.append(data.proposal), function(data, **more))[1]
    )

    assert approve(post, identifier=identifier).proposal == numbers[1]
    assert read == [numbers[1]]


@requirement("proposals.approval")
def test_a_search_for_the_proposal_of_an_approval_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True, body=BODY).post
    proposed(post)
    read = list[int]()
    monkeypatch.setattr(deciding, "_MOST_SECONDS", -1.0)
    monkeypatch.setattr(deciding, "read_proposal", lambda data, **more: read.append(data.proposal))

    with pytest.raises(Refusal):
        approve(post, identifier="0" * 64)
    assert read == []


@requirement("proposals.conflict")
@pytest.mark.parametrize("fields", [{"edits": EDITS * 5}, {"body": BODY.replace("Two.", "Two. " * 30)}])
def test_a_body_that_would_become_too_long_is_in_conflict(fields: dict[str, Any], settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=200)
    post = save(publish=True, body=BODY).post
    proposal = proposed(post, **fields)
    update(post, body=BODY + "\nFour. " * 20, change="maintenance")

    now = seen(proposal)

    assert now.state == "outdated"
    assert [one.field for one in now.conflicts] == ["body"]
    assert "longer than a body can be" in now.conflicts[0].present
    with pytest.raises(Refusal):
        apply(proposal)


@requirement("proposals.conflict")
@pytest.mark.heavy
def test_a_body_that_would_have_too_much_markup_is_in_conflict() -> None:
    post = save(publish=True, body=BODY).post
    proposal = proposed(post, body=BODY + "\na *b*\n" * 8_000)
    update(post, body="*a* b\n" * 8_000 + "\n" + BODY, change="maintenance")

    now = seen(proposal)

    assert now.state == "outdated"
    assert "pieces of markup" in now.conflicts[0].present
    with pytest.raises(Refusal):
        apply(proposal)
