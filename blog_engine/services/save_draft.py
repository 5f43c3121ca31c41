"""Saving content without releasing it."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.errors import PostIsPublic
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Post
from blog_engine.services._authorise import editable
from blog_engine.services._carry_out import carry_out
from blog_engine.services._schedule import keep_state
from blog_engine.services._target import find_upsert_target, lock_upsert_target
from blog_engine.services.outcome import Written
from blog_engine.vocabulary import PostStatus


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
    editable(post, data, actor=actor, now=now)
    if post is not None and post.status == PostStatus.PUBLISHED:
        raise PostIsPublic
    return post
