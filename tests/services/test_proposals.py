"""What a proposal makes of its post, and how it is decided."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from blog_engine import signals
from blog_engine.actor import Actor
from blog_engine.content.edits import EditDoesNotApply
from blog_engine.errors import (
    AlreadyChangedInGem,
    ApprovalRequired,
    NotFound,
    ProposalDecided,
    ProposalOutdated,
    RefusedByHost,
    RevisionMismatch,
    ScopeRequired,
    ValidationFailed,
)
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Approval, ChainLink, Post, Proposal, ProposalEvent, Publication, Redirect, Revision
from blog_engine.services import publish_due, read_proposal
from blog_engine.services._history import record_proposal
from tests.requirements import requirement
from tests.support.factories import (
    AGENT,
    BODY,
    EDITOR,
    LATER,
    NOW,
    adopt,
    apply,
    approve,
    events_of,
    propose,
    proposed_for,
    publish,
    reject,
    remove,
    save,
    seen,
    unpublish,
    update,
    withdraw,
)
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

DUE = LATER + timedelta(hours=1)
RUN = DUE + timedelta(minutes=3)
OTHER_AGENT = Actor("Other agent", scopes=["read", "write"])


@requirement("proposals.rebased", "proposals.revision")
def test_other_fields_and_other_lines_keep_what_they_became_meanwhile() -> None:
    post, proposal = proposed_for()
    before = seen(proposal).post.current_revision_identifier

    update(post, title="New title", body="One.\n\nTwo.\n\nThree?", tags=["Clay"], change="substantive")

    now = seen(proposal)
    assert (now.state, now.conflicts, now.post.title) == ("open", (), "New title")
    assert now.post.body == "One!\n\nTwo.\n\nThree?"
    assert now.post.current_revision_identifier != before
    applied = apply(proposal).post
    assert (applied.body, applied.title) == ("One!\n\nTwo.\n\nThree?", "New title")
    assert applied.current_revision_identifier == now.post.current_revision_identifier


TITLE = {"title": "Proposed", "description": "Proposed", "change": "maintenance"}
NINE = {"edits": [{"old": "at ten", "new": "at nine"}], "change": "maintenance"}
CONFLICTS: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str, str, str, str]]] = {
    "a field": (TITLE, {"title": "Edited"}, ("title", "Winter garden", "Edited", "Proposed")),
    "lines of the body": ({}, {"body": "One?\n\nTwo.\n\nThree."}, ("body", "One.\n", "One?\n", "One!\n")),
    "a value that the post already has": (
        {"title": "Same", "change": "maintenance"},
        {"title": "Same"},
        ("title", "Winter garden", "Same", "Same"),
    ),
    "a passage that is gone": (
        NINE,
        {"body": "It leaves at noon."},
        ("body", "It leaves at ten.", "It leaves at noon.", "It leaves at nine."),
    ),
}
"""A proposal, a later edit, and the field, base, present and proposed value of the conflict."""


@requirement("proposals.conflict", "proposals.outdated", "proposals.overtaken", "proposals.states")
@pytest.mark.parametrize(("proposed", "meanwhile", "conflict"), CONFLICTS.values(), ids=CONFLICTS)
def test_a_value_that_both_changed_is_in_conflict(
    proposed: dict[str, Any], meanwhile: dict[str, Any], conflict: tuple[str, str, str, str]
) -> None:
    post = save(publish=True, body="It leaves at ten." if proposed is NINE else BODY).post
    proposal = propose(post, **proposed)
    update(post, change="maintenance", **meanwhile)

    now = seen(proposal)

    assert now.state == "outdated"
    assert [(one.field, one.base, one.present, one.proposed) for one in now.conflicts] == [conflict]
    for sent in ({}, {"publish_at": DUE.isoformat()}):
        with refused(ProposalOutdated, [conflict[0]]):
            apply(proposal, **sent)


@requirement("proposals.conflict")
def test_a_body_in_another_format_is_in_conflict(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])
    post, proposal = proposed_for()
    update(post, body="<p>One.</p>", body_format="rich_text", change="maintenance")

    assert "body_format" in [conflict.field for conflict in seen(proposal).conflicts]


@requirement("proposals.conflict", "proposals.states")
@pytest.mark.parametrize("leave", [unpublish, remove])
def test_a_post_that_is_neither_public_nor_scheduled_takes_no_proposal_until_it_returns(leave: Any) -> None:
    post, proposal = proposed_for()
    leave(post)

    assert (seen(proposal).state, [one.field for one in seen(proposal).conflicts]) == ("outdated", ["status"])
    with refused(ProposalOutdated, ["status"]):
        apply(proposal)

    publish(post)
    assert seen(proposal).state == "open"
    assert apply(proposal).post.body.startswith("One!")


@requirement("proposals.states")
def test_a_proposal_is_open_again_when_the_post_fits_again() -> None:
    post, proposal = proposed_for()
    update(post, body="One?\n\nTwo.\n\nThree.", change="maintenance")
    update(post, body=BODY, change="maintenance")

    assert seen(proposal).state == "open"


@requirement("proposals.apply", "proposals.apply.authorship")
def test_applying_publishes_the_edit_as_the_change_that_it_says() -> None:
    post, proposal = proposed_for(
        body="Other.", change="correction", note="It was wrong.", change_description="One word.", made_by_ai=True
    )

    written = apply(proposal)

    assert (written.post.body, written.proposal) == ("Other.", proposal)
    entry = Publication.objects.get(post=post, entry_type="correction")
    assert (entry.note, entry.description, entry.released_by) == ("It was wrong.", "One word.", EDITOR.name)
    assert (entry.revision.actor, entry.revision.made_by_ai) == (AGENT.name, True)
    event = ProposalEvent.objects.get()
    assert (event.kind, event.actor, event.publication, event.revision) == (
        "applied",
        EDITOR.name,
        entry,
        entry.revision,
    )
    assert seen(proposal).state == "applied"


@requirement("proposals.apply.authorship")
def test_a_rebased_revision_also_has_the_authorship_of_the_proposer() -> None:
    post, proposal = proposed_for(body="One!\n\nTwo.\n\nThree.", change="maintenance", made_by_ai=True)
    update(post, title="New title", change="maintenance", made_by_ai=False)

    apply(proposal)

    revision = Post.objects.get().public_revision
    assert (revision.actor, revision.made_by_ai) == (AGENT.name, True)


@requirement("proposals.apply")
def test_a_proposed_slug_redirects_once_and_one_signal_is_sent(django_capture_on_commit_callbacks) -> None:
    _, proposal = proposed_for(slug="other")
    received: list[Any] = []

    def receive(**sent: Any) -> None:
        received.append(sent["outcome"].proposal)

    signals.post_updated.connect(receive)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            apply(proposal)
    finally:
        signals.post_updated.disconnect(receive)

    assert Redirect.objects.get().old_path == "/blog/winter-garden"
    assert received == [proposal]


@requirement("proposals.apply")
def test_the_check_of_the_host_is_asked_when_a_proposal_is_applied(settings) -> None:
    _, proposal = proposed_for()
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: ["Too short."])

    with refused(RefusedByHost):
        apply(proposal)

    assert (seen(proposal).state, Publication.objects.count()) == ("open", 1)


@requirement("proposals.apply.scheduled-post")
def test_a_scheduled_post_stays_scheduled() -> None:
    post = publish(save(body=BODY).post, publish_at=DUE.isoformat(), now=NOW).post
    proposal = propose(post)

    written = apply(proposal)

    assert (written.post.status, written.post.publish_at, written.post.body[:4]) == ("scheduled", DUE, "One!")
    assert Publication.objects.count() == 0
    publish_due(now=RUN)
    assert Publication.objects.get().revision.actor == AGENT.name


@requirement("proposals.apply.expected")
def test_another_content_than_the_expected_one_is_refused() -> None:
    post, proposal = proposed_for()
    expected = seen(proposal).post.current_revision_identifier
    update(post, title="New title", change="maintenance")

    with refused(RevisionMismatch, ["expected_revision"]):
        apply(proposal, expected_revision=expected)
    apply(proposal, expected_revision=seen(proposal).post.current_revision_identifier)


@requirement("proposals.decided")
@pytest.mark.parametrize("first", [apply, reject, withdraw])
@pytest.mark.parametrize("second", [apply, reject, withdraw])
def test_a_decided_proposal_takes_no_further_step(first: Any, second: Any) -> None:
    _, proposal = proposed_for()
    first(proposal)
    before = ChainLink.objects.count()

    with refused(ProposalDecided):
        second(proposal)

    assert (ChainLink.objects.count(), len(events_of(proposal))) == (before, 1)


@requirement("proposals.approval")
def test_a_reviewed_proposal_may_be_applied_where_approvals_are_required(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = save(body=BODY).post
    approve(post)
    publish(post)
    proposal = propose(post)
    before = Post.objects.values().get()
    with refused(ApprovalRequired):
        apply(proposal)

    written = approve(post, identifier=seen(proposal).post.current_revision_identifier)

    assert (written.proposal, written.records.approval, Post.objects.values().get()) == (proposal, "sent", before)
    assert seen(proposal).post.is_reviewed
    apply(proposal)
    assert Approval.objects.last().revision_identifier == Post.objects.get().public_revision.identifier


@requirement("proposals.approval")
def test_a_review_of_an_earlier_revision_does_not_count(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = save(body=BODY, provenance="human_written", publish=True).post
    proposal = propose(post, body="One!\n\nTwo.\n\nThree.", provenance="ai_assisted", change="substantive")
    reviewed = seen(proposal).post.current_revision_identifier
    approve(post, identifier=reviewed)
    update(post, title="New title", change="maintenance")

    assert not seen(proposal).post.is_reviewed
    with refused(ApprovalRequired):
        apply(proposal)
    with refused(RevisionMismatch):
        approve(post, identifier=reviewed)

    approve(post, identifier=seen(proposal).post.current_revision_identifier)
    assert events_of(proposal) == ["rebased"]
    apply(proposal)


@requirement("proposals.approval")
def test_an_approval_can_come_with_the_application(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = save(body=BODY, provenance="human_written", publish=True).post
    proposal = propose(post, title="Other", provenance="unknown", change="substantive")

    written = apply(proposal, approval={"name": "Rosa", "facts_checked": True})

    assert (written.records.approval, written.post.is_approved) == ("sent", True)


@requirement("proposals.approval")
def test_an_approval_of_a_proposal_does_not_count_for_the_post() -> None:
    post, proposal = proposed_for()
    approve(post, identifier=seen(proposal).post.current_revision_identifier)
    reject(proposal)

    update(post, description="Other", change="maintenance")

    found = Post.objects.get()
    assert (found.review_reason, found.public_revision.approvals.count()) == (None, 0)


@requirement("proposals.schedule", "posts.release.due")
def test_a_scheduled_proposal_is_applied_when_its_time_has_come() -> None:
    _, proposal = proposed_for()

    written = apply(proposal, publish_at=DUE.isoformat())

    assert (written.post.body, seen(proposal).state, seen(proposal).schedule.publish_at) == (BODY, "scheduled", DUE)
    assert publish_due(now=DUE - timedelta(seconds=1)).applied == []
    assert publish_due(now=RUN).applied == [f"winter-garden (proposal {proposal})"]
    assert (Post.objects.get().body[:4], events_of(proposal)) == ("One!", ["scheduled", "applied"])
    entry = Publication.objects.last()
    assert (entry.released_by, entry.revision.actor, ProposalEvent.objects.last().actor) == (None, AGENT.name, None)
    assert publish_due(now=RUN).applied == []


@requirement("proposals.schedule")
def test_a_schedule_is_moved_and_cancelled() -> None:
    _, proposal = proposed_for()
    apply(proposal, publish_at=DUE.isoformat())
    apply(proposal, publish_at=(DUE + timedelta(hours=1)).isoformat())
    assert publish_due(now=RUN).applied == []

    apply(proposal, publish_at=None)

    assert seen(proposal).state == "open"
    assert publish_due(now=RUN + timedelta(days=1)).applied == []
    assert events_of(proposal) == ["scheduled", "scheduled", "unscheduled"]


@requirement("proposals.schedule")
def test_cancelling_without_a_schedule_records_nothing() -> None:
    _, proposal = proposed_for()

    apply(proposal, publish_at=None)

    assert events_of(proposal) == []


@requirement("proposals.schedule")
def test_scheduling_passes_the_gates_and_records_the_review(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = save(body=BODY, provenance="human_written", publish=True).post
    proposal = propose(post, title="Other", tags=["Clay"], provenance="unknown", change="substantive")
    with refused(ApprovalRequired):
        apply(proposal, publish_at=DUE.isoformat())

    apply(proposal, publish_at=DUE.isoformat(), approval={"name": "Rosa", "facts_checked": True})

    assert (Approval.objects.get().revision.identifier, Post.objects.get().title) == (
        seen(proposal).post.current_revision_identifier,
        "Winter garden",
    )
    publish_due(now=RUN)
    assert Post.objects.get().title == "Other"


@requirement("proposals.schedule.refused")
def test_an_outdated_proposal_that_is_due_is_reported_and_stays(capsys) -> None:
    post, proposal = proposed_for()
    apply(proposal, publish_at=DUE.isoformat())
    update(post, body="One?\n\nTwo.\n\nThree.", change="maintenance")

    done = publish_due(now=RUN)

    [(name, refusal)] = done.refused.items()
    assert (name, type(refusal), refusal.details) == (
        f"winter-garden (proposal {proposal})",
        ProposalOutdated,
        ["body"],
    )
    assert seen(proposal).state == "outdated"


@requirement("proposals.schedule.refused")
def test_the_command_names_proposals(monkeypatch, capsys) -> None:
    post, proposal = proposed_for()
    other = propose(post, title="Other", change="maintenance")
    for one in (proposal, other):
        apply(one, publish_at=DUE.isoformat())
    update(post, title="Edited", change="maintenance")
    monkeypatch.setattr("django.utils.timezone.now", lambda: RUN)

    with pytest.raises(CommandError):
        call_command("publish_due_posts")

    shown = capsys.readouterr()
    assert shown.out == f"Applied winter-garden (proposal {proposal})\n"
    assert shown.err == f"Refused winter-garden (proposal {other}): proposal_outdated, title\n"


@requirement("proposals.reject")
def test_a_publisher_rejects_with_a_reason() -> None:
    _, proposal = proposed_for()

    reject(proposal, reason="Not true.")

    event = ProposalEvent.objects.get()
    assert (event.kind, event.reason, event.actor) == ("rejected", "Not true.", EDITOR.name)
    assert seen(proposal).state == "rejected"


@requirement("proposals.reject")
def test_rejecting_needs_the_scope_and_a_reason() -> None:
    _, proposal = proposed_for()

    with refused(ScopeRequired):
        reject(proposal, actor=AGENT)
    with refused(ScopeRequired):
        apply(proposal, actor=AGENT)
    with refused(ValidationFailed, ["reason"]):
        reject(proposal, reason=" ")


@requirement("proposals.outdated")
@pytest.mark.parametrize("end", [reject, withdraw])
def test_an_outdated_proposal_is_rejected_or_withdrawn(end: Any) -> None:
    post, proposal = proposed_for()
    update(post, body="Other.", change="maintenance")

    end(proposal)

    assert seen(proposal).conflicts == ()


@requirement("proposals.withdraw")
def test_the_proposer_or_a_publisher_withdraws() -> None:
    post, proposal = proposed_for()
    with refused(ScopeRequired, ["publish"]):
        withdraw(proposal, actor=OTHER_AGENT)

    withdraw(proposal, actor=AGENT)
    other = propose(post, title="Other", change="maintenance")
    withdraw(other, actor=EDITOR)

    assert [seen(one).state for one in (proposal, other)] == ["withdrawn", "withdrawn"]


@requirement("proposals.retained")
def test_a_scheduled_post_with_a_proposal_is_archived_instead_of_deleted() -> None:
    post = publish(save(body=BODY).post, publish_at=DUE.isoformat(), now=NOW).post
    propose(post)

    remove(post)

    assert Post.objects.get().status == "archived"


@requirement("proposals.retained")
def test_an_adopted_post_with_a_proposal_is_not_adopted_again() -> None:
    post = adopt().post
    propose(post, title="Other", change="maintenance")

    with refused(AlreadyChangedInGem):
        adopt(body="Newer.")


@requirement("proposals.states")
@pytest.mark.parametrize("sent", [{"proposal": 99}, {"proposal": 1, "id": "another"}])
def test_a_proposal_that_does_not_exist_or_is_of_another_post_is_not_found(sent: dict[str, Any]) -> None:
    _, proposal = proposed_for()
    save(slug="another")

    with pytest.raises(NotFound):
        read_proposal(ProposalRef(**sent | {"proposal": proposal if "id" in sent else 99}), now=LATER)


@requirement("proposals.states", "refusals.not-found")
def test_the_id_of_a_post_sent_as_that_of_a_proposal_is_answered_with_its_proposals() -> None:
    for slug in ("one", "two", "three"):
        save(slug=slug)
    post, first = proposed_for()
    decided, last = (propose(post, title=title, change="maintenance") for title in ("Other", "Another"))
    reject(decided)

    with pytest.raises(NotFound, match=rf"Of post {post.pk} these wait for a decision: {last}, {first}\."):
        read_proposal(ProposalRef(proposal=post.pk), now=LATER)
    with pytest.raises(NotFound, match=r"No proposal has that id\. The records of a post list its proposals\."):
        read_proposal(ProposalRef(proposal=post.pk + 1), now=LATER)


@requirement("proposals.read")
def test_a_decided_proposal_keeps_what_it_was_compared_with() -> None:
    post, proposal = proposed_for()
    base = Proposal.objects.get().base_revision
    apply(proposal)
    update(post, body="Quite different.", change="substantive")

    now = seen(proposal)

    assert (now.before, now.after) == (
        base.payload,
        Revision.objects.get(pk=ProposalEvent.objects.get().revision_id).payload,
    )


@requirement("proposals.apply")
def test_images_of_the_body_keep_the_digests_that_were_approved(monkeypatch) -> None:
    digest = "a" * 64
    monkeypatch.setattr("blog_engine.services._edit.fetch_digests", lambda urls: dict.fromkeys(urls, digest))
    post, proposal = proposed_for(body=f"{BODY}\n\n![x](https://images.example/a.png)", change="maintenance")
    update(post, title="New title", change="maintenance")
    monkeypatch.setattr("blog_engine.services._edit.fetch_digests", lambda urls: {})
    expected = seen(proposal).post.current_revision_identifier

    applied = apply(proposal).post

    assert (applied.current_revision_identifier, applied.body_image_manifest[0]["sha256"]) == (expected, digest)


@requirement("proposals.rebased")
def test_edits_apply_to_a_passage_of_a_line_that_was_changed_elsewhere() -> None:
    post = save(publish=True, body="It leaves at ten from the quay.").post
    proposal = propose(post, edits=[{"old": "at ten", "new": "at nine"}], change="maintenance")
    assert Proposal.objects.get().fields["edits"] == [{"old": "at ten", "new": "at nine"}]

    update(post, edits=[{"old": "the quay", "new": "the pier"}], change="maintenance")

    assert seen(proposal).state == "open"
    assert apply(proposal).post.body == "It leaves at nine from the pier."


@requirement("proposals.rebased")
def test_a_counted_occurrence_is_that_of_the_body_it_was_counted_in() -> None:
    post = save(publish=True, body="Ten.\n\nThen.\n\nTen.").post
    proposal = propose(post, edits=[{"old": "Ten", "new": "Nine", "occurrence": 2}], change="maintenance")

    update(post, body="Ten.\n\nTen.\n\nThen.\n\nTen.", change="maintenance")

    assert seen(proposal).post.body == "Ten.\n\nTen.\n\nThen.\n\nNine."


@requirement("proposals.made")
def test_edits_that_a_later_version_finds_no_place_for_make_what_they_made(monkeypatch) -> None:
    post = save(publish=True, body="## Times\n\nAt ten.").post
    proposal = propose(post, edits=[{"after_heading": "Times", "new": "Daily."}], change="maintenance")
    monkeypatch.setattr("blog_engine.rules.proposals.edited", forget)

    assert seen(proposal).post.body == "## Times\n\nDaily.\n\nAt ten."
    assert apply(proposal).post.body == "## Times\n\nDaily.\n\nAt ten."


@requirement("proposals.conflict")
def test_edits_that_no_longer_apply_to_their_own_base_are_in_conflict(monkeypatch) -> None:
    post = save(publish=True, body="## Times\n\nAt ten.").post
    monkeypatch.setattr("blog_engine.services.proposals.record_proposal", record_as_before)
    proposal = propose(post, edits=[{"after_heading": "Times", "new": "Daily."}], change="maintenance")
    monkeypatch.setattr("blog_engine.rules.proposals.edited", forget)

    now = seen(proposal)
    assert (now.state, [one.present for one in now.conflicts]) == ("outdated", ["There is no such heading."])
    assert "Daily." in now.post.body


@requirement("proposals.rebased")
def test_edits_that_were_stored_without_their_result_are_made_again(monkeypatch) -> None:
    post = save(publish=True, body="## Times\n\nAt ten.").post
    monkeypatch.setattr("blog_engine.services.proposals.record_proposal", record_as_before)
    proposal = propose(post, edits=[{"after_heading": "Times", "new": "Daily."}], change="maintenance")

    assert "edited_body" not in Proposal.objects.get(pk=proposal).base
    assert apply(proposal).post.body == "## Times\n\nDaily.\n\nAt ten."


def forget(*arguments: Any, **more: Any) -> str:
    raise EditDoesNotApply("There is no such heading.")


def record_as_before(post: Post, *, base: dict[str, Any], **more: Any) -> Proposal:
    """Record a proposal without the body that its edits made."""
    del base["edited_body"]
    return record_proposal(post, base=base, **more)
