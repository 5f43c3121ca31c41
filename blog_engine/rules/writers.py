"""The last writer of the content of a post, as the notes of its last writes show."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any


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
