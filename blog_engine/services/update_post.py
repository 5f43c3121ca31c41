"""Editing a post in the state it is in."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.inputs.posts import UpdatePost
from blog_engine.services._authorise import require_edit_scope
from blog_engine.services._carry_out import carry_out
from blog_engine.services._edit import begin_edit
from blog_engine.services._schedule import keep_state
from blog_engine.services._target import lock_post
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Written


def update_post(data: UpdatePost, *, actor: Actor, now: datetime) -> Written:
    """Edit a post and keep its state; a change of public content is recorded as what ``change`` says.

    Raises ``ChangeTypeRequired`` when public content changes without ``change``, and any refusal of
    records.md section 4; then nothing is written.
    """
    with write_transaction():
        edit = begin_edit(lock_post(data.id), data, actor=actor, now=now)
        require_edit_scope(edit, actor)
        return carry_out(edit, settle=keep_state)
