"""Writing posts: save a draft, update, publish, unpublish, remove."""

from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.blog_urls import stored_post_path
from blog_engine.enums import PostStatus, RedirectSource
from blog_engine.errors import PostIsPublic
from blog_engine.inputs.posts import PostFields, PostRef, PublishPost, RemovePost, SavePost, UpdatePost
from blog_engine.models import Post
from blog_engine.queries.findings import WriteContext
from blog_engine.queries.history import is_retained
from blog_engine.queries.links import leads_readers_on
from blog_engine.queries.posts import read_post
from blog_engine.services._edit import (
    find_post,
    find_upsert_target,
    is_past,
    keep_state,
    lock_post,
    lock_upsert_target,
    release_state,
)
from blog_engine.services._redirects import end_of_target, withdraw_address
from blog_engine.services._store import carry_out, conclude
from blog_engine.services._transaction import lock_redirects, write_transaction
from blog_engine.services.outcome import Stored, Written

P = TypeVar("P", Post, Post | None)

_NEED_PUBLISH = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)


def require_edit_scope(post: P, data: PostFields, *, actor: Actor, now: datetime) -> P:
    """The post (``None``: a new one), once it is sure that the actor may write to it as it stands.

    Raises ``ScopeRequired``: ``publish`` for scheduled and public posts, for an approval and for a ``publish_at`` that
    has come; else ``write``.
    """
    actor.require(Scope.PUBLISH if post is not None and post.status in _NEED_PUBLISH else Scope.WRITE)
    if data.approval is not None or is_past(data, now=now):
        actor.require(Scope.PUBLISH)
    return post


def save_draft(data: SavePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Create a draft, or write to the post that ``external_id`` or ``slug`` names and keep its state.

    Raises ``PostIsPublic`` for a public one, and any refusal of records.md section 4; then nothing is written.
    """
    return carry_out(
        data,
        actor=actor,
        now=now,
        base_url=base_url,
        find=lambda: _not_public(find_upsert_target(data), data, actor=actor, now=now),
        lock=lambda: _not_public(lock_upsert_target(data), data, actor=actor, now=now),
        settle=keep_state,
    )


def _not_public(post: Post | None, data: SavePost, *, actor: Actor, now: datetime) -> Post | None:
    """The post, once it is sure that the actor may write to it and that no reader sees it."""
    require_edit_scope(post, data, actor=actor, now=now)
    if post is not None and post.status == PostStatus.PUBLISHED:
        raise PostIsPublic
    return post


def update_post(data: UpdatePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Edit a post and keep its state; a change of public content is recorded as what ``change`` says.

    Raises ``ChangeTypeRequired`` when public content changes without ``change``, and any refusal of
    records.md section 4; then nothing is written.
    """
    return carry_out(
        data,
        actor=actor,
        now=now,
        base_url=base_url,
        find=lambda: require_edit_scope(find_post(data.id), data, actor=actor, now=now),
        lock=lambda: require_edit_scope(lock_post(data.id), data, actor=actor, now=now),
        settle=keep_state,
    )


def publish_post(data: PublishPost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Release a stored post with its last edits, or schedule it when ``publish_at`` is in the future.

    Publishing what is public already records nothing new. Raises any refusal of records.md section 4;
    then nothing is written.
    """
    actor.require(Scope.PUBLISH)
    return carry_out(
        data,
        actor=actor,
        now=now,
        base_url=base_url,
        find=lambda: find_post(data.id),
        lock=lambda: lock_post(data.id),
        settle=release_state,
    )


def publish_new_post(data: SavePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """The same for a new post, or for the one that ``external_id`` or ``slug`` names."""
    actor.require(Scope.PUBLISH)
    return carry_out(
        data,
        actor=actor,
        now=now,
        base_url=base_url,
        find=lambda: find_upsert_target(data),
        lock=lambda: lock_upsert_target(data),
        settle=release_state,
    )


def withdraw(post: Post, *, to: PostStatus, source: RedirectSource, target: str | None = None, now: datetime) -> None:
    """Give a locked post another status than public, and its address another target, or none (410).

    The address of a post that is not public is only written when the post is archived (records.md 5.1).
    """
    if post.status == PostStatus.PUBLISHED or to is PostStatus.ARCHIVED:
        withdraw_address(post, target=target, source=source, now=now)
    post.status = to.value
    post.publish_at = None
    post.updated_at = now
    post.store(update_fields=["status", "publish_at", "updated_at"])


def unpublish_post(data: PostRef, *, actor: Actor, now: datetime) -> Written:
    """Make a post a draft; its history stays, and the address of a public one answers 410 (records.md 5.1).

    Raises ``NotFound``, ``ScopeRequired``, or ``SlugReserved`` when another record decides about the address.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = lock_post(data.id)
        withdraw(post, to=PostStatus.DRAFT, source=RedirectSource.UNPUBLISH, now=now)
        stored = Stored(read_post(post.pk), signals.post_unpublished)
    return conclude(stored, actor=actor, now=now)


_DELETABLE = (PostStatus.DRAFT, PostStatus.SCHEDULED)


def remove_post(data: RemovePost, *, actor: Actor, now: datetime) -> Written:
    """Delete a draft or schedule that left no record, or archive the post (records.md 5.1, 5.3).

    The outcome's ``post.pk`` is ``None`` when the row is gone. Archiving again changes nothing but the
    target of the address, when one is sent (decisions.md 3.5). Raises ``NotFound``, ``ScopeRequired``,
    ``SlugReserved``, or ``ValidationFailed(["redirect_to"])`` for a target that leads back here.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = lock_post(data.id)
        if post.status in _DELETABLE and not is_retained(post):
            post.discard()
            stored, target = Stored(post, signals.post_removed), None
        else:
            stored, target = _archive(post, data.redirect_to, now=now)
    if stored.post.pk is not None and data.redirect_to is not None and not leads_readers_on(target, now=now):
        stored = replace(stored, context=WriteContext(target_missing=True))
    return conclude(stored, actor=actor, now=now)


def _archive(post: Post, redirect_to: str | None, *, now: datetime) -> tuple[Stored, str | None]:
    """Archive a locked post; gives what that left, and the stored target of its path."""
    if post.status == PostStatus.ARCHIVED and redirect_to is None:
        return Stored(read_post(post.pk), None), None
    lock_redirects()
    path = stored_post_path(post.slug)
    target = end_of_target(redirect_to, start=path, field="redirect_to") if redirect_to is not None else None
    withdraw(post, to=PostStatus.ARCHIVED, source=RedirectSource.REMOVAL, target=target, now=now)
    return Stored(read_post(post.pk), signals.post_removed), target
