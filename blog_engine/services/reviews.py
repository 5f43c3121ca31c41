"""Reviews that are signed, and declarations of connections."""

from datetime import datetime
from typing import Literal, TypedDict

from blog_engine import signals
from blog_engine.actor import Actor, Call, Scope
from blog_engine.enums import EventType, PostStatus
from blog_engine.errors import RevisionMismatch, RevisionNotNamed
from blog_engine.findings import WriteContext
from blog_engine.inputs.posts import ApproveRevision, DeclareConnections, PublishPost
from blog_engine.models import Post, Revision
from blog_engine.queries.posts import read_post
from blog_engine.queries.reviews import is_signed_since
from blog_engine.queries.versions import is_named
from blog_engine.rules.chain import digest_of_record
from blog_engine.rules.review_place import ReviewPlace
from blog_engine.services._conversation import store_review
from blog_engine.services._edit import begin_edit, find_post
from blog_engine.services._history import (
    end_review,
    record_approval,
    record_declaration,
    record_revision,
    sent_approval,
)
from blog_engine.services._prepared import Prepared
from blog_engine.services._repeats import REPEATED_WITHIN, repeats_approval, repeats_declaration
from blog_engine.services._reviewer import admitted_review, reviewed_by
from blog_engine.services._transaction import write_transaction
from blog_engine.services._versions import VERSION_COLUMNS, note_write, require_expected
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Recorded, Stored, Written, finish_write
from blog_engine.services.passkeys import SignedAnswer
from blog_engine.services.proposals import approve_proposal


class _How(TypedDict):
    """The way in which an approval is given: the same one since a time is not repeated, and a passkey may sign it."""

    once_since: datetime | None
    signed: SignedAnswer | None


def approve_revision(data: ApproveRevision, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Append an approval of the revision that the reviewer saw.

    A public post is approved in its public revision, any other post in its present content, whose revision is stored
    if it is missing; otherwise an undecided proposal that makes this content is approved. Raises ``NotFound``,
    ``RevisionMismatch`` for another revision, or post, than the expected one, or ``ApprovalIncomplete`` for an actor
    who does not approve here.
    """
    return _approve_wherever(data, actor=actor, now=now, base_url=base_url)


def sign_revision(data: ApproveRevision, *, actor: Actor, now: datetime, signed: SignedAnswer | None = None) -> Written:
    """Do what ``approve_revision`` does, unless the actor did it within ten minutes (desk.signature.once).

    The same name and answer under the same revision is the signature that there is: nothing is written. ``signed`` is
    the answer of a passkey to the challenge that ``approval_digest`` made; an approval without one does not count as
    the same.
    """
    return _approve_wherever(data, actor=actor, now=now, once_since=now - REPEATED_WITHIN, signed=signed)


def approval_digest(post_id: int, data: ApproveRevision, *, actor: Actor, at: datetime) -> str:
    """Return the hash of the record that an approval gets if it is stored with this time: the challenge to sign.

    ``at`` is in whole milliseconds. Whether the post has this revision is looked at when it is stored. Raises
    ``ApprovalIncomplete``.
    """
    post, revision = Post(pk=post_id), Revision(identifier=data.revision_identifier or "")
    review = reviewed_by(data, actor=actor, place=ReviewPlace(post))
    return digest_of_record(sent_approval(post, revision, review, at=at))


def _approve_wherever(
    data: ApproveRevision,
    *,
    actor: Actor,
    now: datetime,
    base_url: str = "",
    once_since: datetime | None = None,
    signed: SignedAnswer | None = None,
) -> Written:
    actor.require(Scope.PUBLISH)
    call, how = Call(actor, now, base_url), _How(once_since=once_since, signed=signed)
    try:
        stored = _approve(data, call=call, **how)
    except RevisionMismatch as mismatch:
        may_be_proposed = not mismatch.details and not isinstance(mismatch, RevisionNotNamed)
        of_proposal = approve_proposal(data, call=call, **how) if may_be_proposed else None
        if of_proposal is None:
            raise
        return of_proposal
    return finish_write(stored, actor=actor, now=now)


def _approve(data: ApproveRevision, *, call: Call, once_since: datetime | None, signed: SignedAnswer | None) -> Stored:
    actor, now = call.actor, call.now
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        revision, made = _reviewed_revision(post, data, actor=actor, now=now)
        review = admitted_review(data, actor=actor, place=ReviewPlace(post, base_url=call.base_url), signed=signed)
        if once_since is not None and is_signed_since(revision, review, since=once_since):
            return Stored(read_post(post.pk))
        repeated = ("approval",) if made == "same" and repeats_approval(revision, review, now=now) else ()
        kind = record_approval(post, revision, review, now=now)
        # Any answer ends the request, also one that the facts were not checked.
        end_review(post)
        store_review(post, "approved", actor=actor, now=now)
        stored = Stored(
            read_post(post.pk),
            signals.approval_recorded,
            records=Recorded(revision=made, approval=kind),
            context=WriteContext(facts_unchecked=not data.facts_checked, repeated=repeated),
        )
        if post.status == PostStatus.PUBLISHED:
            note_event(EventType.UPDATED, stored.post, now=now)
        return stored


def _reviewed_revision(
    post: Post, data: ApproveRevision, *, actor: Actor, now: datetime
) -> tuple[Revision, Literal["new", "same"]]:
    shown = post.public_revision if post.status == PostStatus.PUBLISHED else None
    present = post.current_revision_identifier if shown is None else shown.identifier
    if not (sent := (data.revision_identifier or "").strip()):
        raise RevisionNotNamed(hint=_which_revision(post, present))
    mismatch = RevisionMismatch(hint=f"Read the post again. {_which_revision(post, present)}")
    if shown is not None:
        post.version += 1
        if not is_named(sent, present, post=post):
            raise mismatch
        return shown, "same"
    edit = begin_edit(post, PublishPost(id=data.id), Prepared(), actor=actor, now=now)
    if not is_named(sent, post.current_revision_identifier, post=post):
        raise mismatch
    revision, made = record_revision(edit)
    return revision, made


def _which_revision(post: Post, present: str) -> str:
    whose = "public" if post.status == PostStatus.PUBLISHED else "present"
    return (
        f"Send the revision_identifier of what the person reviewed; the {whose} content has {present}. "
        "If that was not reviewed, ask a person to review it first."
    )


def declare_connections(data: DeclareConnections, *, actor: Actor, now: datetime) -> Written:
    """Append a complete declaration, which changes neither revisions nor dates.

    Raises ``NotFound``, or ``RevisionMismatch`` for another post than the expected one.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        declared = record_declaration(post, data, actor=actor.recorded, now=now)
        repeated = ("connections",) if repeats_declaration(declared) else ()
        post.version += 1
        note_write(post, ["connections declared"], actor=actor.recorded, now=now)
        post.store(update_fields=VERSION_COLUMNS)
        stored = Stored(read_post(post.pk), signals.post_updated, context=WriteContext(repeated=repeated))
        if post.status == PostStatus.PUBLISHED:
            note_event(EventType.UPDATED, stored.post, now=now)
    return finish_write(stored, actor=actor, now=now)
