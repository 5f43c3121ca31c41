"""Deleting a post without history, or archiving one with history."""

from datetime import datetime
from urllib.parse import unquote, urlsplit

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.addresses import origin_parts, stored_path, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.slugs import is_slug
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.posts import RemovePost
from blog_engine.models import Post
from blog_engine.queries.history import is_retained
from blog_engine.services._finish import announce, outcome_of
from blog_engine.services._redirects import end_of_chain
from blog_engine.services._target import lock_post
from blog_engine.services._transaction import lock_redirects, write_transaction
from blog_engine.services._withdraw import withdraw
from blog_engine.services.outcome import Recorded, Written
from blog_engine.vocabulary import Label, PostStatus, RedirectSource

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
            return _delete(post, actor=actor)
        return _archive(post, data.redirect_to, actor=actor, now=now)


def _delete(post: Post, *, actor: Actor) -> Written:
    post.discard()
    written = Written(post=post, created=False, records=Recorded(), label=Label.NONE, findings=[])
    announce(signals.post_removed, written, actor=actor)
    return written


def _archive(post: Post, redirect_to: str | None, *, actor: Actor, now: datetime) -> Written:
    if post.status == PostStatus.ARCHIVED and redirect_to is None:
        return outcome_of(post, Recorded())
    lock_redirects()
    target = _target(post, redirect_to) if redirect_to is not None else None
    withdraw(post, to=PostStatus.ARCHIVED, source=RedirectSource.REMOVAL, target=target, now=now)
    written = outcome_of(post, Recorded())
    announce(signals.post_removed, written, actor=actor)
    return written


def _target(post: Post, redirect_to: str) -> str | None:
    """Where a sent target finally leads; a slug is a post's address, our own origin is left out."""
    target = stored_post_path(redirect_to) if is_slug(redirect_to) else _on_own_site(redirect_to)
    # Browsers take such segments out before they ask, so that the address would be another than the one checked.
    if {".", ".."} & set(unquote(urlsplit(target).path).split("/")):
        raise ValidationFailed(["redirect_to"], hint="Write the target without . and .. segments.")
    return end_of_chain(target, start=stored_post_path(post.slug))


def _on_own_site(target: str) -> str:
    """A URL of this application as a stored path; any other address as it was sent."""
    base = get_settings().public_base_url
    if base is None or origin_parts(target) != origin_parts(base):
        return target
    path = urlsplit(target)._replace(scheme="", netloc="").geturl() or "/"
    return stored_path(path) or target
