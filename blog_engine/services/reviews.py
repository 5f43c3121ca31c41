"""Approvals of a revision and declarations of connections."""

from datetime import datetime
from typing import Literal

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.enums import PostStatus
from blog_engine.errors import RevisionMismatch
from blog_engine.inputs.posts import ApproveRevision, DeclareConnections, PublishPost
from blog_engine.models import Post, Revision
from blog_engine.queries.findings import WriteContext
from blog_engine.queries.posts import read_post
from blog_engine.services._edit import begin_edit, lock_post
from blog_engine.services._history import record_approval, record_revision
from blog_engine.services._store import conclude, record_declaration
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Recorded, Stored, Written


def approve_revision(data: ApproveRevision, *, actor: Actor, now: datetime) -> Written:
    """Append an approval of the revision the reviewer saw (records.md 8, decisions.md 9.5).

    A public post is approved in its public revision, any other in its present content, whose revision
    is stored if missing. Raises ``RevisionMismatch`` when the caller names another one.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = lock_post(data.id)
        revision, made = _reviewed_revision(post, data, actor=actor, now=now)
        kind = record_approval(
            post, revision, name=data.name, facts_checked=data.facts_checked, actor_name=actor.name, now=now
        )
        stored = Stored(
            read_post(post.pk),
            signals.approval_recorded,
            records=Recorded(revision=made, approval=kind),
            context=WriteContext(facts_unchecked=not data.facts_checked),
        )
    return conclude(stored, actor=actor, now=now)


def _reviewed_revision(
    post: Post, data: ApproveRevision, *, actor: Actor, now: datetime
) -> tuple[Revision, Literal["new", "same"]]:
    mismatch = RevisionMismatch(
        hint="Read the post again, have its present content reviewed and send the revision_identifier of that."
    )
    if post.status == PostStatus.PUBLISHED and post.public_revision is not None:
        if data.revision_identifier != post.public_revision.identifier:
            raise mismatch
        return post.public_revision, "same"
    edit = begin_edit(post, PublishPost(id=data.id), actor=actor, now=now)
    if data.revision_identifier != post.current_revision_identifier:
        raise mismatch
    revision, made = record_revision(edit)
    post.store(update_fields=["unrecorded_actor", "unrecorded_made_by_ai"])
    return revision, made


def declare_connections(data: DeclareConnections, *, actor: Actor, now: datetime) -> Written:
    """Append a complete declaration; it touches neither revision nor dates (records.md 8). Raises ``NotFound``."""
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = lock_post(data.id)
        record_declaration(post, data, actor_name=actor.name, now=now)
        stored = Stored(read_post(post.pk), signals.post_updated)
    return conclude(stored, actor=actor, now=now)
