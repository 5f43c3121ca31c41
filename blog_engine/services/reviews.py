"""Approvals of a revision and declarations of connections."""

from datetime import datetime
from typing import Literal

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.enums import PostStatus
from blog_engine.errors import RevisionMismatch
from blog_engine.findings import WriteContext
from blog_engine.inputs.posts import ApproveRevision, DeclareConnections, PublishPost
from blog_engine.models import Post, Revision
from blog_engine.queries.posts import read_post
from blog_engine.services._edit import begin_edit, find_post
from blog_engine.services._history import record_approval, record_declaration, record_revision
from blog_engine.services._prepared import Prepared
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Recorded, Stored, Written, conclude


def approve_revision(data: ApproveRevision, *, actor: Actor, now: datetime) -> Written:
    """Append an approval of the revision that the reviewer saw.

    A public post is approved in its public revision, any other post in its present content, whose revision is stored
    if it is missing. Raises ``NotFound``, or ``RevisionMismatch`` when the caller names another revision.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = find_post(data.id, lock=True)
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
    edit = begin_edit(post, PublishPost(id=data.id), Prepared(), actor=actor, now=now)
    if data.revision_identifier != post.current_revision_identifier:
        raise mismatch
    revision, made = record_revision(edit)
    post.store(update_fields=["unrecorded_actor", "unrecorded_made_by_ai"])
    return revision, made


def declare_connections(data: DeclareConnections, *, actor: Actor, now: datetime) -> Written:
    """Append a complete declaration, which changes neither revisions nor dates. Raises ``NotFound``."""
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = find_post(data.id, lock=True)
        record_declaration(post, data, actor_name=actor.name, now=now)
        stored = Stored(read_post(post.pk), signals.post_updated)
    return conclude(stored, actor=actor, now=now)
