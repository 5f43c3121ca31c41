"""Writing the history: the only module that makes revisions, publications, approvals and other records."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal

from django.db.models import Q, QuerySet
from django.utils.timezone import localdate

from blog_engine.actor import RecordedActor
from blog_engine.conf import get_settings
from blog_engine.enums import ApprovalKind, Change, EntryType, PostStatus, ProposalEventKind
from blog_engine.inputs.posts import ConnectionsInput, DeclareConnections
from blog_engine.models import (
    Approval,
    ApprovalKey,
    ApprovalSignature,
    Baseline,
    ConnectionDeclaration,
    Passkey,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    StatusChange,
)
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter
from blog_engine.queries.feeds import free_feed_id
from blog_engine.queries.passkeys import key_in_chain
from blog_engine.queries.proposals import is_only_proposed
from blog_engine.rules.approvals import checked_facts, lacks_approval
from blog_engine.rules.chain import digest_of_record
from blog_engine.rules.dates import dates_of
from blog_engine.rules.label import review_reason
from blog_engine.rules.writers import writer_of
from blog_engine.services._edit import Edit
from blog_engine.services._repeats import repeats_correction
from blog_engine.services._reviewer import Review, require_other_writer
from blog_engine.services._transaction import store_record
from blog_engine.services.outcome import Recorded
from blog_engine.services.passkeys import passkey_that_signed

_REPUBLISHED = "republished"
"""The description of a release of unchanged content that was public before (``history.republish``)."""


def remember_authorship(edit: Edit) -> None:
    """Note on the post who changed its content last and whether AI made it (``history.authorship``).

    A write of the same unrecorded content does not lower ``made_by_ai`` from true. A release without an actor, whose
    hook may change content, leaves the actor as it is.
    """
    post = edit.post
    changed = edit.stored.get("current_revision_identifier") != post.current_revision_identifier
    if not changed and not edit.sent("made_by_ai"):
        return
    if _stored_revision(edit) is not None:
        _forget_authorship(post)
        return
    if changed and edit.actor is not None:
        set_writer(post, edit.recorded_actor)
    if edit.sent("made_by_ai") and not post.unrecorded_made_by_ai:
        post.unrecorded_made_by_ai = edit.data.made_by_ai


AUTHORSHIP_COLUMNS: Final = ("unrecorded_actor", "unrecorded_by", "unrecorded_made_by_ai")
"""The columns that say who made content that no revision records."""


def set_writer(post: Post, writer: RecordedActor) -> None:
    """Note who made the present content of a post, until a revision records it."""
    post.unrecorded_actor = writer.name
    post.unrecorded_by = {"revision": post.current_revision_identifier, "kind": writer.kind, "id": writer.id}


def record_revision(edit: Edit) -> tuple[Revision, Literal["new", "same"]]:
    """Return the revision of the edit's content: the stored row of that identifier, or a new one.

    The post remembers who made its content until then; the caller stores that it no longer does.
    """
    post = edit.post
    revision = _stored_revision(edit)
    made: Literal["new", "same"] = "same"
    if revision is None:
        revision, made = _new_revision(edit), "new"
    _forget_authorship(post)
    return revision, made


def _stored_revision(edit: Edit) -> Revision | None:
    """Return the stored revision of the edit's content; looks it up once."""
    identifier = edit.post.current_revision_identifier
    if not edit.is_new and identifier not in edit.revisions:
        edit.revisions[identifier] = _REVISIONS.first(post=edit.post.pk, identifier=identifier, is_proposed=False)
    return edit.revisions.get(identifier)


_REVISIONS: Final[CompiledModels[Revision]] = CompiledModels(
    lambda: Revision.objects.filter(
        post=Parameter("post"), identifier=Parameter("identifier"), is_proposed=Parameter("is_proposed")
    ).order_by()
)


def _new_revision(edit: Edit) -> Revision:
    post = edit.post
    revision = Revision(
        post=post,
        identifier=post.current_revision_identifier,
        payload=edit.payload,
        made_by_ai=post.unrecorded_made_by_ai,
        created_at=edit.now,
        **writer_of(post).columns(),
    )
    store_record(revision)
    edit.revisions[revision.identifier] = revision
    return revision


def record_proposed_revision(
    post: Post,
    *,
    identifier: str,
    payload: str,
    actor: RecordedActor,
    made_by_ai: bool | None,
    now: datetime,
) -> Revision:
    """Return the revision of proposed content: one that the post has, or one of the proposer.

    The latter is a row beside those of the post: it says nothing of who wrote the same content of the post
    (``proposals.authorship``).
    """
    wanted = {"post": post.pk, "identifier": identifier}
    revision = _REVISIONS.first(**wanted, is_proposed=False) or _REVISIONS.first(**wanted, is_proposed=True)
    if revision is None:
        revision = Revision(
            post=post,
            identifier=identifier,
            payload=payload,
            made_by_ai=made_by_ai,
            is_proposed=True,
            created_at=now,
            **actor.columns(),
        )
        store_record(revision)
    return revision


def record_proposal(
    post: Post,
    *,
    base_revision: Revision,
    revision: Revision,
    fields: dict[str, Any],
    base: dict[str, Any],
    actor: RecordedActor,
    now: datetime,
) -> Proposal:
    """Record a proposal for a locked post, whose version it was made for."""
    proposal = Proposal(
        post=post,
        base_revision=base_revision,
        base_version=post.version,
        revision=revision,
        fields=fields,
        base=base,
        made_by_ai=fields.get("made_by_ai"),
        created_at=now,
        **actor.columns(),
    )
    store_record(proposal)
    return proposal


def record_proposal_event(
    proposal: Proposal,
    kind: ProposalEventKind,
    revision: Revision,
    *,
    actor: RecordedActor,
    now: datetime,
    publish_at: datetime | None = None,
    reason: str | None = None,
    publication: Publication | None = None,
) -> ProposalEvent:
    """Record what happened to a proposal; ``revision`` is the content that it makes of the post."""
    event = ProposalEvent(
        post_id=proposal.post_id,
        proposal=proposal,
        kind=kind.value,
        revision=revision,
        publish_at=publish_at,
        reason=reason,
        publication=publication,
        occurred_at=now,
        created_at=now,
        **actor.columns(),
    )
    store_record(event)
    return event


def _forget_authorship(post: Post) -> None:
    post.unrecorded_actor = post.unrecorded_by = post.unrecorded_made_by_ai = None


def record_release(edit: Edit) -> Recorded:
    """Record that the content is public now, and set what follows from it on the post."""
    revision, made = record_revision(edit)
    entry = _entry_type(edit)
    if entry is not None:
        _record_publication(edit, revision, entry, description=edit.data.change_description or _republished(edit))
    _make_public(edit, revision)
    return Recorded(revision=made, publication=entry)


def record_adopted(edit: Edit, revision: Revision) -> EntryType:
    """Record that an adopted revision is public; store its baseline first, because the dates follow from it."""
    _record_publication(edit, revision, EntryType.ADOPTED)
    _make_public(edit, revision)
    return EntryType.ADOPTED


def record_approval(post: Post, revision: Revision, review: Review, *, now: datetime) -> ApprovalKind:
    """Record a review that was sent with a call, and the signature that a passkey made of it.

    Raises ``ApprovalIncomplete`` (approvals.distinct), also for a signature that is none of exactly this approval.
    """
    require_other_writer(revision, review.actor)
    signed = review.signed
    approval = sent_approval(post, revision, review, at=now if signed is None else signed.at)
    if signed is None:
        store_record(approval)
        return ApprovalKind.SENT
    digest, actor = digest_of_record(approval), review.actor
    passkey = passkey_that_signed(signed, digest=digest, post_id=post.pk, person=actor.id or "", now=now)
    key = key_in_chain(post.pk, passkey.credential_id) or _record_key(post, passkey, actor=actor, at=signed.at)
    store_record(approval)
    store_record(
        ApprovalSignature(
            post=post,
            approval=approval,
            key=key,
            client_data=signed.client_data,
            authenticator_data=signed.authenticator_data,
            signature=signed.signature,
            created_at=now,
            **actor.ids,
        )
    )
    return ApprovalKind.SENT


def sent_approval(post: Post, revision: Revision, review: Review, *, at: datetime) -> Approval:
    """Return the row of a review that is sent with a call; only ``record_approval`` stores one."""
    return Approval(
        post=post,
        revision=revision,
        kind=ApprovalKind.SENT.value,
        reviewer_name=review.name,
        facts_checked=review.facts_checked,
        approved_at=at,
        created_at=at,
        **review.actor.columns("recorded_by"),
    )


def _record_key(post: Post, passkey: Passkey, *, actor: RecordedActor, at: datetime) -> ApprovalKey:
    key = ApprovalKey(
        post=post,
        credential_id=passkey.credential_id,
        x=passkey.x,
        y=passkey.y,
        registered_at=passkey.created_at,
        # As the approval that is signed with it: both can be chained again, in the order of these times.
        created_at=at,
        **actor.ids,
    )
    store_record(key)
    return key


def _record_publication(edit: Edit, revision: Revision, entry: EntryType, *, description: str | None = None) -> None:
    publication = Publication(
        post=edit.post,
        revision=revision,
        entry_type=entry.value,
        occurred_at=edit.now,
        description=description,
        note=edit.data.note,
        created_at=edit.now,
        **edit.recorded_actor.columns("released_by"),
    )
    store_record(publication)
    edit.publications.append(publication)


def _make_public(edit: Edit, revision: Revision) -> None:
    """Set what follows from the history on the post (``history.dates.source``)."""
    post = edit.post
    is_adopted = any(entry.entry_type == EntryType.ADOPTED for entry in edit.publications)
    dates = dates_of(edit.publications, Baseline.objects.filter(post=post).first() if is_adopted else None)
    post.public_revision = revision
    post.published_at = dates.published_at
    post.modified_at = dates.modified_at
    post.listed_at = dates.listed_at
    post.feed_id = post.feed_id or _permanent_feed_id(edit)


def _permanent_feed_id(edit: Edit) -> str | None:
    """Return the id of the post in feeds, or `None` while neither a setting nor a request names a host."""
    origin = get_settings().public_base_url or edit.base_url
    if not origin:
        return None
    first = min(edit.publications, key=lambda entry: (entry.occurred_at, entry.pk))
    return free_feed_id(origin, published=first.occurred_at, post_id=edit.post.pk)


def _entry_type(edit: Edit) -> EntryType | None:
    if edit.before.public_identifier is None and not edit.publications:
        return EntryType.FIRST
    if edit.keeps_public_content and (edit.data.change is not Change.CORRECTION or repeats_correction(edit)):
        return None
    if edit.data.change is not None:
        return EntryType(edit.data.change.value)
    if edit.changes_public_content:
        return EntryType.SUBSTANTIVE
    return EntryType.MAINTENANCE


def _republished(edit: Edit) -> str | None:
    returns = not edit.is_new and not edit.was_public and edit.before.public_identifier is not None
    return _REPUBLISHED if returns and not edit.changes_public_content else None


def record_change_of_status(
    post: Post, *, from_status: str, actor: RecordedActor, now: datetime, redirect_to: str | None = None
) -> None:
    """Record that a post was scheduled, moved, withdrawn or archived, or that its schedule was cancelled."""
    store_record(
        StatusChange(
            post=post,
            from_status=from_status,
            to_status=post.status,
            publish_at=post.publish_at,
            redirect_to=redirect_to,
            occurred_at=now,
            created_at=now,
            **actor.columns(),
        )
    )


_NO_REVISIONS: Final[Mapping[str, Revision | None]] = MappingProxyType({})
REVIEW_COLUMNS: Final = (
    *("review_reason", "review_requested_by", "review_requested_at", "review_asked", "review_asked_name"),
    *("review_requester", "review_returned_by", "review_returned_at", "approval_missing"),
)
"""The columns that ``settle_review`` sets."""


def end_review(post: Post) -> None:
    """End that a review was asked for, and that the post was sent back (reviews.end)."""
    end_request(post)
    post.review_requester = ""
    post.review_returned_by = post.review_returned_at = None


def end_request(post: Post) -> None:
    """End that a review was asked for; who asked is still known."""
    post.review_requested_by = post.review_requested_at = None
    post.review_asked = post.review_asked_name = ""


def settle_review(
    post: Post,
    *,
    has_approvals: bool = True,
    is_released: bool = False,
    revisions: Mapping[str, Revision | None] = _NO_REVISIONS,
) -> frozenset[str]:
    """Set why a post waits for a review, and whether it lacks an approval.

    A release, an approval and the archive end a request (reviews.end).

    Call it once its status and content are set and its approvals are recorded; without any, no query reads them.
    ``revisions`` are those that were looked up. Return the identifiers of its revisions with checked facts.
    """
    identifier = post.current_revision_identifier
    checked = frozenset(_CHECKED.all(post=post.pk, present=identifier)) if has_approvals else frozenset[str]()
    is_answered = identifier in checked
    if is_answered or is_released or post.status == PostStatus.ARCHIVED:
        end_review(post)
    post.review_reason = review_reason(post, checked=checked, made_by_ai=_is_made_by_ai(post, revisions))
    post.approval_missing = lacks_approval(post, is_reviewed=is_answered)
    return checked


def _is_made_by_ai(post: Post, revisions: Mapping[str, Revision | None]) -> bool:
    """Return whether AI made the present content, as the post or the revision of a draft remembers it."""
    if post.unrecorded_made_by_ai is not None or post.status != PostStatus.DRAFT or post.pk is None:
        return bool(post.unrecorded_made_by_ai)
    identifier = post.current_revision_identifier
    if identifier in revisions:
        revision = revisions[identifier]
    else:
        revision = _REVISIONS.first(post=post.pk, identifier=identifier, is_proposed=False)
    return revision is not None and bool(revision.made_by_ai)


def _checked() -> QuerySet[Any]:
    """Return the identifiers of the revisions with checked facts, except those that were only proposed.

    A review of a proposal says nothing of the post until it has that content (proposals.approval).
    """
    checked = Approval.objects.filter(checked_facts(), post=Parameter("post"))
    is_present = Q(revision__identifier=Parameter("present"))
    found = checked.filter(is_present | ~is_only_proposed("revision"))
    return found.order_by().distinct().values_list("revision__identifier")


_CHECKED: Final[CompiledValues[str]] = CompiledValues(_checked, str)


def record_declaration(
    post: Post, sent: ConnectionsInput | DeclareConnections, *, actor: RecordedActor, now: datetime
) -> ConnectionDeclaration:
    """Append a complete declaration of connections; without a day it is of today."""
    declaration = ConnectionDeclaration(
        post=post,
        connections=connections_of(sent),
        third_party_paid=sent.third_party_paid,
        declared_by=sent.declared_by,
        declared_on=sent.declared_on or localdate(now),
        created_at=now,
        **actor.columns("recorded_by"),
    )
    store_record(declaration)
    return declaration


def connections_of(sent: ConnectionsInput | DeclareConnections) -> list[dict[str, str]]:
    """Return the connections of a declaration as they are stored."""
    return [{"party": one.party, "relation": one.relation} for one in sent.connections]
