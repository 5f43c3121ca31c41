"""Which statuses a successful call may have (service.md section 4.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from blog_engine.outputs.outcome import WriteEnvelope
from blog_engine.vocabulary import PostStatus


class Made(Protocol):
    """An answer that tells whether the call made something new."""

    @property
    def created(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Success:
    """The statuses of an operation's answers: all that are possible, and which one an output has."""

    statuses: tuple[int, ...]
    of: Callable[[Any], int]


def _of_creation(made: Made) -> int:
    return 201 if made.created else 200


def _of_save(written: WriteEnvelope) -> int:
    return 202 if written.post.status == PostStatus.SCHEDULED else _of_creation(written)


def _of_release(written: WriteEnvelope) -> int:
    return 202 if written.post.status == PostStatus.SCHEDULED else 200


OK = Success((200,), lambda output: 200)
CREATED = Success((201,), lambda output: 201)
MADE_OR_CHANGED = Success((200, 201), _of_creation)
"""201 for something new, else 200."""
SAVED = Success((200, 201, 202), _of_save)
"""202 for a post that now waits for its time, else 201 for a new one, else 200."""
RELEASED = Success((200, 202), _of_release)
"""202 for a post that now waits for its time, else 200."""
