"""Approvals, the host's hook and the scopes on the way to readers."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.content.faq import FaqPair
from blog_engine.enums import ApprovalKind, EntryType
from blog_engine.errors import (
    ApprovalRequired,
    ChangeTypeRequired,
    RefusedByHost,
    RevisionMismatch,
    ScopeRequired,
    ValidationFailed,
)
from blog_engine.models import Approval, Post
from blog_engine.services import Recorded
from tests.requirements import requirement
from tests.support.factories import (
    AGENT,
    EDITOR,
    LATER,
    NOW,
    approve,
    declare,
    publish,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

TOMORROW = (NOW + timedelta(days=1)).isoformat()
CHECKED = {"name": "Rosa Reviewer", "facts_checked": True}
GLANCED = {"name": "Rosa Reviewer", "facts_checked": False}
PUBLISHER_ONLY = Actor("Publisher", scopes=["publish"])


@pytest.fixture
def approval_required(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)


@pytest.fixture
def hook(settings: Any) -> list[Any]:
    """What the hook was called with; ``hook.answer`` and ``hook.edit`` steer it."""

    class Hook(list[Any]):
        answer: Any = None

        @staticmethod
        def edit(post: Post) -> None:
            """Change nothing."""

        def __call__(self, post: Post, context: Any) -> Any:
            self.append((post, context))
            self.edit(post)
            return self.answer

    made = Hook()
    settings.BLOG_ENGINE = blog_settings(before_publish=made)
    return made


@requirement("approvals.required")
def test_release_needs_a_checked_approval_of_exactly_this_content(approval_required) -> None:
    post = save(body="Reviewed.").post
    with refused(ApprovalRequired, []):
        publish(post)
    approve(post, facts_checked=False)
    with refused(ApprovalRequired, []):
        publish(post)
    approve(post)
    update(post, body="Changed after the review.")
    with refused(ApprovalRequired, []):
        publish(post)
    update(post, body="Reviewed.")

    assert publish(post).records == Recorded(revision="same", publication=EntryType.FIRST)


@requirement("approvals.required.inline")
def test_an_inline_approval_opens_the_gate(approval_required) -> None:
    with refused(ApprovalRequired, []):
        save(publish=True, approval=GLANCED)

    written = save(publish=True, approval=CHECKED)

    assert written.records == Recorded(revision="new", publication=EntryType.FIRST, approval=ApprovalKind.SENT)


@requirement("approvals.required.human")
def test_what_a_person_wrote_needs_no_approval(approval_required) -> None:
    assert save(publish=True, provenance="human_written").post.status == "published"


@requirement("approvals.required.metadata")
def test_metadata_of_a_public_post_needs_its_approval_too(approval_required) -> None:
    post = save(publish=True, provenance="human_written").post

    with refused(ApprovalRequired):
        update(post, provenance="ai_assisted")


@requirement("posts.gates.when")
def test_scheduling_and_every_write_to_a_schedule_meet_the_gate(approval_required) -> None:
    post = save().post
    with refused(ApprovalRequired):
        publish(post, publish_at=TOMORROW)
    approve(post)
    publish(post, publish_at=TOMORROW, now=NOW)

    with refused(ApprovalRequired):
        update(post, body="Not reviewed.")
    cancelled = update(post, body="Not reviewed.", publish_at=None)

    assert cancelled.post.status == "draft"


@requirement("approvals.binds", "approvals.mismatch")
def test_an_inline_approval_is_bound_to_what_this_write_makes() -> None:
    post = save(body="One.").post
    old = post.current_revision_identifier

    with refused(RevisionMismatch, []):
        update(post, body="Two.", approval=CHECKED | {"revision_identifier": old})
    written = update(post, body="Two.", approval=CHECKED)

    assert written.records == Recorded(revision="new", approval=ApprovalKind.SENT)
    assert Approval.objects.get().revision.identifier == written.post.current_revision_identifier != old


@requirement("approvals.unchecked")
def test_an_approval_that_did_not_check_facts_is_kept_truthfully() -> None:
    written = save(approval=GLANCED)

    assert Approval.objects.get().facts_checked is False
    assert "approval_incomplete" in [finding.code for finding in written.findings]


@requirement("posts.gates.hook", "posts.gates.when")
def test_the_hook_is_asked_for_every_write_on_the_way_to_readers(hook) -> None:
    post = save().post
    assert hook == []

    publish(post, publish_at=TOMORROW, now=NOW, tags=["x"])
    update(post, author="Mina Holt")
    publish(post)
    update(post, author={"name": "Mina Holt"}, cover_image=None)
    unpublish(post)

    assert len(hook) == 4
    assert hook[0][1] == {
        "actor": EDITOR,
        "now": NOW,
        "attributes": {"publish_at": "2026-11-22T12:00:00.711000Z", "tags": ["x"]},
    }
    assert hook[1][1]["attributes"] == {"author": "Mina Holt"}
    assert hook[3][1]["attributes"] == {"author": {"name": "Mina Holt"}, "cover_image": None}


@requirement("posts.gates.refused")
@pytest.mark.parametrize(
    ("answer", "details"),
    [
        (["Too short.", "No image."], ["Too short.", "No image."]),
        ("Too short.", ["Too short."]),
        ((text for text in ["Too short."]), ["Too short."]),
        (True, ["True"]),
        (False, ["False"]),
    ],
)
def test_the_hook_can_refuse(hook, answer: object, details: list[str]) -> None:
    hook.answer = answer

    with refused(RefusedByHost, details):
        save(publish=True)


@requirement("posts.gates.allowed")
@pytest.mark.parametrize("answer", [None, [], (), ""])
def test_the_hook_allows_with_nothing(hook, answer: object) -> None:
    hook.answer = answer

    assert save(publish=True).post.status == "published"


@requirement("posts.gates.edits")
def test_the_hook_may_change_the_content(hook) -> None:
    def edit(post: Post) -> None:
        post.title = "Edited by the host"
        post.faq = [FaqPair(question="Added?", answer="Yes.")]

    hook.edit = edit

    written = save(publish=True)

    assert (written.post.title, written.post.faqs.get().question) == ("Edited by the host", "Added?")
    assert written.post.public_revision.identifier == written.post.current_revision_identifier


@requirement("posts.gates.rechecked")
def test_an_approval_does_not_cover_what_the_hook_changed(hook) -> None:
    post = save().post

    def edit(post: Post) -> None:
        post.body = "Something else."

    hook.edit = edit

    with refused(RevisionMismatch):
        publish(post, approval=CHECKED | {"revision_identifier": post.current_revision_identifier})


@requirement("posts.gates.change")
def test_a_change_by_the_hook_needs_its_kind_too(hook) -> None:
    post = save(publish=True).post

    def edit(post: Post) -> None:
        post.body = "Something else."

    hook.edit = edit

    with refused(ChangeTypeRequired):
        update(post, tags=["x"])


@requirement("posts.gates.images")
def test_the_hook_may_not_change_the_images_of_the_body(hook) -> None:
    def edit(post: Post) -> None:
        post.body = "![x](https://img.example/x.png)"

    hook.edit = edit

    with refused(ValidationFailed, ["body"]):
        save(publish=True, body="Text")


def stored(slug: str) -> Post:
    return Post.objects.get(slug=slug)


WRITES = {
    "save a new post": (lambda: save(actor=PUBLISHER_ONLY), "write"),
    "save with an approval": (lambda: save(actor=AGENT, approval=CHECKED), "publish"),
    "save a scheduled post": (lambda: save(actor=AGENT, slug="scheduled"), "publish"),
    "publish a new post": (lambda: save(actor=AGENT, publish=True), "publish"),
    "update a draft": (lambda: update(stored("draft"), actor=PUBLISHER_ONLY, title="x"), "write"),
    "update with an approval": (lambda: update(stored("draft"), actor=AGENT, approval=CHECKED), "publish"),
    "update an archived post": (lambda: update(stored("archived"), actor=PUBLISHER_ONLY, title="x"), "write"),
    "update a scheduled post": (lambda: update(stored("scheduled"), actor=AGENT, title="x"), "publish"),
    "update a public post": (lambda: update(stored("public"), actor=AGENT, title="x"), "publish"),
    "publish a draft": (lambda: publish(stored("draft"), actor=AGENT), "publish"),
    "unpublish": (lambda: unpublish(stored("draft"), actor=AGENT), "publish"),
    "remove": (lambda: remove(stored("draft"), actor=AGENT), "publish"),
    "approve": (lambda: approve(stored("draft"), actor=AGENT), "publish"),
    "declare": (lambda: declare(stored("draft"), actor=AGENT), "publish"),
}


@requirement(
    "access.scopes.create",
    "access.scopes.edit",
    "access.scopes.publish",
    "access.scopes.approval",
    "access.scopes.archived",
)
@pytest.mark.parametrize("write", list(WRITES))
def test_a_write_needs_the_scope_of_the_state_it_meets(write: str) -> None:
    save(slug="draft")
    publish(save(slug="scheduled").post, publish_at=TOMORROW, now=NOW)
    save(slug="public", publish=True)
    remove(save(slug="archived", publish=True).post)
    call, scope = WRITES[write]

    with refused(ScopeRequired, [scope]):
        call()


@requirement("access.scopes.archived")
def test_an_agent_may_edit_drafts_and_archived_posts() -> None:
    draft = save(actor=AGENT).post
    archived = remove(save(publish=True, slug="archived").post, now=LATER).post

    assert update(draft, actor=AGENT, title="x").post.title == "x"
    assert update(archived, actor=AGENT, title="x").post.title == "x"
