"""Withdrawing a post from readers."""

from datetime import datetime

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.inputs.posts import PostRef
from blog_engine.queries.posts import read_post
from blog_engine.services._finish import conclude
from blog_engine.services._target import lock_post
from blog_engine.services._transaction import write_transaction
from blog_engine.services._withdraw import withdraw
from blog_engine.services.outcome import Stored, Written
from blog_engine.vocabulary import PostStatus, RedirectSource


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
