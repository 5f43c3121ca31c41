"""Entries of the conversation about a locked post, and the state that its columns keep of it."""

from datetime import datetime
from typing import Final

from blog_engine.actor import Actor, Scope
from blog_engine.content.passages import quoted_passages
from blog_engine.enums import BodyFormat, RemarkKind
from blog_engine.errors import ValidationFailed
from blog_engine.models import Post, Remark
from blog_engine.queries.conversation import (
    MOST_ENTRIES,
    MOST_OPEN,
    entry_of,
    last_entry_of,
    number_of_entries,
    open_remarks_of,
)
from blog_engine.queries.reviewers import Reviewer, reviewer_with, reviewers
from blog_engine.services._history import AUTHORSHIP_COLUMNS, REVIEW_COLUMNS, settle_review
from blog_engine.services._versions import VERSION_COLUMNS, note_write

_MOST_NAMED: Final = 20
_SAID: Final = ("kind", "text", "passage", "actor", "actor_id", "person", "in_reply_to_id", "revision_identifier")


def require_voice(actor: Actor) -> None:
    """Raise ``ScopeRequired`` (``write``) for an actor who may neither write nor publish."""
    if Scope.PUBLISH not in actor.scopes:
        actor.require(Scope.WRITE)


def store_review(post: Post, what: str, *, actor: Actor, now: datetime) -> None:
    """Store whether and why a locked post waits for a review, and whose turn it is, as its next version."""
    note_write(post, [what], actor=actor.recorded, now=now)
    settle_review(post)
    post.store(update_fields=[*VERSION_COLUMNS, *AUTHORSHIP_COLUMNS, *REVIEW_COLUMNS])


def new_entry(post: Post, kind: RemarkKind, *, actor: Actor, now: datetime, text: str) -> Remark:
    """Return an entry of the conversation about a post, which is not stored yet."""
    is_known = actor.id.startswith(("user:", "token:"))
    return Remark(
        post=post,
        kind=kind.value,
        text=text,
        actor=actor.name,
        actor_id=actor.id if is_known else "",
        revision_identifier=post.current_revision_identifier,
        written_at=now,
    )


def is_said_already(entry: Remark) -> bool:
    """Return whether the last entry of the post says the same about the same content (reviews.once); one query."""
    last = last_entry_of(entry.post_id)
    return last is not None and all(getattr(last, name) == getattr(entry, name) for name in _SAID)


def store_entry(entry: Remark) -> None:
    """Store a new entry; raises ``ValidationFailed`` for one too many (reviews.limits)."""
    if number_of_entries(entry.post_id) >= MOST_ENTRIES:
        raise ValidationFailed(["review"], hint=f"The conversation of this post has {MOST_ENTRIES} entries, the most.")
    if entry.is_open and open_remarks_of(entry.post_id).count() >= MOST_OPEN:
        raise ValidationFailed(["review"], hint=f"The post has {MOST_OPEN} open remarks, the most: resolve some first.")
    entry.store()


def recount_open_remarks(post: Post) -> None:
    """Store how many remarks on a locked post are open, which is no version of its own (reviews.version)."""
    post.open_remarks = open_remarks_of(post.pk).count()
    post.store(update_fields=["open_remarks"])


def require_quoted(post: Post, passage: str) -> None:
    """Raise ``ValidationFailed`` for a passage that the body does not have (reviews.passage)."""
    if passage and not quoted_passages([passage], post.body, body_format=BodyFormat(post.body_format)):
        raise ValidationFailed(["review.passage"], hint="The text does not have this passage: quote it exactly.")


def entry_to_answer(post: Post, remark_id: int) -> Remark:
    """Return the entry of a post that an answer or a resolution names; raises ``ValidationFailed``."""
    entry = entry_of(post.pk, remark_id)
    if entry is None:
        raise ValidationFailed(
            ["review.remark"], hint="No entry of this post has that id: its records list them under conversation."
        )
    return entry


def person_to_ask(key: str) -> Reviewer | None:
    """Return the user who is asked, ``None`` for no one in particular; raises ``ValidationFailed`` (reviews.person)."""
    if not key.strip():
        return None
    found = reviewer_with(key)
    if found is None:
        names = [one.name for one in reviewers()[:_MOST_NAMED]]
        known = f"These may: {', '.join(names)}." if names else "No user may."
        raise ValidationFailed(["review.person"], hint=f"This is no user who may sign reviews. {known}")
    return found
