"""Editing a post in the state it is in."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.inputs.posts import UpdatePost
from blog_engine.services._authorise import editable
from blog_engine.services._carry_out import carry_out
from blog_engine.services._schedule import keep_state
from blog_engine.services._target import find_post, lock_post
from blog_engine.services.outcome import Written


def update_post(data: UpdatePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Edit a post and keep its state; a change of public content is recorded as what ``change`` says.

    Raises ``ChangeTypeRequired`` when public content changes without ``change``, and any refusal of
    records.md section 4; then nothing is written.
    """
    return carry_out(
        data,
        actor=actor,
        now=now,
        base_url=base_url,
        find=lambda: editable(find_post(data.id), data, actor=actor, now=now),
        lock=lambda: editable(lock_post(data.id), data, actor=actor, now=now),
        settle=keep_state,
    )
