"""Approvals and declarations of their own."""

from datetime import date

import pytest

from blog_engine.enums import ApprovalKind
from blog_engine.errors import RevisionMismatch
from blog_engine.models import Approval, ConnectionDeclaration, Revision
from blog_engine.services import Recorded
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, approve, declare, save, unpublish, update
from tests.support.tables import refused

pytestmark = pytest.mark.django_db


@requirement("approvals.drafts", "approvals.fields")
def test_an_approval_of_a_draft_stores_its_revision() -> None:
    post = save().post

    first, second = approve(post), approve(post)

    assert first.records == Recorded(revision="new", approval=ApprovalKind.SENT)
    assert second.records == Recorded(revision="same", approval=ApprovalKind.SENT)
    approval = Approval.objects.first()
    assert (approval.reviewer_name, approval.facts_checked, approval.recorded_by) == (
        "Rosa Reviewer",
        True,
        EDITOR.name,
    )
    assert (approval.approved_at, Revision.objects.get().identifier) == (NOW, post.current_revision_identifier)


@requirement("approvals.binds")
def test_an_approval_of_a_public_post_is_of_its_public_revision() -> None:
    post = save(publish=True).post

    assert approve(post).records == Recorded(revision="same", approval=ApprovalKind.SENT)
    assert approve(post).post.is_approved


@requirement("approvals.mismatch")
@pytest.mark.parametrize("identifier", ["0" * 64, "nonsense", " "])
def test_another_identifier_is_a_mismatch(identifier: str) -> None:
    post = save().post

    with refused(RevisionMismatch, []):
        approve(post, identifier=identifier)


@requirement("approvals.mismatch", "approvals.binds")
def test_an_identifier_from_before_an_edit_is_a_mismatch() -> None:
    post = save(body="One.").post
    update(post, body="Two.")

    with refused(RevisionMismatch):
        approve(post)


@requirement("approvals.drafts")
def test_a_withdrawn_post_is_approved_in_its_present_content() -> None:
    post = save(publish=True, body="One.").post
    unpublish(post)
    edited = update(post, body="Two.").post

    with refused(RevisionMismatch):
        approve(post)
    assert approve(edited).records == Recorded(revision="new", approval=ApprovalKind.SENT)


@requirement("history.connections.complete")
def test_a_declaration_is_appended_and_touches_nothing_else() -> None:
    post = save(publish=True).post
    sent = [{"party": "Seed Ltd", "relation": "sponsor"}]

    written = declare(post, connections=sent, third_party_paid=True)
    declare(post, declared_on="2026-01-31")

    assert written.records == Recorded()
    assert (written.post.modified_at, written.post.updated_at) == (post.modified_at, post.updated_at)
    first, second = ConnectionDeclaration.objects.all()
    assert (first.connections, first.third_party_paid, first.declared_on) == (sent, True, NOW.date())
    assert (second.connections, second.declared_on) == ([], date(2026, 1, 31))


@requirement("history.connections.write")
def test_a_declaration_can_come_with_a_write() -> None:
    written = save(connections={"connections": [], "third_party_paid": False, "declared_by": "Ines"})

    assert "connections_not_declared" not in [finding.code for finding in written.findings]
    assert ConnectionDeclaration.objects.get().recorded_by == EDITOR.name
