"""The course of every write of content (records.md 4, order inside the write)."""

from collections.abc import Callable
from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.images.files import image_files
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Post
from blog_engine.services._assign import assign_fields
from blog_engine.services._bodies import Bodies
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, begin_edit
from blog_engine.services._finish import conclude, finish
from blog_engine.services._gates import pass_gates_of
from blog_engine.services._images import gather_for
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Stored, Written
from blog_engine.vocabulary import PostStatus


def carry_out(
    data: PostFields,
    *,
    actor: Actor,
    now: datetime,
    base_url: str,
    find: Callable[[], Post | None],
    lock: Callable[[], Post | None],
    settle: Callable[[Edit], PostStatus],
) -> Written:
    """Carry out a write of content: fetch and render first, then lock the post, change it, check it and record it.

    ``find`` looks at the post and ``lock`` locks it, ``None`` for a new one; both raise what makes the write
    impossible. ``settle`` gives the status that the post ends in. Raises any refusal of a write; then nothing is
    written.
    """
    bodies = Bodies()
    images = gather_for(data, bodies=bodies, look_up=find)

    def write() -> Stored:
        with write_transaction(), image_files() as files:
            edit = begin_edit(lock(), data, actor=actor, now=now, bodies=bodies, images=images, base_url=base_url)
            assign_fields(edit, files=files)
            status = settle(edit)
            derive(edit)
            pass_gates_of(edit, status)
            return finish(edit, status=status)

    return conclude(bodies.around(write), actor=actor, now=now)
