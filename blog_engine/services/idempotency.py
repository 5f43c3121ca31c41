"""Calls that a client repeats with their ``Idempotency-Key``, and that are carried out once (api.idempotency)."""

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

from blog_engine.actor import Actor
from blog_engine.errors import IdempotencyConflict, IdempotencyKeyReused
from blog_engine.models import IdempotencyKey
from blog_engine.services._transaction import try_lock_call, write_transaction
from blog_engine.services.write_log import note_nothing

KEPT: Final = timedelta(days=1)
MOST_BYTES: Final = 1024 * 1024
"""Bytes of a compressed answer that is kept."""
_AT_ONCE: Final = 1_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The parts of an answer that are given again."""

    status: int
    body: bytes
    etag: str = ""


def carried_out_once(
    key: str,
    work: Callable[[], T],
    *,
    request: str,
    actor: Actor,
    now: datetime,
    as_kept: Callable[[T], KeptAnswer | None],
) -> T | KeptAnswer:
    """Return the answer of ``work``, or the one that it had under this key of the actor in the last 24 hours.

    What it writes and its answer are stored in one transaction. ``request`` is the digest of the call, and ``as_kept``
    returns what is kept of its answer, ``None`` for nothing. A refusal of ``work`` is raised, and nothing is kept.
    Raises ``IdempotencyKeyReused`` for a key of another call, and ``IdempotencyConflict`` while the first call is at
    work, or when its answer was too large to keep.
    """
    digest = hashlib.sha256(f"{actor.kind}\0{actor.id}\0{key}".encode()).hexdigest()
    with write_transaction():
        if not try_lock_call(digest):
            raise IdempotencyConflict(hint="It is still at work: wait a second, then send the same call again.")
        kept = IdempotencyKey.objects.filter(digest=digest, created_at__gt=now - KEPT).first()
        if kept is not None:
            note_nothing()
            return _again(kept, request=request)
        answer = work()
        if (own := as_kept(answer)) is not None:
            body = zlib.compress(own.body)
            IdempotencyKey.objects.update_or_create(
                digest=digest,
                defaults={
                    "actor_id": actor.id,
                    "request": request,
                    "status": own.status,
                    "etag": own.etag,
                    "answer": body if len(body) <= MOST_BYTES else None,
                    "created_at": now,
                },
            )
        return answer


def _again(kept: IdempotencyKey, *, request: str) -> KeptAnswer:
    if kept.request != request:
        raise IdempotencyKeyReused
    if kept.answer is None:
        raise IdempotencyConflict(hint="It was carried out, but its answer was too large to keep: read what it wrote.")
    return KeptAnswer(kept.status, zlib.decompress(kept.answer), kept.etag)


def prune_idempotency_keys(*, now: datetime) -> int:
    """Delete the answers that are no longer given again, and return their number."""
    total = 0
    while deleted := _delete_some(before=now - KEPT):
        total += deleted
    return total


def _delete_some(*, before: datetime) -> int:
    some = IdempotencyKey.objects.filter(created_at__lte=before).order_by().values("pk")[:_AT_ONCE]
    deleted, _ = IdempotencyKey.objects.filter(pk__in=some).delete()
    return deleted
