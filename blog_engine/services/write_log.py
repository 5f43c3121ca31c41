"""One line in the log for each write: who did what to which post, and how that ended (docs/running.md, Logs)."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Final

from blog_engine.actor import Actor
from blog_engine.content.log_line import LogValue, log_line
from blog_engine.errors import Refusal

logger = logging.getLogger("blog_engine.writes")

_OUR_OWN_FAULT: Final = 500
"""From this status on a refusal is about the installation and not about what was sent."""


@dataclass(slots=True)
class _Write:
    post_id: int | None = None
    is_rehearsal: bool = False
    is_none: bool = False


_UNDER_WAY: ContextVar[_Write | None] = ContextVar("blog_engine_write", default=None)


@contextmanager
def logged_write(
    operation: str, *, actor: Actor | None, refusal_of: Callable[[Exception], Refusal | None]
) -> Iterator[None]:
    """Log the write that this block is, once it has ended, and let its exception pass.

    ``refusal_of`` tells a refusal from a bug, whose traceback is left to those who log exceptions. Nothing of what was
    sent is logged: no text, no details of a refusal.
    """
    write = _Write()
    before, start = _UNDER_WAY.set(write), monotonic()
    try:
        yield
    except BaseException as fault:
        refusal = refusal_of(fault) if isinstance(fault, Exception) else None
        if refusal is None:
            _log(write, logging.ERROR, operation, actor, start, outcome="failed", error=type(fault).__name__)
        else:
            level = logging.WARNING if refusal.status >= _OUR_OWN_FAULT else logging.INFO
            _log(write, level, operation, actor, start, outcome="refused", code=refusal.code)
        raise
    else:
        if not write.is_none:
            _log(write, logging.INFO, operation, actor, start, outcome="done")
    finally:
        _UNDER_WAY.reset(before)


def note_post(post_id: int) -> None:
    """The write under way, if one is logged, is about this post."""
    if write := _UNDER_WAY.get():
        write.post_id = post_id


def note_rehearsal() -> None:
    """The write under way only shows what it would do."""
    if write := _UNDER_WAY.get():
        write.is_rehearsal = True


def note_nothing() -> None:
    """There turned out to be nothing to write, so that there is nothing to log."""
    if write := _UNDER_WAY.get():
        write.is_none = True


def _log(
    write: _Write,
    level: int,
    operation: str,
    actor: Actor | None,
    start: float,
    *,
    outcome: str,
    code: str | None = None,
    error: str | None = None,
) -> None:
    fields: dict[str, LogValue] = {
        "actor": actor.name if actor else None,
        "actor_id": actor.id if actor else None,
        "operation": operation,
        "post": write.post_id,
        "outcome": outcome,
        "code": code,
        "error": error,
        "duration_ms": round((monotonic() - start) * 1000, 1),
        "dry_run": write.is_rehearsal,
    }
    logger.log(level, "%s", log_line(fields), extra={"blog_engine": fields})
