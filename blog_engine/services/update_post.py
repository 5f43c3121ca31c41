"""Editing a post in the state it is in."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.images.files import image_files
from blog_engine.inputs.posts import UpdatePost
from blog_engine.services._authorise import editable
from blog_engine.services._carry_out import carry_out
from blog_engine.services._edit import begin_edit
from blog_engine.services._images import gather_for
from blog_engine.services._schedule import keep_state
from blog_engine.services._target import find_post, lock_post
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Written


def update_post(data: UpdatePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Edit a post and keep its state; a change of public content is recorded as what ``change`` says.

    Raises ``ChangeTypeRequired`` when public content changes without ``change``, and any refusal of
    records.md section 4; then nothing is written.
    """
    images = gather_for(data, look_up=lambda: editable(find_post(data.id), data, actor=actor, now=now))
    with write_transaction(), image_files() as files:
        post = editable(lock_post(data.id), data, actor=actor, now=now)
        edit = begin_edit(post, data, actor=actor, now=now, images=images, base_url=base_url)
        return carry_out(edit, files=files, settle=keep_state)
