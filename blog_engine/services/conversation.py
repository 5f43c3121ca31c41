"""Requests for a review, what is sent back, remarks and answers (``docs/contract/reviews.md``)."""

from datetime import datetime

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.enums import EventType, RemarkKind
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.conversation import AddRemark, AnswerRemark, RequestReview, ResolveRemark, ReturnReview
from blog_engine.inputs.posts import PostRef
from blog_engine.models import Post, Remark
from blog_engine.queries.posts import read_post
from blog_engine.services._conversation import (
    entry_to_answer,
    is_said_already,
    new_entry,
    person_to_ask,
    recount_open_remarks,
    require_quoted,
    require_voice,
    store_entry,
    store_review,
)
from blog_engine.services._edit import find_post
from blog_engine.services._history import end_request, end_review
from blog_engine.services._kept_versions import keep_present
from blog_engine.services._review_mail import mail_about
from blog_engine.services._transaction import write_transaction
from blog_engine.services._versions import require_expected
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Stored, Written, finish_write


def request_review(data: RequestReview | PostRef, *, actor: Actor, now: datetime) -> Written:
    """Ask for a review, of anyone or one person; a later request replaces the first (reviews.request).

    A post that is archived, or whose present content is approved, is not asked for. ``outcome.remark`` is the entry,
    ``None`` if nothing was asked. Raises ``ScopeRequired`` (``write``), ``NotFound``, ``RevisionMismatch``, or
    ``ValidationFailed`` for a person without the right to sign, or an entry too many.
    """
    actor.require(Scope.WRITE)
    asked = data if isinstance(data, RequestReview) else RequestReview(id=data.id)
    person = person_to_ask(asked.person)
    with write_transaction():
        post = find_post(asked.id, lock=True)
        require_expected(post, asked)
        entry = new_entry(post, RemarkKind.REQUEST, actor=actor, now=now, text=asked.note)
        if person is not None:
            entry.person, entry.person_name = person.id, person.name
        if post.review_requested_at is not None and is_said_already(entry):
            return finish_write(Stored(read_post(post.pk)), actor=actor, now=now)
        keep_present(post)
        end_review(post)
        post.review_requested_by, post.review_requested_at = actor.name, now
        post.review_asked, post.review_asked_name = entry.person, entry.person_name
        post.review_requester = entry.actor_id
        post.version += 1
        store_review(post, "review asked for", actor=actor, now=now)
        if post.review_requested_at is None:
            return finish_write(Stored(read_post(post.pk), signals.post_updated), actor=actor, now=now)
        store_entry(entry)
        stored = Stored(read_post(post.pk), signals.review_requested, remark=entry)
        note_event(EventType.REVIEW_REQUESTED, stored.post, now=now)
        mail_about(entry, stored.post, actor=actor)
    return finish_write(stored, actor=actor, now=now)


def cancel_review_request(data: RequestReview | PostRef, *, actor: Actor, now: datetime) -> Written:
    """Take back a request for a review. Raises ``ScopeRequired`` (``write``), ``NotFound`` or ``RevisionMismatch``."""
    actor.require(Scope.WRITE)
    with write_transaction():
        post = find_post(data.id, lock=True)
        if isinstance(data, RequestReview):
            require_expected(post, data)
        end_request(post)
        post.version += 1
        store_review(post, "no review asked for", actor=actor, now=now)
        stored = Stored(read_post(post.pk), signals.post_updated)
    return finish_write(stored, actor=actor, now=now)


def return_review(data: ReturnReview, *, actor: Actor, now: datetime) -> Written:
    """Send a post back to its writers with what they should change, which ends a request (reviews.return).

    ``outcome.remark`` is the entry, ``None`` if it repeats the last one. Raises ``ScopeRequired`` (``publish``, which a
    page of the desk grants to those who may sign), ``NotFound``, ``RevisionMismatch``, or ``ValidationFailed`` for a
    post that is archived or approved, or an entry too many.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        entry = new_entry(post, RemarkKind.RETURN, actor=actor, now=now, text=data.note)
        if post.review_returned_at is not None and is_said_already(entry):
            return finish_write(Stored(read_post(post.pk)), actor=actor, now=now)
        end_request(post)
        post.review_returned_by, post.review_returned_at = actor.name, now
        post.version += 1
        store_review(post, "sent back", actor=actor, now=now)
        if post.review_returned_at is None:
            raise ValidationFailed(
                ["review"], hint="Its present content is approved, or it is archived: there is nothing to send back."
            )
        # The reviewer compares the next version with what was sent back.
        keep_present(post)
        store_entry(entry)
        stored = Stored(read_post(post.pk), signals.review_returned, remark=entry)
        note_event(EventType.REVIEW_RETURNED, stored.post, now=now)
        mail_about(entry, stored.post, actor=actor)
    return finish_write(stored, actor=actor, now=now)


def add_remark(data: AddRemark, *, actor: Actor, now: datetime) -> Written:
    """Remark on a post, or on a passage that its body has; ``outcome.remark`` is the open remark.

    Raises ``ScopeRequired`` (``write``, unless the actor may publish), ``NotFound``, ``RevisionMismatch``, or
    ``ValidationFailed`` for a passage that is not there, or a remark too many.
    """
    require_voice(actor)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        require_quoted(post, data.passage)
        entry = new_entry(post, RemarkKind.REMARK, actor=actor, now=now, text=data.text)
        entry.passage = data.passage
        stored = _say(entry, post)
    return finish_write(stored, actor=actor, now=now)


def answer_remark(data: AnswerRemark, *, actor: Actor, now: datetime) -> Written:
    """Answer an entry of the conversation; ``outcome.remark`` is the answer. Raises what ``add_remark`` raises."""
    require_voice(actor)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        answered = entry_to_answer(post, data.remark)
        entry = new_entry(post, RemarkKind.ANSWER, actor=actor, now=now, text=data.text)
        entry.in_reply_to_id = answered.in_reply_to_id or answered.pk
        stored = _say(entry, post)
    return finish_write(stored, actor=actor, now=now)


def _say(entry: Remark, post: Post) -> Stored:
    if is_said_already(entry):
        return Stored(read_post(post.pk))
    store_entry(entry)
    if entry.is_open:
        recount_open_remarks(post)
    return Stored(read_post(post.pk), remark=entry)


def resolve_remark(data: ResolveRemark, *, actor: Actor, now: datetime) -> Written:
    """Resolve a remark of any actor; one that is resolved stays as it is. ``outcome.remark`` is the remark.

    Raises ``ScopeRequired`` as ``add_remark``, ``NotFound``, ``RevisionMismatch``, or ``ValidationFailed`` for an entry
    that is no remark on this post.
    """
    require_voice(actor)
    with write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        entry = entry_to_answer(post, data.remark)
        if entry.kind != RemarkKind.REMARK:
            hint = f"A {entry.kind} is not resolved: asking for a review again answers what was sent back."
            raise ValidationFailed(["review.remark"], hint=hint)
        if entry.is_open:
            entry.resolved_by, entry.resolved_at = actor.name, now
            entry.store(update_fields=["resolved_by", "resolved_at"])
            recount_open_remarks(post)
        stored = Stored(read_post(post.pk), remark=entry)
    return finish_write(stored, actor=actor, now=now)
