"""Reviews: asked for and signed; and declarations of connections."""

from datetime import datetime
from typing import Literal

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.enums import EventType, PostStatus
from blog_engine.errors import RevisionMismatch
from blog_engine.findings import WriteContext
from blog_engine.inputs.posts import ApproveRevision, DeclareConnections, PostRef, PublishPost
from blog_engine.models import Post, Revision
from blog_engine.queries.posts import read_post
from blog_engine.queries.reviews import repeats_approval
from blog_engine.services._edit import begin_edit, find_post
from blog_engine.services._history import (
    REVIEW_COLUMNS,
    record_approval,
    record_declaration,
    record_revision,
    settle_review,
)
from blog_engine.services._prepared import Prepared
from blog_engine.services._transaction import write_transaction
from blog_engine.services._versions import VERSION_COLUMNS, note_write, require_expected
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Recorded, Stored, Written, finish_write
from blog_engine.services.proposals import approve_proposal


def approve_revision(data: ApproveRevision, *, actor: Actor, now: datetime, once: bool = False) -> Written:
    """Append an approval of the revision that the reviewer saw.

    A public post is approved in its public revision, any other post in its present content, whose revision is stored
    if it is missing; otherwise an undecided proposal that makes this content is approved. Raises ``NotFound``, or
    ``RevisionMismatch`` for another revision, or post, than the expected one. With ``once``, one that equals the last
    of the same actor within ten minutes is that one, and nothing is written.
    """
    actor.require(Scope.PUBLISH)
    try:
        stored = _approve(data, actor=actor, now=now, once=once)
    except RevisionMismatch as mismatch:
        of_proposal = None if mismatch.details else approve_proposal(data, actor=actor, now=now, once=once)
        if of_proposal is None:
            raise
        return of_proposal
    return finish_write(stored, actor=actor, now=now)


def _approve(data: ApproveRevision, *, actor: Actor, now: datetime, once: bool) -> Stored:
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        revision, made = _reviewed_revision(post, data, actor=actor, now=now)
        if once and repeats_approval(revision, data, actor_name=actor.name, now=now):
            return Stored(read_post(post.pk), records=Recorded(revision=made))
        kind = record_approval(
            post, revision, name=data.name, facts_checked=data.facts_checked, actor_name=actor.name, now=now
        )
        # Any answer ends the request, also one that the facts were not checked.
        post.review_requested_by = post.review_requested_at = None
        _store_review(post, "approved", actor=actor, now=now)
        stored = Stored(
            read_post(post.pk),
            signals.approval_recorded,
            records=Recorded(revision=made, approval=kind),
            context=WriteContext(facts_unchecked=not data.facts_checked),
        )
        if post.status == PostStatus.PUBLISHED:
            note_event(EventType.UPDATED, stored.post, now=now)
        return stored


def _reviewed_revision(
    post: Post, data: ApproveRevision, *, actor: Actor, now: datetime
) -> tuple[Revision, Literal["new", "same"]]:
    mismatch = RevisionMismatch(
        hint="Read the post again, have its present content reviewed and send the revision_identifier of that."
    )
    if post.status == PostStatus.PUBLISHED and post.public_revision is not None:
        post.version += 1
        if data.revision_identifier != post.public_revision.identifier:
            raise mismatch
        return post.public_revision, "same"
    edit = begin_edit(post, PublishPost(id=data.id), Prepared(), actor=actor, now=now)
    if data.revision_identifier != post.current_revision_identifier:
        raise mismatch
    revision, made = record_revision(edit)
    return revision, made


def _store_review(post: Post, what: str, *, actor: Actor, now: datetime) -> None:
    """Store whether and why a locked post waits for a review, as its next version."""
    note_write(post, [what], actor_name=actor.name, now=now)
    settle_review(post)
    post.store(update_fields=[*VERSION_COLUMNS, "unrecorded_actor", "unrecorded_made_by_ai", *REVIEW_COLUMNS])


def request_review(data: PostRef, *, actor: Actor, now: datetime) -> Written:
    """Ask for a review of a post; a later request replaces the name and time of the first (desk.review-requests).

    A post that is archived, or whose present content is approved, is not asked for. Raises ``ScopeRequired``
    (``write``) or ``NotFound``.
    """
    actor.require(Scope.WRITE)
    return _set_request(data, by=actor.name, at=now, actor=actor, now=now)


def cancel_review_request(data: PostRef, *, actor: Actor, now: datetime) -> Written:
    """Take back a request for a review. Raises what ``request_review`` raises."""
    actor.require(Scope.WRITE)
    return _set_request(data, by=None, at=None, actor=actor, now=now)


def _set_request(data: PostRef, *, by: str | None, at: datetime | None, actor: Actor, now: datetime) -> Written:
    with write_transaction():
        post = find_post(data.id, lock=True)
        post.review_requested_by, post.review_requested_at = by, at
        post.version += 1
        _store_review(post, "review asked for" if by else "no review asked for", actor=actor, now=now)
        stored = Stored(read_post(post.pk), signals.post_updated)
    return finish_write(stored, actor=actor, now=now)


def declare_connections(data: DeclareConnections, *, actor: Actor, now: datetime) -> Written:
    """Append a complete declaration, which changes neither revisions nor dates.

    Raises ``NotFound``, or ``RevisionMismatch`` for another post than the expected one.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        record_declaration(post, data, actor_name=actor.name, now=now)
        post.version += 1
        note_write(post, ["connections declared"], actor_name=actor.name, now=now)
        post.store(update_fields=VERSION_COLUMNS)
        stored = Stored(read_post(post.pk), signals.post_updated)
        if post.status == PostStatus.PUBLISHED:
            note_event(EventType.UPDATED, stored.post, now=now)
    return finish_write(stored, actor=actor, now=now)
