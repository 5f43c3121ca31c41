"""A call that is sent again, as after a time-out: readers see nothing twice, and the answer says what was there."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.enums import ApprovalKind, EntryType
from blog_engine.errors import RevisionMismatch
from blog_engine.models import Approval, ConnectionDeclaration, Post, Proposal, ProposalEvent, Publication
from blog_engine.services import Recorded, Written
from tests.requirements import requirement
from tests.support.clients import client_with, tool_answer
from tests.support.factories import (
    AGENT,
    EDITOR,
    LATER,
    apply,
    approve,
    declare,
    propose,
    publish,
    save,
    unpublish,
    update,
)
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

TEN = timedelta(minutes=10)
SOON = LATER + TEN - timedelta(seconds=1)
OTHER = Actor("Ina Intern")
CHECKED = {"name": "Rosa Reviewer", "facts_checked": True}
NONE = {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"}
NOTE = {"change": "correction", "note": "A name was wrong."}
NEW = {"body": "One!", "change": "maintenance"}


def public(**fields: Any) -> Post:
    return save(publish=True, body="One.", **fields).post


def told(written: Written) -> list[tuple[str, str | None]]:
    """The findings of this kind in the answer."""
    codes = {"already_recorded", "nothing_changed", "note_not_recorded"}
    return [(one.code, one.location) for one in written.findings if one.code in codes]


APPROVALS: dict[str, Callable[..., Written]] = {
    "alone": lambda post, **how: approve(post, **how),
    "with an edit": lambda post, **how: update(post, approval=CHECKED, **how),
    "with a publication": lambda post, **how: publish(post, approval=CHECKED, **how),
}


@requirement("approvals.repeated", "findings.repeats")
@pytest.mark.parametrize("again", APPROVALS.values(), ids=APPROVALS)
@pytest.mark.parametrize("first", APPROVALS.values(), ids=APPROVALS)
def test_an_equal_approval_is_recorded_and_told(first: Callable[..., Written], again: Callable[..., Written]) -> None:
    post = public()

    answers = [first(post, now=LATER), again(post, now=SOON)]

    assert [told(one) for one in answers] == [[], [("already_recorded", "approval")]]
    assert [one.records.approval for one in answers] == [ApprovalKind.SENT] * 2
    assert Approval.objects.count() == 2


@requirement("approvals.repeated")
def test_an_approval_with_the_publication_of_its_draft_is_told() -> None:
    post = save(body="One.").post
    approve(post, now=LATER)

    assert told(publish(post, approval=CHECKED, now=SOON)) == [("already_recorded", "approval")]


@requirement("approvals.repeated")
@pytest.mark.parametrize(
    "other",
    [{"facts_checked": False}, {"actor": OTHER}, {"now": LATER + TEN}, {"now": LATER + 2 * TEN}],
    ids=["another answer", "another actor", "later", "much later"],
)
def test_another_approval_is_not_the_same(other: dict[str, Any]) -> None:
    post = public()
    approve(post, now=LATER)

    assert told(approve(post, **{"now": SOON} | other)) == []


@requirement("approvals.repeated")
def test_an_approval_of_other_content_and_one_between_are_not_the_same() -> None:
    post = public()
    approve(post, now=LATER)
    changed = update(post, **NEW, approval=CHECKED, now=LATER)
    approve(changed.post, facts_checked=False, now=LATER)

    assert told(changed) == []
    assert told(approve(changed.post, now=SOON)) == []


@requirement("approvals.repeated", "proposals.approval")
def test_an_equal_approval_of_a_proposal_is_told() -> None:
    post = public()
    made = Proposal.objects.get(pk=propose(post, **NEW)).revision.identifier

    answers = [approve(post, identifier=made, now=now) for now in (LATER, SOON)]
    scheduled = apply(Proposal.objects.get().pk, approval=CHECKED, publish_at="2999-01-01T00:00:00Z", now=SOON)

    assert [told(one) for one in (*answers, scheduled)] == [[], *[[("already_recorded", "approval")]] * 2]
    assert Approval.objects.count() == 3


DECLARATIONS: dict[str, Callable[..., Written]] = {
    "alone": lambda post, **how: declare(post, **how),
    "with an edit": lambda post, **how: update(post, connections=NONE, **how),
}


@requirement("history.connections.repeated", "findings.repeats")
@pytest.mark.parametrize("again", DECLARATIONS.values(), ids=DECLARATIONS)
@pytest.mark.parametrize("first", DECLARATIONS.values(), ids=DECLARATIONS)
def test_an_equal_declaration_is_recorded_and_told(
    first: Callable[..., Written], again: Callable[..., Written]
) -> None:
    post = public()

    answers = [first(post, now=LATER), again(post, now=SOON)]

    assert [told(one) for one in answers] == [[], [("already_recorded", "connections")]]
    assert ConnectionDeclaration.objects.count() == 2


@requirement("history.connections.repeated")
@pytest.mark.parametrize(
    "other",
    [
        {"third_party_paid": True},
        {"declared_by": "Mina"},
        {"connections": [{"party": "Seeds Ltd", "relation": "paid"}]},
        {"declared_on": "2020-01-01"},
        {"actor": OTHER},
        {"now": LATER + TEN},
    ],
)
def test_another_declaration_is_not_the_same(other: dict[str, Any]) -> None:
    post = public()
    declare(post, now=LATER)

    assert told(declare(post, **{"now": SOON} | other)) == []


@requirement("history.connections.repeated")
def test_a_declaration_with_a_new_post_and_one_between_are_not_the_same() -> None:
    post = save(connections=NONE, now=LATER)
    declare(post.post, third_party_paid=True, now=LATER)

    assert told(post) == []
    assert told(declare(post.post, now=SOON)) == []


@requirement("posts.change.repeated", "findings.repeats", "findings.not-recorded")
@pytest.mark.parametrize("fields", [{}, {"body": "One!"}], ids=["a note alone", "with its text"])
@pytest.mark.parametrize("actor", [EDITOR, OTHER])
def test_the_same_correction_is_recorded_once(fields: dict[str, Any], actor: Actor) -> None:
    post = public()

    answers = [
        update(post, **NOTE, **fields, now=LATER),
        update(post, **NOTE, **fields, change_description="Again.", actor=actor, now=SOON),
    ]

    assert [one.records.publication for one in answers] == [EntryType.CORRECTION, None]
    assert answers[1].records == Recorded(revision="same")
    assert [told(one) for one in answers] == [[], [("already_recorded", "note")]]
    assert Publication.objects.count() == 2
    assert answers[1].post.modified_at == LATER


@requirement("posts.change.repeated")
@pytest.mark.parametrize(
    "other",
    [{"note": "A year was wrong."}, {"body": "One!"}, {"now": LATER + TEN}],
    ids=["another note", "other text", "later"],
)
def test_another_correction_is_recorded(other: dict[str, Any]) -> None:
    post = public()
    update(post, **NOTE, now=LATER)

    again = update(post, **NOTE | {"now": SOON} | other)

    assert (again.records.publication, told(again)) == (EntryType.CORRECTION, [])


@requirement("posts.change.repeated")
def test_a_note_is_told_again_after_another_publication() -> None:
    post = public()
    update(post, **NOTE, now=LATER)
    update(post, **NEW, now=LATER)

    assert update(post, **NOTE, now=SOON).records.publication is EntryType.CORRECTION


@requirement("posts.change.repeated")
def test_what_a_repeated_correction_says_of_other_fields_is_stored() -> None:
    post = public()
    update(post, **NOTE, now=LATER)

    again = update(post, **NOTE, tags=["frost"], approval=CHECKED, now=SOON)

    assert (again.records.publication, again.records.approval) == (None, ApprovalKind.SENT)
    assert [tagging.tag.name for tagging in again.post.taggings.all()] == ["frost"]


@requirement("posts.change.repeated")
def test_the_call_that_published_with_a_note_adds_no_correction_when_it_is_sent_again() -> None:
    sent = {"slug": "winter", "publish": True, "body": "One.", **NOTE}
    save(**sent, now=LATER)

    again = save(**sent, now=SOON)

    assert (again.records.publication, told(again)) == (None, [("already_recorded", "note")])


@requirement("posts.change.unchanged", "findings.repeats", "findings.not-recorded")
@pytest.mark.parametrize("change", ["substantive", "maintenance"])
@pytest.mark.parametrize("verb", [update, publish])
@pytest.mark.parametrize("fields", [{}, {"title": "Winter garden"}, {"tags": ["frost"]}, {"note": "Pruned."}])
def test_a_change_of_nothing_is_recorded_nowhere(change: str, verb: Any, fields: dict[str, Any]) -> None:
    post = public()

    written = verb(post, change=change, change_description="Pruned.", now=LATER, **fields)

    assert written.records == Recorded(revision="same")
    assert told(written) == [("nothing_changed", "change")]
    assert (written.post.published_at, written.post.modified_at) == (post.published_at, post.modified_at)
    assert Publication.objects.count() == 1


@requirement("posts.change.unchanged")
def test_a_dry_run_tells_it_too() -> None:
    post = public()
    update(post, **NOTE, now=LATER)

    assert told(update(post, change="maintenance", dry_run=True)) == [("nothing_changed", "change")]
    assert told(update(post, **NOTE, dry_run=True, now=SOON)) == [("already_recorded", "note")]


@requirement("posts.change.unchanged")
def test_a_draft_and_a_post_that_returns_know_no_change_of_nothing() -> None:
    post = public()
    unpublish(post)

    kept, returned = update(post, change="maintenance"), publish(post, change="substantive")

    assert told(kept) == [("note_not_recorded", "change")]
    assert (told(returned), returned.records.publication) == ([], EntryType.SUBSTANTIVE)


@requirement("posts.expected.correction")
def test_a_correction_of_the_text_that_is_sent_again_with_its_revision_is_refused() -> None:
    post = public()
    sent = {**NOTE, "body": "One!", "expected_revision": post.current_revision_identifier}
    update(post, **sent)

    with refused(RevisionMismatch, ["expected_revision"]):
        update(post, **sent)


@requirement("proposals.repeated", "findings.repeats")
@pytest.mark.parametrize(
    "fields",
    [NEW, {"edits": [{"old": "One", "new": "Two"}], "change": "maintenance"}, {"tags": ["frost"], "made_by_ai": True}],
)
def test_an_equal_proposal_is_the_stored_one(fields: dict[str, Any]) -> None:
    post = public()
    first = update(post, propose=True, actor=AGENT, now=LATER, **fields)
    before = everything_stored()

    again = update(post, propose=True, actor=AGENT, now=SOON, **fields)

    assert (again.proposal, again.records) == (first.proposal, Recorded())
    assert (told(first), told(again)) == ([], [("already_recorded", "propose")])
    assert everything_stored() == before


@requirement("proposals.repeated")
@pytest.mark.parametrize(
    "other",
    [{"actor": OTHER}, {"now": LATER + TEN}, {"change": "substantive"}, {"body": "Two!"}, {"note": "N."}],
)
def test_another_proposal_is_recorded(other: dict[str, Any]) -> None:
    post = public()
    first = propose(post, **NEW)

    assert propose(post, **NEW | {"now": SOON} | other) != first


@requirement("proposals.repeated")
def test_a_proposal_for_other_content_and_one_after_a_decision_are_recorded() -> None:
    post = public()
    first = propose(post, **NEW)
    apply(first)
    update(post, body="One.", change="maintenance")
    second = propose(post, **NEW, now=SOON)
    update(post, title="Other", change="maintenance")

    assert second != first
    assert propose(post, title="Other", tags=["frost"], now=SOON) not in {first, second}


@requirement("proposals.repeated")
def test_a_dry_run_of_a_repeated_proposal_tells_it() -> None:
    post = public()
    propose(post, **NEW)

    tried = update(post, propose=True, actor=AGENT, now=SOON, dry_run=True, **NEW)

    assert (told(tried), tried.proposal) == ([("already_recorded", "propose")], None)
    assert Proposal.objects.count() == 1


@requirement("proposals.repeated")
def test_the_last_of_twenty_proposals_can_be_sent_again() -> None:
    post = public()
    made = [propose(post, description=str(number), change="maintenance") for number in range(20)]

    assert propose(post, description="19", change="maintenance", now=SOON) == made[-1]
    assert ProposalEvent.objects.count() == 0


@requirement("posts.change.unchanged", "proposals.apply")
def test_an_applied_proposal_of_metadata_records_no_publication() -> None:
    post = public()

    applied = apply(propose(post, tags=["frost"], change="maintenance"))

    assert (applied.records.publication, told(applied)) == (None, [("nothing_changed", "change")])


def test_tools_and_api_tell_a_repeat() -> None:
    client = client_with("read", "write", "publish")
    post = public()
    path = f"/blog/api/v1/posts/{post.pk}"
    approval = {**CHECKED, "revision_identifier": post.current_revision_identifier}
    sent: list[tuple[str, str, str, dict[str, Any]]] = [
        ("patch", "", "blog_update_post", NOTE),
        ("post", "/approvals", "blog_approve_revision", approval),
        ("post", "/connections", "blog_declare_connections", NONE),
        ("patch", "", "blog_update_post", {**NEW, "propose": True}),
    ]

    for method, end, name, fields in sent:
        first = getattr(client, method)(path + end, fields, content_type="application/json")
        again = getattr(client, method)(path + end, fields, content_type="application/json")
        by_tool = tool_answer(client, name, {"id": str(post.pk), **fields})
        assert (first.status_code, again.status_code) == (200, 200), again.content
        codes = [[one["code"] for one in answer["findings"]] for answer in (first.json(), again.json(), by_tool)]
        assert ["already_recorded" in one for one in codes] == [False, True, True], (name, fields)
