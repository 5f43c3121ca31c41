"""Declaring a publisher's connections."""

from datetime import datetime

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.inputs.history import DeclareConnections
from blog_engine.queries.posts import read_post
from blog_engine.services._finish import conclude, record_declaration
from blog_engine.services._target import lock_post
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Stored, Written


def declare_connections(data: DeclareConnections, *, actor: Actor, now: datetime) -> Written:
    """Append a complete declaration; it touches neither revision nor dates (records.md 8). Raises ``NotFound``."""
    actor.require(Scope.PUBLISH)
    with write_transaction():
        post = lock_post(data.id)
        record_declaration(post, data, actor_name=actor.name, now=now)
        stored = Stored(read_post(post.pk), signals.post_updated)
    return conclude(stored, actor=actor, now=now)
