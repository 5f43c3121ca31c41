"""Repeats: records that equal the last one of the same actor, as a client sends after a time-out (findings.repeats)."""

from datetime import datetime, timedelta
from typing import Final

from blog_engine.actor import RecordedActor
from blog_engine.enums import Change
from blog_engine.models import ConnectionDeclaration, Post, Proposal, Revision
from blog_engine.queries.proposals import undecided_proposals
from blog_engine.queries.reviews import is_signed_since
from blog_engine.services._edit import Edit
from blog_engine.services._reviewer import Review

REPEATED_WITHIN: Final = timedelta(minutes=10)
"""How long a record stands for one that is sent again."""


def repeats_approval(revision: Revision, review: Review, *, now: datetime) -> bool:
    """Return whether a review that is not stored equals the last one of its actor; one query."""
    return is_signed_since(revision, review, since=now - REPEATED_WITHIN)


def repeats_correction(edit: Edit) -> bool:
    """Return whether readers have the note of a correction that changes nothing else."""
    if edit.data.change is not Change.CORRECTION or not edit.keeps_public_content or not edit.publications:
        return False
    last = edit.publications[-1]
    return last.note == edit.data.note and last.occurred_at > edit.now - REPEATED_WITHIN


_DECLARED: Final = ("connections", "third_party_paid", "declared_by", "declared_on")


def repeats_declaration(declaration: ConnectionDeclaration) -> bool:
    """Return whether a declaration that was stored equals the one before it of its actor; one query."""
    actor = RecordedActor(declaration.recorded_by, declaration.actor_kind, declaration.actor_id)
    earlier = ConnectionDeclaration.objects.filter(post=declaration.post_id, pk__lt=declaration.pk)
    last = earlier.filter(**actor.columns("recorded_by")).order_by("-id").first()
    if last is None or last.created_at <= declaration.created_at - REPEATED_WITHIN:
        return False
    return all(getattr(last, name) == getattr(declaration, name) for name in _DECLARED)


def repeated_proposal(
    post: Post, *, fields: dict[str, object], base: dict[str, object], actor: RecordedActor, now: datetime
) -> Proposal | None:
    """Return the last undecided proposal of an actor if it is the same; one query."""
    last = undecided_proposals().filter(post=post.pk, **actor.columns()).order_by("-id").first()
    if last is None or last.created_at <= now - REPEATED_WITHIN:
        return None
    return last if (last.fields, last.base) == (fields, base) else None
