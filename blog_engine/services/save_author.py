"""Creating and editing authors (records.md 10)."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.images.files import image_files
from blog_engine.inputs.authors import CreateAuthor, UpdateAuthor
from blog_engine.models import Author
from blog_engine.queries.rows import row_of
from blog_engine.services._images import Gathered, gather, stored_image
from blog_engine.services._records import assign, locked, store
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
        return _write(Author(created_at=now), data, gathered, actor=actor, now=now)


def update_author(data: UpdateAuthor, *, actor: Actor, now: datetime) -> Author:
    """Change what was sent of an author; neither bylines nor identifiers of posts follow (records.md 4).

    Raises ``NotFound`` also for the author, and otherwise what ``create_author`` raises.
    """
    actor.require(Scope.WRITE)
    assign(row_of(Author.objects.all(), data.id), data)
    gathered = gather(data.avatar)
    with write_transaction():
        return _write(locked(Author, data.id), data, gathered, actor=actor, now=now)


def _write(
    author: Author, data: CreateAuthor | UpdateAuthor, gathered: Gathered | None, *, actor: Actor, now: datetime
) -> Author:
    assign(author, data)
    with image_files() as files:
        # The author before the image, as posts do it: two writers then wait for each other in one direction only.
        store(author, data)
        if "avatar" in data.model_fields_set:
            author.avatar = (
                None if gathered is None else stored_image(gathered, files=files, actor_name=actor.name, now=now)
            )
            store(author, data)
        return author
