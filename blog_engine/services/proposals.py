"""Proposals: recorded with their result, approved, applied, scheduled, rejected and withdrawn."""

from copy import copy
from dataclasses import replace
from datetime import datetime
from functools import partial
from time import thread_time
from typing import Final

from django.db.models import Case, Q, When

from blog_engine import signals
from blog_engine.actor import Actor, Call, Scope
from blog_engine.content.faq import FaqPair
from blog_engine.enums import EventType, PostStatus, ProposalEventKind
from blog_engine.errors import (
    ImageNotPermitted,
    ProposalDecided,
    ProposalOutdated,
    RevisionMismatch,
    ValidationFailed,
)
from blog_engine.findings import WriteContext
from blog_engine.images.files import ImageFiles
from blog_engine.inputs.posts import ApproveRevision, InlineApproval, UpdatePost
from blog_engine.inputs.proposals import ApplyProposal, ProposalRef, RejectProposal
from blog_engine.models import Post, Proposal, ProposalEvent, Revision
from blog_engine.queries.images import is_own_media
from blog_engine.queries.posts import faq_rows, post_id_of, read_post, tag_names_of
from blog_engine.queries.proposal_memory import proposal_that_made
from blog_engine.queries.proposals import (
    MOST_UNDECIDED,
    events_of,
    number_undecided,
    proposal_with_id,
    rebased_on,
    undecided_proposals,
)
from blog_engine.queries.reviews import is_signed_since
from blog_engine.queries.versions import is_named, present_payload
from blog_engine.rules.proposals import (
    PROPOSABLE_FIELDS,
    PROPOSABLE_STATUSES,
    decision_on,
    schedule_of,
)
from blog_engine.rules.review_place import ReviewPlace
from blog_engine.rules.revision import revision_text
from blog_engine.rules.writers import proposer_of, writer_of
from blog_engine.services._assign import assign_fields
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, begin_edit, find_post, gather_images, refuse_past, site_time
from blog_engine.services._gates import admitted_in, pass_gates
from blog_engine.services._held_images import hold_images_of
from blog_engine.services._history import (
    record_approval,
    record_proposal,
    record_proposal_event,
    record_proposed_revision,
    record_revision,
    set_writer,
)
from blog_engine.services._prepared import (
    PostImages,
    Prepared,
    body_of_proposal,
    edit_body,
    until_prepared,
    with_edited_body,
)
from blog_engine.services._proposed_edit import EditResult, edit_result
from blog_engine.services._repeats import repeated_proposal, repeats_approval
from blog_engine.services._reviewer import admitted_review
from blog_engine.services._store import store_and_record
from blog_engine.services._transaction import lock_post, roll_back, savepoint, write_transaction
from blog_engine.services._versions import require_expected
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Recorded, Stored, Written, dry_run, finish_write, result_of
from blog_engine.services.passkeys import SignedAnswer
from blog_engine.services.proposed import known_digests, read_proposal
from blog_engine.services.write_log import note_post
from blog_engine.services.writing_images import writing_images

_OF_THE_CALL: Final = frozenset({"id", "restore", "propose", "expected_revision", "expected_version", "dry_run"})


def propose_edit(data: UpdatePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Record an edit of a public or scheduled post as a proposal, which changes nothing of the post.

    ``proposal`` of the outcome is its id. Raises ``ScopeRequired`` (``write``), ``ValidationFailed`` for a post or a
    field that takes no proposals, for an edit that changes nothing and over the limits, ``ImageNotPermitted`` for an
    image that is not stored, and what checks of an edit raise.
    """
    actor.require(Scope.WRITE)
    _require_fields(data)
    with dry_run(data):
        return until_prepared(partial(_propose, data, Call(actor, now, base_url)))


def _require_fields(data: UpdatePost) -> None:
    others = [name for name in data.model_fields_set if name not in {*PROPOSABLE_FIELDS, *_OF_THE_CALL}]
    if others:
        in_order = [name for name in type(data).model_fields if name in others]
        raise ValidationFailed(in_order, hint="A proposal does not take them: leave them out, or edit the post itself.")
    for image in (data.cover_image, data.social_image):
        if image and (image.signed_id is not None or (image.url is not None and not is_own_media(image.url))):
            raise ImageNotPermitted(
                hint="A proposal takes stored images only: upload the image first, and send its image_id."
            )


def _require_status(post: Post) -> None:
    if post.status not in PROPOSABLE_STATUSES:
        hint = f"The post is {post.status}, which nothing public depends on: leave propose out and edit it directly."
        raise ValidationFailed(["propose"], hint=hint)


def _propose(data: UpdatePost, call: Call, prepared: Prepared) -> Written:
    if prepared.images is None:
        post = find_post(data.id)
        note_post(post.pk)
        _require_status(post)
        require_expected(post, data)
        gather_images(edit_body(data, post, prepared), post, prepared=prepared)
    with write_transaction():
        post = find_post(data.id, lock=True)
        _require_status(post)
        require_expected(post, data)
        edited = edit_result(post, with_edited_body(data, post, prepared), prepared, call)
        repeated = repeated_proposal(
            post, fields=edited.fields, base=edited.base, actor=call.actor.recorded, now=call.now
        )
        context = WriteContext(repeated=("propose",) if repeated else ())
        if repeated is not None and not data.dry_run:
            stored = Stored(read_post(post.pk), context=context, proposal=repeated.pk, prepared=prepared)
        else:
            base, proposal = _record(post, edited, data, call)
            stored = Stored(read_post(post.pk), signals.proposal_made, context=context, proposal=proposal.pk)
            stored.prepared = prepared
            note_event(EventType.PROPOSED, stored.post, now=call.now)
            if data.dry_run:
                written = replace(
                    result_of(
                        replace(stored, context=replace(edited.context, repeated=context.repeated)), now=call.now
                    ),
                    proposal=None,
                    dry_run=True,
                    compared=(revision_text(base.payload), revision_text(edited.payload)),
                    compared_as=("stored", "proposed"),
                )
                roll_back()
                return written
    return finish_write(stored, actor=call.actor, now=call.now)


def _record(post: Post, edited: EditResult, data: UpdatePost, call: Call) -> tuple[Revision, Proposal]:
    """Record a proposal, and return it with the revision of the present content."""
    if number_undecided(post.pk) >= MOST_UNDECIDED:
        hint = f"The post has {MOST_UNDECIDED} undecided proposals: have one applied or rejected, or withdraw one."
        raise ValidationFailed(["propose"], hint=hint)
    hold_images_of(edited.payload)
    base, actor = _record_base(post, call), call.actor.recorded
    revision = record_proposed_revision(
        post,
        identifier=edited.identifier,
        payload=edited.payload,
        actor=actor,
        made_by_ai=data.made_by_ai,
        now=call.now,
    )
    fields = {"fields": edited.fields, "base": edited.base}
    return base, record_proposal(post, base_revision=base, revision=revision, **fields, actor=actor, now=call.now)


def _record_base(post: Post, call: Call) -> Revision:
    """Return the revision of the present content; that of a scheduled post may have to be recorded."""
    return record_proposed_revision(
        post,
        identifier=post.current_revision_identifier,
        payload=present_payload(post),
        actor=writer_of(post),
        made_by_ai=post.unrecorded_made_by_ai,
        now=call.now,
    )


_MOST_SECONDS: Final = 0.5
"""Of processor time in search of the proposal that makes a content; one that was read is found at once."""


def apply_proposal(data: ApplyProposal, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Make the edit of a proposal, schedule it for a future ``publish_at``, or with null cancel its schedule.

    Raises ``ScopeRequired`` (``publish``), ``NotFound``, ``ProposalDecided``, ``ProposalOutdated``,
    ``RevisionMismatch`` for another content than the expected one, and what an edit of the post raises; then nothing
    is written.
    """
    actor.require(Scope.PUBLISH)
    stored = until_prepared(partial(_apply, data, actor=actor, now=now, base_url=base_url))
    return finish_write(stored, actor=actor, now=now)


def _apply(data: ApplyProposal, prepared: Prepared, *, actor: Actor, now: datetime, base_url: str) -> Stored:
    proposal = proposal_with_id(data)
    _prepare(prepared, proposal)
    with writing_images() as files:
        post, events = _lock_undecided(proposal)
        time = site_time(data.publish_at)
        refuse_past(time, now=now)
        if "publish_at" in data.model_fields_set and time is None:
            return _unschedule(proposal, events, actor=actor, now=now)
        if time is not None:
            return _schedule(prepared, proposal, post, data, time, actor=actor, now=now, base_url=base_url)
        edit = _begin(prepared, proposal, post, data.approval, actor=actor, now=now, base_url=base_url, files=files)
        _require_expected(edit, data)
        return _make_public(edit, proposal)


def _prepare(prepared: Prepared, proposal: Proposal) -> None:
    """Work out what an undecided proposal makes of the body of its post, and render it, before the post is locked."""
    if decision_on(proposal.events.all()) is not None:
        return
    post = Post.objects.only("body", "body_format", "language").get(pk=proposal.post_id)
    found = body_of_proposal(proposal, post, prepared.make)
    if found is not None and found.body is not None:
        prepared.render_new(found.body, post.body_format, proposal.fields.get("language", post.language))


def _lock_undecided(proposal: Proposal) -> tuple[Post, list[ProposalEvent]]:
    """Lock the post of a proposal, and return it with the events up to then; raises ``ProposalDecided``."""
    post = lock_post(proposal.post_id)
    assert post is not None, "a post with a proposal cannot be deleted"  # noqa: S101  # for the type checker
    events = events_of(proposal)
    decision = decision_on(events)
    if decision is not None:
        raise ProposalDecided(hint=f"It was {decision.kind} already: read it to see by whom and when.")
    return post, events


def _begin(
    prepared: Prepared,
    proposal: Proposal,
    post: Post,
    approval: InlineApproval | None,
    *,
    actor: Actor | None,
    now: datetime,
    base_url: str = "",
    files: ImageFiles | None = None,
) -> Edit:
    """Return the edit of a locked post that a proposal makes now; raises ``ProposalOutdated``."""
    faq = [FaqPair(question=row.question, answer=row.answer) for row in faq_rows(post.pk)]
    tags = tag_names_of([post.pk])[post.pk]
    found = rebased_on(proposal, post, faq=faq, tags=tags, body=body_of_proposal(proposal, post, prepared.made))
    if found.conflicts:
        raise ProposalOutdated(dict.fromkeys(conflict.field for conflict in found.conflicts))
    data = UpdatePost.from_data({"id": str(post.pk)} | found.fields)
    if approval is not None:
        data = data.model_copy(update={"approval": approval})
    cover, social = (image.image_id if image else None for image in (data.cover_image, data.social_image))
    prepared.images = PostImages(cover, social, known_digests(proposal, post))
    edit = begin_edit(post, data, prepared, actor=actor, now=now, base_url=base_url, files=files)
    edit.proposal = proposal.pk
    assign_fields(edit)
    derive(edit)
    return edit


def _require_expected(edit: Edit, data: ApplyProposal) -> None:
    sent = data.expected_revision
    if sent and not is_named(sent, edit.post.current_revision_identifier, post=edit.post):
        raise RevisionMismatch(
            ["expected_revision"],
            hint="The post was changed since: read the proposal again, and check what it makes of the post now.",
        )


def _make_public(edit: Edit, proposal: Proposal) -> Stored:
    """Store the edit of a proposal with its gates, and record that it was applied."""
    status = edit.before.status or PostStatus.DRAFT
    pass_gates(edit, status)
    # First, so that the revision has the authorship of the proposal.
    set_writer(edit.post, proposer_of(proposal))
    edit.post.unrecorded_made_by_ai = proposal.made_by_ai
    revision, _ = record_revision(edit)
    stored = store_and_record(edit, status)
    record_proposal_event(
        proposal,
        ProposalEventKind.APPLIED,
        revision,
        actor=edit.recorded_actor,
        now=edit.now,
        publication=edit.publications[-1] if stored.records.publication else None,
    )
    stored.proposal, stored.prepared = proposal.pk, edit.prepared
    return stored


def _record_revision(edit: Edit, proposal: Proposal) -> Revision:
    return record_proposed_revision(
        edit.post,
        identifier=edit.post.current_revision_identifier,
        payload=edit.payload,
        actor=proposer_of(proposal),
        made_by_ai=proposal.made_by_ai,
        now=edit.now,
    )


def _schedule(
    prepared: Prepared,
    proposal: Proposal,
    post: Post,
    data: ApplyProposal,
    time: datetime,
    *,
    actor: Actor,
    now: datetime,
    base_url: str,
) -> Stored:
    with savepoint():
        edit = _begin(prepared, proposal, copy(post), data.approval, actor=actor, now=now, base_url=base_url)
        _require_expected(edit, data)
        pass_gates(edit, PostStatus(post.status))
        # Records that it names are made when it is applied.
        roll_back()
    revision, records, context = _record_revision(edit, proposal), Recorded(), WriteContext()
    if data.approval is not None:
        review = admitted_in(edit, data.approval)
        context = WriteContext(repeated=("approval",) if repeats_approval(revision, review, now=now) else ())
        records = Recorded(revision="same", approval=record_approval(post, revision, review, now=now))
    scheduled = ProposalEventKind.SCHEDULED
    record_proposal_event(proposal, scheduled, revision, actor=actor.recorded, now=now, publish_at=time)
    signal = signals.approval_recorded if data.approval is not None else None
    post = read_post(post.pk)
    return Stored(post, signal, records=records, context=context, proposal=proposal.pk, prepared=prepared)


def _unschedule(proposal: Proposal, events: list[ProposalEvent], *, actor: Actor, now: datetime) -> Stored:
    schedule = schedule_of(events)
    if schedule is not None:
        record_proposal_event(proposal, ProposalEventKind.UNSCHEDULED, schedule.revision, actor=actor.recorded, now=now)
    return Stored(read_post(proposal.post_id), proposal=proposal.pk)


def apply_due_proposal(proposal_id: int, prepared: Prepared, *, now: datetime) -> Stored | None:
    """Apply a scheduled proposal without an actor; ``None`` if it is not due any more, or another run holds its post.

    Raises what ``apply_proposal`` raises.
    """
    proposal = proposal_with_id(ProposalRef(proposal=proposal_id))
    _prepare(prepared, proposal)
    with writing_images() as files:
        post = lock_post(proposal.post_id, skip_locked=True)
        schedule = schedule_of(events_of(proposal)) if post is not None else None
        if post is None or schedule is None or schedule.publish_at is None or schedule.publish_at > now:
            return None
        return _make_public(_begin(prepared, proposal, post, None, actor=None, now=now, files=files), proposal)


def approve_proposal(
    data: ApproveRevision, *, call: Call, once_since: datetime | None = None, signed: SignedAnswer | None = None
) -> Written | None:
    """Record a review of the content that an undecided proposal of the post makes now (proposals.approval).

    Return ``None`` if no proposal of the post makes the content that was reviewed. One that the actor sent already
    since ``once_since`` is not recorded again.
    """
    if (proposal_id := _proposal_that_makes(data, now=call.now)) is None:
        return None
    stored = until_prepared(partial(_approve, data, proposal_id, call=call, once_since=once_since, signed=signed))
    return finish_write(stored, actor=call.actor, now=call.now)


def _proposal_that_makes(data: ApproveRevision, *, now: datetime) -> int | None:
    sent, of_post = data.revision_identifier, undecided_proposals().filter(post=post_id_of(data.id))
    # First the one read with this content, then those that made it once.
    made = Q(revision__identifier=sent or "")
    likely = Case(When(pk=proposal_that_made(sent) or 0, then=0), When(made, then=1), default=2)
    started = thread_time()
    for proposal_id in of_post.order_by(likely, "pk").values_list("pk", flat=True):
        if thread_time() - started > _MOST_SECONDS:
            break
        found = read_proposal(ProposalRef(proposal=proposal_id), now=now)
        if not found.conflicts and is_named(sent, found.post.current_revision_identifier, post=found.post):
            return proposal_id
    return None


def _approve(
    data: ApproveRevision,
    proposal_id: int,
    prepared: Prepared,
    *,
    call: Call,
    once_since: datetime | None,
    signed: SignedAnswer | None,
) -> Stored:
    proposal, now = proposal_with_id(ProposalRef(proposal=proposal_id)), call.now
    _prepare(prepared, proposal)
    with write_transaction():
        post, events = _lock_undecided(proposal)
        with savepoint():
            edit = _begin(prepared, proposal, copy(post), None, actor=call.actor, now=now)
            roll_back()
        if edit.post.current_revision_identifier != data.revision_identifier:
            raise RevisionMismatch(hint="Read the proposal again, and have what it makes of the post now reviewed.")
        place = ReviewPlace(post, proposal_id, call.base_url)
        review = admitted_review(data, actor=call.actor, place=place, signed=signed)
        revision = _record_revision(edit, proposal)
        if once_since is not None and is_signed_since(revision, review, since=once_since):
            return Stored(read_post(post.pk), proposal=proposal_id, prepared=prepared)
        if revision.pk not in {proposal.revision_id, *(event.revision_id for event in events)}:
            record_proposal_event(proposal, ProposalEventKind.REBASED, revision, actor=call.actor.recorded, now=now)
        is_repeated = repeats_approval(revision, review, now=now)
        return Stored(
            read_post(post.pk),
            signals.approval_recorded,
            records=Recorded(revision="same", approval=record_approval(post, revision, review, now=now)),
            context=WriteContext(facts_unchecked=not data.facts_checked, repeated=("approval",) if is_repeated else ()),
            proposal=proposal_id,
            prepared=prepared,
        )


def reject_proposal(data: RejectProposal, *, actor: Actor, now: datetime) -> Written:
    """Reject a proposal with a reason. Raises ``ScopeRequired`` (``publish``), ``NotFound`` or ``ProposalDecided``."""
    actor.require(Scope.PUBLISH)
    return _end(proposal_with_id(data), ProposalEventKind.REJECTED, actor=actor, now=now, reason=data.reason)


def withdraw_proposal(data: ProposalRef, *, actor: Actor, now: datetime) -> Written:
    """Withdraw a proposal of the actor's own name, or any with the scope ``publish``.

    Raises ``ScopeRequired``, ``NotFound`` or ``ProposalDecided``.
    """
    actor.require(Scope.WRITE)
    proposal = proposal_with_id(data)
    if proposal.actor != actor.name:
        actor.require(Scope.PUBLISH)
    return _end(proposal, ProposalEventKind.WITHDRAWN, actor=actor, now=now)


def _end(
    proposal: Proposal, kind: ProposalEventKind, *, actor: Actor, now: datetime, reason: str | None = None
) -> Written:
    with write_transaction():
        _lock_undecided(proposal)
        record_proposal_event(proposal, kind, proposal.revision, actor=actor.recorded, now=now, reason=reason)
        stored = Stored(read_post(proposal.post_id), proposal=proposal.pk)
    return finish_write(stored, actor=actor, now=now)
