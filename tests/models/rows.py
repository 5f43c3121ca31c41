"""Rows put straight into the tables, for tests of the tables themselves."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import count
from typing import TypeVar

from blog_engine.models import (
    AppendOnly,
    Approval,
    Author,
    Baseline,
    ConnectionDeclaration,
    Image,
    Post,
    Publication,
    Redirect,
    Revision,
)
from blog_engine.queries.redirects import path_key

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
_Row = TypeVar("_Row", bound=AppendOnly)
_numbers = count(1)


def digest(text: object) -> str:
    """A hexadecimal digest that no other text has."""
    return sha256(str(text).encode()).hexdigest()


def make_author() -> Author:
    """An author with a slug of their own."""
    return Author.objects.create(name="Mina Holt", slug=f"author-{next(_numbers)}")


def make_post(**columns: object) -> Post:
    """A draft without history."""
    values = {"slug": f"post-{next(_numbers)}", "title": "Harbour log", "author_name": "Mina Holt"} | columns
    if "author" not in columns:
        values["author"] = make_author()
    post = Post(current_revision_identifier=digest(values["slug"]), **{"created_at": NOON, "updated_at": NOON} | values)
    post.store()
    return post


def make_redirect(old_path: str, new_path: str | None = None, **columns: object) -> Redirect:
    """A redirect that somebody recorded by hand; nothing is checked, and no other row follows."""
    keys = {"old_key": path_key(old_path), "new_key": path_key(new_path) if new_path else None}
    values = {"source": "manual", "occurred_on": date(2026, 3, 4)} | keys | columns
    return Redirect.objects.create(old_path=old_path, new_path=new_path, **values)


def new_revision(post: Post, **columns: object) -> Revision:
    """A revision of the post, not stored yet."""
    values = {"identifier": digest(next(_numbers)), "payload": "{}", "created_at": NOON} | columns
    return Revision(post=post, **values)


def new_approval(post: Post, revision: Revision, **columns: object) -> Approval:
    """An approval of the revision, not stored yet."""
    values = {"kind": "sent", "reviewer_name": "Ada", "facts_checked": True, "approved_at": NOON, "created_at": NOON}
    return Approval(post=post, revision=revision, **values | columns)


def new_publication(post: Post, revision: Revision, **columns: object) -> Publication:
    """The first publication of the post, not stored yet."""
    values = {"entry_type": "first", "occurred_at": NOON, "created_at": NOON} | columns
    return Publication(post=post, revision=revision, **values)


def new_baseline(post: Post, revision: Revision, **columns: object) -> Baseline:
    """A baseline with a source of its own, not stored yet."""
    values = {"source_system": "old", "source_id": f"{next(_numbers)}", "provenance": "unknown"} | columns
    return Baseline(post=post, adopted_revision=revision, adopted_at=NOON, created_at=NOON, **values)


def new_declaration(post: Post, **columns: object) -> ConnectionDeclaration:
    """A declaration that there are no connections, not stored yet."""
    values = {"third_party_paid": False, "declared_by": "Ada", "declared_on": date(2026, 3, 4), "created_at": NOON}
    return ConnectionDeclaration(post=post, **values | columns)


def new_image(**columns: object) -> Image:
    """An image row without a file, not stored yet."""
    values = {"filename": "quay.png", "content_type": "image/png", "byte_size": 9, "width": 3, "height": 3}
    return Image(**{"sha256": digest(next(_numbers)), "created_at": NOON, **values, **columns})


@dataclass(frozen=True)
class History:
    """One row of every kind of history of one post."""

    post: Post
    revision: Revision
    approval: Approval
    publication: Publication
    baseline: Baseline
    declaration: ConnectionDeclaration
    image: Image

    def row_of(self, model: type[AppendOnly]) -> AppendOnly:
        """The row of a model."""
        rows = (self.revision, self.approval, self.publication, self.baseline, self.declaration, self.image)
        return next(row for row in rows if type(row) is model)


def new_row(model: type[AppendOnly], post: Post, revision: Revision) -> AppendOnly:
    """A row of any kind of history, not stored yet."""
    match model.__name__:
        case "Revision":
            return new_revision(post)
        case "Approval":
            return new_approval(post, revision)
        case "Publication":
            return new_publication(post, revision)
        case "Baseline":
            return new_baseline(post, revision)
        case "ConnectionDeclaration":
            return new_declaration(post)
        case _:
            return new_image()


def stored(row: _Row) -> _Row:
    """The row, after it was stored."""
    row.save()
    return row


def make_history(*, entry_type: str = "first", **approval: object) -> History:
    """A published post with a row of every kind of history; ``approval`` are columns of its approval."""
    image = stored(new_image())
    post = make_post(cover_image=image)
    revision = stored(new_revision(post))
    post.public_revision = revision
    post.status = "published"
    post.store()
    baseline = stored(new_baseline(post, revision))
    return History(
        post=post,
        revision=revision,
        approval=stored(new_approval(post, revision, **approval)),
        publication=stored(new_publication(post, revision, entry_type=entry_type)),
        baseline=baseline,
        declaration=stored(new_declaration(post)),
        image=image,
    )


def make_adoption() -> History:
    """An adopted post that nothing followed: the only kind that a permit opens."""
    return make_history(entry_type="adopted", kind="imported", confirmed_by="Ada", evidence="Ticket 7")
