"""Versions of a post: what a writer expects of it, and what changed since."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from blog_engine.actor import RecordedActor
from blog_engine.content.text import in_utc
from blog_engine.errors import RevisionMismatch
from blog_engine.inputs.edits import ExpectedState
from blog_engine.models import Post
from blog_engine.queries.versions import is_named

VERSION_COLUMNS: Final = ("version", "recent_writes")
"""The columns that every write to a post sets."""
_MOST_NOTED: Final = 20
_MOST_LISTED: Final = 5
_FEWEST_DIGITS: Final = 8


def note_write(post: Post, what: Iterable[str], *, actor: RecordedActor, now: datetime) -> None:
    """Note what the present version of a post changed; the last 20 notes are kept.

    Call it once the revision identifier is set, and store the column ``recent_writes``.
    """
    note = {
        "version": post.version,
        "revision": post.current_revision_identifier,
        "actor": actor.name,
        "actor_kind": actor.kind,
        "at": in_utc(now, "seconds"),
        "what": list(what),
    }
    post.recent_writes = [*post.recent_writes[1 - _MOST_NOTED :], note]


def require_expected(post: Post | None, data: ExpectedState) -> None:
    """Raise ``RevisionMismatch`` unless the post is the one that the caller read (posts.expected).

    Its details are ``expected_revision`` and ``expected_version``, as far as they differ. The message names the writes
    since then. Without a post, both must be absent, or the version 0.
    """
    present = None if post is None else post.current_revision_identifier
    version = 0 if post is None else post.version
    wrong = []
    sent = data.expected_revision
    if sent is not None and (post is None or not is_named(sent, present, post=post)):
        wrong.append("expected_revision")
    if data.expected_version is not None and data.expected_version != version:
        wrong.append("expected_version")
    if wrong:
        raise RevisionMismatch(wrong, hint=_no_post() if post is None else _changes(post, data))


def _no_post() -> str:
    return "No stored post has that slug or external_id: leave the expectation out to make a new one."


def _changes(post: Post, data: ExpectedState) -> str:
    """Return what is known of the writes since the expected version, or else since the expected revision."""
    present = f"The post has version {post.version} and revision {post.current_revision_identifier}."
    since = _notes_since(post, data)
    if since is None:
        return f"{present} What you expect is not among its last {_MOST_NOTED} writes: read it again."
    lines = "; ".join(_line(note) for note in since[-_MOST_LISTED:])
    return f"{present} Since then: {lines or 'changes of other records'}. Read it again, then send your change again."


def _notes_since(post: Post, data: ExpectedState) -> list[dict[str, Any]] | None:
    notes: list[dict[str, Any]] = post.recent_writes
    if data.expected_version is not None and data.expected_version != post.version:
        after = data.expected_version
        if after > post.version or after == 0:
            return None
    else:
        sent = data.expected_revision or ""
        same = [note["version"] for note in notes if _begins(sent, note["revision"])]
        if not same:
            return None
        after = max(same)
    return [note for note in notes if note["version"] > after]


def _begins(sent: str, identifier: str) -> bool:
    return sent == identifier or (len(sent) >= _FEWEST_DIGITS and identifier.startswith(sent))


def _line(note: dict[str, Any]) -> str:
    what = ", ".join(note["what"]) or "nothing"
    return f"{note['actor'] or 'the schedule'} at {note['at']} ({what})"
