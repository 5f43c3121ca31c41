"""Creating and editing authors (records.md 10)."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.images.files import image_files
from blog_engine.inputs.authors import CreateAuthor, UpdateAuthor
from blog_engine.models import Author
from blog_engine.queries.rows import row_of
from blog_engine.services._images import Gathered, gather, stored_image
from blog_engine.services._records import assign, locked, redirecting_page, store
from blog_engine.services._transaction import write_transaction


def create_author(data: CreateAuthor, *, actor: Actor, now: datetime) -> Author:
    """Make an author.

    Raises ``ValidationFailed`` when the slug is taken, ``NotFound`` for an avatar that the blog does not have and
    ``ImageNotPermitted`` for one that it cannot use.
    """
    actor.require(Scope.WRITE)
    # Asked here as well: an author who is refused anyway must not make the blog fetch a picture.
    assign(Author(), data)
    gathered = gather(data.avatar)
    with write_transaction():
        author = Author(created_at=now)
        assign(author, data)
        # The author before the image, as posts do it: two writers then wait for each other in one direction only.
        return _with_avatar(store(author, data), data, gathered, actor=actor, now=now)


def update_author(data: UpdateAuthor, *, actor: Actor, now: datetime) -> Author:
    """Change what was sent of an author; neither bylines nor identifiers of posts follow (records.md 4).

    Raises ``NotFound`` also for the author, and otherwise what ``create_author`` raises.
    """
    actor.require(Scope.WRITE)
    assign(row_of(Author.objects.all(), data.id), data)
    gathered = gather(data.avatar)
    with write_transaction():
        author = locked(Author, data.id)
        assign(author, data)
        with redirecting_page(author, now=now):
            store(author, data)
        return _with_avatar(author, data, gathered, actor=actor, now=now)


def _with_avatar(
    author: Author, data: CreateAuthor | UpdateAuthor, gathered: Gathered | None, *, actor: Actor, now: datetime
) -> Author:
    if "avatar" not in data.model_fields_set:
        return author
    with image_files() as files:
        author.avatar = (
            None if gathered is None else stored_image(gathered, files=files, actor_name=actor.name, now=now)
        )
        return store(author, data)
