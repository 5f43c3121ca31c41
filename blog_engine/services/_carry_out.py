"""The common middle of every write of content (records.md 4, order inside the write)."""

from collections.abc import Callable

from blog_engine.images.files import ImageFiles
from blog_engine.services._assign import assign_fields
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit
from blog_engine.services._finish import finish
from blog_engine.services._gates import pass_gates_of
from blog_engine.services.outcome import Written
from blog_engine.vocabulary import PostStatus


def carry_out(edit: Edit, *, files: ImageFiles, settle: Callable[[Edit], PostStatus]) -> Written:
    """Take over what was sent, settle the status, check the gates, store and record. Raises any refusal of a write."""
    assign_fields(edit, files=files)
    status = settle(edit)
    derive(edit)
    pass_gates_of(edit, status)
    return finish(edit, status=status)
