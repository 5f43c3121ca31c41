"""Saving content without releasing it."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.errors import PostIsPublic
from blog_engine.images.files import image_files
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Post
from blog_engine.services._authorise import editable
from blog_engine.services._carry_out import carry_out
from blog_engine.services._edit import begin_edit
from blog_engine.services._images import gather_for
from blog_engine.services._schedule import keep_state
from blog_engine.services._target import find_upsert_target, lock_upsert_target
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Written
from blog_engine.vocabulary import PostStatus


def save_draft(data: SavePost, *, actor: Actor, now: datetime) -> Written:
    """Create a draft, or write to the post that ``external_id`` or ``slug`` names and keep its state.

    Raises ``PostIsPublic`` for a public one, and any refusal of records.md section 4; then nothing is written.
    """
    images = gather_for(data, look_up=lambda: _not_public(find_upsert_target(data), data, actor=actor, now=now))
    with write_transaction(), image_files() as files:
        post = _not_public(lock_upsert_target(data), data, actor=actor, now=now)
        edit = begin_edit(post, data, actor=actor, now=now, images=images)
        return carry_out(edit, files=files, settle=keep_state)


def _not_public(post: Post | None, data: SavePost, *, actor: Actor, now: datetime) -> Post | None:
    """The post, once it is sure that the actor may write to it and that no reader sees it."""
    editable(post, data, actor=actor, now=now)
    if post is not None and post.status == PostStatus.PUBLISHED:
        raise PostIsPublic
    return post
