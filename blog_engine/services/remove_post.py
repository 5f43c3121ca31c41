"""Deleting a post without history, or archiving one with history."""

from dataclasses import replace
from datetime import datetime

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.addresses import stored_post_path
from blog_engine.inputs.posts import RemovePost
from blog_engine.models import Post
from blog_engine.queries.findings import WriteContext
from blog_engine.queries.history import is_retained
from blog_engine.queries.posts import read_post
from blog_engine.queries.served_paths import leads_readers_on
from blog_engine.services._finish import conclude
from blog_engine.services._redirect_target import end_of_target
from blog_engine.services._target import lock_post
from blog_engine.services._transaction import lock_redirects, write_transaction
from blog_engine.services._withdraw import withdraw
from blog_engine.services.outcome import Stored, Written
from blog_engine.vocabulary import PostStatus, RedirectSource

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
