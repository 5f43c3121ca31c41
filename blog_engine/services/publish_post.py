"""Making a post public, now or at a set time."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.inputs.posts import PublishPost, SavePost
from blog_engine.services._carry_out import carry_out
from blog_engine.services._schedule import release_state
from blog_engine.services._target import find_post, find_upsert_target, lock_post, lock_upsert_target
from blog_engine.services.outcome import Written


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
