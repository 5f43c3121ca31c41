"""Making a post public, now or at a set time."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.inputs.posts import PublishPost, SavePost
from blog_engine.services._carry_out import carry_out
from blog_engine.services._edit import begin_edit
from blog_engine.services._schedule import release_state
from blog_engine.services._target import lock_post, lock_upsert_target
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Written


def publish_post(data: PublishPost, *, actor: Actor, now: datetime) -> Written:
    """Release a stored post with its last edits, or schedule it when ``publish_at`` is in the future.

    Publishing what is public already records nothing new. Raises any refusal of records.md section 4;
    then nothing is written.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        edit = begin_edit(lock_post(data.id), data, actor=actor, now=now)
        return carry_out(edit, settle=release_state)


def publish_new_post(data: SavePost, *, actor: Actor, now: datetime) -> Written:
    """The same for a new post, or for the one that ``external_id`` or ``slug`` names."""
    actor.require(Scope.PUBLISH)
    with write_transaction():
        edit = begin_edit(lock_upsert_target(data), data, actor=actor, now=now)
        return carry_out(edit, settle=release_state)
