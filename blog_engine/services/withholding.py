"""Versions that are taken from the public history, and shown there again."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.enums import PostStatus
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.history import PublicVersionRef, WithholdVersion
from blog_engine.models import Post, WithheldVersion
from blog_engine.models.base import whole_milliseconds
from blog_engine.queries.public_history import identifier_of, last_withholding, was_public
from blog_engine.services._edit import find_post
from blog_engine.services._transaction import write_transaction


def withhold_version(data: WithholdVersion, *, actor: Actor, now: datetime) -> bool:
    """Record that a version is withheld, and return whether it was shown before (public-history.withheld).

    Raises ``ScopeRequired`` (``publish``), ``NotFound`` for what was never public, or
    ``ValidationFailed(["identifier"])`` for the version that readers see.
    """
    with write_transaction():
        post = _found(data, actor=actor)
        if post.status == PostStatus.PUBLISHED and identifier_of(post) == data.identifier:
            raise ValidationFailed(
                ["identifier"], hint="Readers see this version now: publish another version or withdraw the post first."
            )
        return _record(post, data, is_withheld=True, reason=data.reason.strip(), actor=actor, now=now)


def show_version(data: PublicVersionRef, *, actor: Actor, now: datetime) -> bool:
    """Record that a version is shown again, and return whether it was withheld before.

    Raises ``ScopeRequired`` (``publish``), or ``NotFound`` for what was never public.
    """
    with write_transaction():
        return _record(_found(data, actor=actor), data, is_withheld=False, reason="", actor=actor, now=now)


def _found(data: PublicVersionRef, *, actor: Actor) -> Post:
    actor.require(Scope.PUBLISH)
    post = find_post(data.id, lock=True)
    if not was_public(post.pk, data.identifier):
        raise NotFound(hint="No version of the post that was public has that identifier.")
    return post


def _record(post: Post, data: PublicVersionRef, *, is_withheld: bool, reason: str, actor: Actor, now: datetime) -> bool:
    last = last_withholding(post.pk, data.identifier)
    if is_withheld == (last is not None and last.is_withheld):
        return False
    WithheldVersion(
        post=post,
        identifier=data.identifier,
        is_withheld=is_withheld,
        reason=reason,
        created_at=whole_milliseconds(now),
        **actor.recorded.columns(),
    ).save()
    return True
