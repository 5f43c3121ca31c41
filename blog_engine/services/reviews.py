"""Reviews that are signed, and declarations of connections."""

from datetime import datetime, timedelta
from typing import Final, Literal

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.enums import EventType, PostStatus
from blog_engine.errors import RevisionMismatch
from blog_engine.findings import WriteContext
from blog_engine.inputs.posts import ApproveRevision, DeclareConnections, PublishPost
from blog_engine.models import Post, Revision
from blog_engine.queries.posts import read_post
from blog_engine.queries.reviews import is_signed_since
from blog_engine.services._conversation import store_review
from blog_engine.services._edit import begin_edit, find_post
from blog_engine.services._history import end_review, record_approval, record_declaration, record_revision
from blog_engine.services._prepared import Prepared
from blog_engine.services._transaction import write_transaction
from blog_engine.services._versions import VERSION_COLUMNS, note_write, require_expected
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Recorded, Stored, Written, finish_write
from blog_engine.services.proposals import approve_proposal

_SAME_SIGNATURE: Final = timedelta(minutes=10)
"""How long a signature of a person stands for one that is sent again."""


def approve_revision(data: ApproveRevision, *, actor: Actor, now: datetime) -> Written:
    """Append an approval of the revision that the reviewer saw.

    A public post is approved in its public revision, any other post in its present content, whose revision is stored
    if it is missing; otherwise an undecided proposal that makes this content is approved. Raises ``NotFound``, or
    ``RevisionMismatch`` for another revision, or post, than the expected one.
    """
    return _approve_wherever(data, actor=actor, now=now)


def sign_revision(data: ApproveRevision, *, actor: Actor, now: datetime) -> Written:
    """Do what ``approve_revision`` does, unless the actor did it within ten minutes (desk.signature.once).

    The same name and answer under the same revision is the signature that there is: nothing is written.
    """
    return _approve_wherever(data, actor=actor, now=now, once_since=now - _SAME_SIGNATURE)


def _approve_wherever(
    data: ApproveRevision, *, actor: Actor, now: datetime, once_since: datetime | None = None
) -> Written:
    actor.require(Scope.PUBLISH)
    try:
        stored = _approve(data, actor=actor, now=now, once_since=once_since)
    except RevisionMismatch as mismatch:
        of_proposal = None if mismatch.details else approve_proposal(data, actor=actor, now=now, once_since=once_since)
        if of_proposal is None:
            raise
        return of_proposal
    return finish_write(stored, actor=actor, now=now)


def _approve(data: ApproveRevision, *, actor: Actor, now: datetime, once_since: datetime | None) -> Stored:
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        revision, made = _reviewed_revision(post, data, actor=actor, now=now)
        if once_since is not None and is_signed_since(revision, data, actor_name=actor.name, since=once_since):
            return Stored(read_post(post.pk))
        kind = record_approval(
            post, revision, name=data.name, facts_checked=data.facts_checked, actor=actor.recorded, now=now
        )
        # Any answer ends the request, also one that the facts were not checked.
        end_review(post)
        store_review(post, "approved", actor=actor, now=now)
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


def declare_connections(data: DeclareConnections, *, actor: Actor, now: datetime) -> Written:
    """Append a complete declaration, which changes neither revisions nor dates.

    Raises ``NotFound``, or ``RevisionMismatch`` for another post than the expected one.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        record_declaration(post, data, actor=actor.recorded, now=now)
        post.version += 1
        note_write(post, ["connections declared"], actor=actor.recorded, now=now)
        post.store(update_fields=VERSION_COLUMNS)
        stored = Stored(read_post(post.pk), signals.post_updated)
        if post.status == PostStatus.PUBLISHED:
            note_event(EventType.UPDATED, stored.post, now=now)
    return finish_write(stored, actor=actor, now=now)
