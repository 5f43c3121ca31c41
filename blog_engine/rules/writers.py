"""The last writer of the content of a post: as the notes of its last writes show, and until a revision records it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from blog_engine.actor import RecordedActor
from blog_engine.conf import get_settings
from blog_engine.content.text import fold
from blog_engine.models import Post, Proposal, Revision


@dataclass(frozen=True, slots=True)
class LastWrite:
    """The write that made the content of a post."""

    actor: str | None
    kind: str | None
    at: datetime


def last_write_of(stored: Mapping[str, Any]) -> LastWrite:
    """Return who wrote the content of a post with these columns last, and when.

    Its notes have the identifier of each write. Of content that was there before the first of them, it is that one.
    """
    identifier = stored["current_revision_identifier"]
    same = list(takewhile(lambda note: note["revision"] == identifier, reversed(stored["recent_writes"])))
    actor = stored["unrecorded_actor"]
    if not same:
        return LastWrite(actor, None, stored["updated_at"])
    first = same[-1]
    kind = first.get("actor_kind") if actor in {None, first["actor"]} else None
    return LastWrite(actor or first["actor"], kind, datetime.fromisoformat(first["at"]))


def writer_of(post: Post) -> RecordedActor:
    """Return who made the content of a post that no revision records.

    The previous version of the engine notes a name alone, so that kind and id are those of another content.
    """
    noted = post.unrecorded_by or {}
    if noted.get("revision") != post.current_revision_identifier:
        return RecordedActor(post.unrecorded_actor, None, None)
    return RecordedActor(post.unrecorded_actor, noted["kind"], noted["id"])


def recorder_of(revision: Revision) -> RecordedActor:
    """Return who made the content of a revision."""
    return RecordedActor(revision.actor, revision.actor_kind, revision.actor_id)


def proposer_of(proposal: Proposal) -> RecordedActor:
    """Return who made a proposal."""
    return RecordedActor(proposal.actor, proposal.actor_kind, proposal.actor_id)


def signs_own_version(writer: RecordedActor, reviewer: RecordedActor) -> bool:
    """Return whether the writer is the reviewer, whose approval ``distinct_reviewer`` refuses."""
    return get_settings().distinct_reviewer and _is_same(writer, reviewer)


def _is_same(writer: RecordedActor, reviewer: RecordedActor) -> bool:
    # By name where no id was recorded.
    if writer.id is None:
        return writer.name is not None and fold(writer.name) == fold(reviewer.name or "")
    return (writer.kind, writer.id) == (reviewer.kind, reviewer.id)
