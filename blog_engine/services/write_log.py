"""One line in the log for each write: who did what to which post, and how it ended."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic

from blog_engine.actor import Actor
from blog_engine.content.text import LogValue, log_line
from blog_engine.errors import Refusal

logger = logging.getLogger("blog_engine.writes")


@dataclass(slots=True)
class _Write:
    operation: str
    actor: Actor | None
    start: float = field(default_factory=monotonic)
    post_id: int | None = None
    is_dry_run: bool = False
    is_empty: bool = False

    def log(self, level: int, *, outcome: str, code: str | None = None, error: str | None = None) -> None:
        fields: dict[str, LogValue] = {
            "actor": self.actor.name if self.actor else None,
            "actor_id": self.actor.id if self.actor else None,
            "operation": self.operation,
            "post": self.post_id,
            "outcome": outcome,
            "code": code,
            "error": error,
            "duration_ms": round((monotonic() - self.start) * 1000, 1),
            "dry_run": self.is_dry_run,
        }
        logger.log(level, "%s", log_line(fields), extra={"blog_engine": fields})


_CURRENT: ContextVar[_Write | None] = ContextVar("blog_engine_write", default=None)


@contextmanager
def logged_write(
    operation: str, *, actor: Actor | None, refusal_of: Callable[[Exception], Refusal | None]
) -> Iterator[None]:
    """Log the write in this block once it has ended, and let its exception pass.

    ``refusal_of`` returns the refusal that an exception means, or ``None`` for a bug, whose traceback is logged
    elsewhere. Nothing that was sent is logged: no text, no details of a refusal.
    """
    write = _Write(operation, actor)
    before = _CURRENT.set(write)
    try:
        yield
    except BaseException as fault:
        refusal = refusal_of(fault) if isinstance(fault, Exception) else None
        if refusal is None:
            write.log(logging.ERROR, outcome="failed", error=type(fault).__name__)
        else:
            level = logging.WARNING if refusal.is_our_own_fault else logging.INFO
            write.log(level, outcome="refused", code=refusal.code)
        raise
    else:
        if not write.is_empty:
            write.log(logging.INFO, outcome="done")
    finally:
        _CURRENT.reset(before)


def note_post(post_id: int) -> None:
    """Log this post with the current write, if there is one."""
    if write := _CURRENT.get():
        write.post_id = post_id


def note_dry_run() -> None:
    """Log the current write as a dry run."""
    if write := _CURRENT.get():
        write.is_dry_run = True


def note_nothing() -> None:
    """Log nothing for the current write, which had nothing to do."""
    if write := _CURRENT.get():
        write.is_empty = True
