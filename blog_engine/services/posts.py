"""The verbs on posts, and the one write behind those that take content."""

from collections import Counter
from datetime import datetime
from functools import partial
from typing import Final

from blog_engine import signals
from blog_engine.actor import Actor, Call, RecordedActor, Scope
from blog_engine.blog_urls import stored_post_path
from blog_engine.enums import EventType, ListKind, PostStatus, RedirectSource
from blog_engine.errors import ValidationFailed
from blog_engine.findings import WriteContext
from blog_engine.inputs.posts import PostFields, PublishPost, RemovePost, SavePost, UnpublishPost, UpdatePost
from blog_engine.models import Post
from blog_engine.queries.history import is_retained
from blog_engine.queries.links import leads_readers_on
from blog_engine.queries.posts import read_post
from blog_engine.services._assign import assign_fields
from blog_engine.services._binned import put_in_bin
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, editing, find_post
from blog_engine.services._gates import pass_gates
from blog_engine.services._history import REVIEW_COLUMNS, record_change_of_status, settle_review
from blog_engine.services._prepared import Prepared, until_prepared
from blog_engine.services._restored import with_restored_content
from blog_engine.services._search_index import list_words
from blog_engine.services._store import store_and_record
from blog_engine.services._transaction import lock_redirects, write_transaction
from blog_engine.services._versions import VERSION_COLUMNS, note_write, require_expected
from blog_engine.services.counts import count_lists, lists_in, lists_of, tags_given
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Stored, Written, dry_run, dry_run_result, finish_write
from blog_engine.services.passkeys import SignedAnswer
from blog_engine.services.proposals import propose_edit
from blog_engine.services.redirects import MadeRedirect, end_of_target, withdraw_path


def save_draft(data: SavePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Create a draft, or write to the post that ``external_id`` or ``slug`` names and keep its state.

    With ``expected_version`` 0 it only creates. Raises ``PostIsPublic`` for a public post, and what ``update_post``
    raises; then nothing is written.
    """
    return _write(data, Call(actor, now, base_url))


def update_post(data: UpdatePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Edit a post and keep its state.

    With ``dry_run`` everything is worked out and rolled back. Raises ``ChangeTypeRequired`` when public content changes
    without ``change``, ``RevisionMismatch`` when the post is another than the expected one, and any other refusal of a
    write; then nothing is written. With ``propose`` it does what ``propose_edit`` does, with ``restore`` it takes the
    content of an earlier version.
    """
    if data.restore is not None:
        data = with_restored_content(data, data.restore, actor=actor)
    if data.propose:
        return propose_edit(data, actor=actor, now=now, base_url=base_url)
    return _write(data, Call(actor, now, base_url))


def publish_post(
    data: PublishPost, *, actor: Actor, now: datetime, base_url: str = "", signed: SignedAnswer | None = None
) -> Written:
    """Publish a stored post with its last edits, or schedule it when ``publish_at`` is in the future.

    Publishing a public post again records nothing new. ``signed`` is what a passkey answered to the challenge of the
    approval that is sent. Raises what ``update_post`` raises, and ``ApprovalIncomplete`` for another answer.
    """
    return _write(data, Call(actor, now, base_url), releases=True, signed=signed)


def publish_new_post(data: SavePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Publish or schedule a new post, or the one that ``external_id`` or ``slug`` names."""
    return _write(data, Call(actor, now, base_url), releases=True)


def _write(data: PostFields, call: Call, *, releases: bool = False, signed: SignedAnswer | None = None) -> Written:
    with dry_run(data):
        return until_prepared(partial(_run, data, call, releases=releases, signed=signed))


def _run(data: PostFields, call: Call, prepared: Prepared, *, releases: bool, signed: SignedAnswer | None) -> Written:
    with editing(data, call, prepared=prepared, releases=releases) as edit:
        edit.signed = signed
        before = None if edit.is_new or not data.dry_run else read_post(edit.post.pk)
        assign_fields(edit)
        status = _released_status(edit) if releases else _kept_status(edit)
        derive(edit)
        pass_gates(edit, status)
        stored = store_and_record(edit, status)
        if data.dry_run:
            return dry_run_result(stored, before, now=call.now)
    return finish_write(stored, actor=call.actor, now=call.now)


def _kept_status(edit: Edit) -> PostStatus:
    """Take over a sent ``publish_at``, and return the status that the post keeps.

    A scheduled post is moved, or becomes a draft when null was sent. Elsewhere a time raises
    ``ValidationFailed(["publish_at"])``: only publishing makes a schedule.
    """
    status = edit.before.status or PostStatus.DRAFT
    if not edit.sent("publish_at"):
        return status
    if status is PostStatus.SCHEDULED:
        edit.post.publish_at = edit.publish_at
        return PostStatus.DRAFT if edit.publish_at is None else PostStatus.SCHEDULED
    _refuse_future(edit)
    edit.post.publish_at = None
    return status


def _released_status(edit: Edit) -> PostStatus:
    """Return the status that publishing gives: public, scheduled for a future time, or draft when null cancels.

    A public post cannot be scheduled: ``ValidationFailed(["publish_at"])``.
    """
    if edit.was_public:
        _refuse_future(edit)
        return PostStatus.PUBLISHED
    is_future = edit.publish_at is not None and not edit.is_past
    is_cancelled = edit.before.status is PostStatus.SCHEDULED and edit.sent("publish_at") and edit.publish_at is None
    edit.post.publish_at = edit.publish_at if is_future else None
    if is_cancelled:
        return PostStatus.DRAFT
    return PostStatus.SCHEDULED if is_future else PostStatus.PUBLISHED


_TO_SCHEDULE: Final = (
    "Leave publish_at out here, and publish the post with this publish_at to schedule it: blog_publish_post or "
    "POST /posts/:id/publish."
)


def _refuse_future(edit: Edit) -> None:
    if edit.publish_at is not None and not edit.is_past:
        is_public = "The post is public already, so no time can be set: leave publish_at out."
        hint = is_public if edit.was_public else _TO_SCHEDULE
        raise ValidationFailed(["publish_at"], hint=hint)


def unpublish_post(data: UnpublishPost, *, actor: Actor, now: datetime) -> Written:
    """Make a post a draft; its history stays, and the path of a public one answers 410.

    Raises ``ScopeRequired``, ``NotFound``, ``RevisionMismatch`` for another post than the expected one, or
    ``SlugReserved`` when a redirect of another record has the path.
    """
    actor.require(Scope.PUBLISH)
    with dry_run(data), write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        before = read_post(post.pk) if data.dry_run else None
        was_public = post.status == PostStatus.PUBLISHED
        gone = withdraw(post, to=PostStatus.DRAFT, source=RedirectSource.UNPUBLISH, actor=actor.recorded, now=now)
        stored = Stored(read_post(post.pk), signals.post_unpublished, redirected=gone)
        if data.dry_run:
            return dry_run_result(stored, before, now=now)
        if was_public:
            note_event(EventType.WITHDRAWN, stored.post, now=now)
    return finish_write(stored, actor=actor, now=now)


_DELETABLE = (PostStatus.DRAFT, PostStatus.SCHEDULED)


def remove_post(data: RemovePost, *, actor: Actor, now: datetime) -> Written:
    """Delete a draft or scheduled post that left no record, which waits in the bin, or archive the post.

    ``post.pk`` of the outcome is ``None`` when the row is gone; a dry run shows the post as it is, and
    ``is_deleted``. Archiving again changes only the target of the path, if one is sent. Raises ``ScopeRequired``,
    ``NotFound``, ``RevisionMismatch`` for another post than the expected one, ``SlugReserved``, or
    ``ValidationFailed(["redirect_to"])`` for a target that leads back here.
    """
    actor.require(Scope.PUBLISH)
    target = None
    with dry_run(data), write_transaction():
        post = find_post(data.id, lock=True)
        require_expected(post, data)
        before = read_post(post.pk) if data.dry_run else None
        if post.status in _DELETABLE and not is_retained(post):
            put_in_bin(post, actor=actor, now=now)
            post.discard()
            stored = Stored(post, signals.post_removed)
        elif post.status == PostStatus.ARCHIVED and data.redirect_to is None:
            stored = Stored(read_post(post.pk))
        else:
            was_public = post.status == PostStatus.PUBLISHED
            made = _archive(post, data.redirect_to, actor=actor, now=now)
            target = made[0].new_path
            stored = Stored(read_post(post.pk), signals.post_removed, redirected=made)
            if was_public:
                note_event(EventType.REMOVED, stored.post, now=now)
        if data.dry_run:
            _note_missing_target(stored, data, target, now=now)
            return dry_run_result(stored, before, now=now)
    _note_missing_target(stored, data, target, now=now)
    return finish_write(stored, actor=actor, now=now)


def _note_missing_target(stored: Stored, data: RemovePost, target: str | None, *, now: datetime) -> None:
    if stored.post.pk is not None and data.redirect_to is not None and not leads_readers_on(target, now=now):
        stored.context = WriteContext(target_missing=True)


def _archive(post: Post, redirect_to: str | None, *, actor: Actor, now: datetime) -> tuple[MadeRedirect, ...]:
    """Archive a locked post, and return the redirect of its path."""
    lock_redirects()
    path = stored_post_path(post.slug)
    target = end_of_target(redirect_to, start=path, field="redirect_to") if redirect_to is not None else None
    return withdraw(
        post, to=PostStatus.ARCHIVED, source=RedirectSource.REMOVAL, target=target, actor=actor.recorded, now=now
    )


def withdraw(
    post: Post,
    *,
    to: PostStatus,
    source: RedirectSource,
    target: str | None = None,
    actor: RecordedActor,
    now: datetime,
) -> tuple[MadeRedirect, ...]:
    """Make a locked post a draft or archive it; its path redirects to ``target``, or is gone (410) without one.

    The path of a post that is not public is only redirected when the post is archived. Return that redirect, if any.
    """
    made: tuple[MadeRedirect, ...] = ()
    lists, from_status = lists_of(post), post.status
    if post.status == PostStatus.PUBLISHED:
        lists += lists_in(ListKind.TAG, tags_given(post))
    if post.status == PostStatus.PUBLISHED or to is PostStatus.ARCHIVED:
        made = (withdraw_path(post, target=target, source=source, now=now),)
    post.status = to.value
    post.publish_at = None
    post.updated_at = now
    post.version += 1
    note_write(post, [to.value], actor=actor, now=now)
    settle_review(post)
    post.store(update_fields=["status", "publish_at", "updated_at", *VERSION_COLUMNS, *REVIEW_COLUMNS])
    if from_status != post.status or target is not None:
        record_change_of_status(post, from_status=from_status, actor=actor, redirect_to=target, now=now)
    list_words(post)
    count_lists(before=lists, after=Counter())
    return made
