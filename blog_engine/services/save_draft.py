"""Saving content without releasing it."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.errors import PostIsPublic
from blog_engine.inputs.posts import SavePost
from blog_engine.services._authorise import require_edit_scope
from blog_engine.services._carry_out import carry_out
from blog_engine.services._edit import begin_edit
from blog_engine.services._schedule import keep_state
from blog_engine.services._target import lock_upsert_target
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Written


def save_draft(data: SavePost, *, actor: Actor, now: datetime) -> Written:
    """Create a draft, or write to the post that ``external_id`` or ``slug`` names and keep its state.

    Raises ``PostIsPublic`` for a public one, and any refusal of records.md section 4; then nothing is written.
    """
    with write_transaction():
        edit = begin_edit(lock_upsert_target(data), data, actor=actor, now=now)
        require_edit_scope(edit, actor)
        if edit.was_public:
            raise PostIsPublic
        return carry_out(edit, settle=keep_state)
