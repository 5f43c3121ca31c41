"""Chaining the records of the history: each record that a write stores gets its link when the write ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from django.db import connections

from blog_engine.models import ChainLink
from blog_engine.models.base import whole_milliseconds
from blog_engine.models.reading import database_of
from blog_engine.queries.chain import end_of_chain, kinds_of_links
from blog_engine.rules.chain import ChainedRecord, ChainEnd, link_of_replacement, links_after


@dataclass(frozen=True, slots=True)
class _Replacement:
    """The records of an earlier adoption are gone, and those of a new one follow."""

    post_id: int
    created_at: datetime


_Step: TypeAlias = ChainedRecord | _Replacement
_STEPS: Final[ContextVar[list[_Step]]] = ContextVar("blog_engine_chained")


@contextmanager
def chaining_records() -> Iterator[None]:
    """Chain at the end of the block, inside its transaction, the records that ``store_record`` stored in it.

    The posts must be locked. One select and one insert for each post; nothing if the transaction is to be rolled back.
    """
    steps = list[_Step]()
    token = _STEPS.set(steps)
    try:
        yield
    finally:
        _STEPS.reset(token)
    if steps and not connections[database_of(ChainLink)].needs_rollback:
        for post in dict.fromkeys(step.post_id for step in steps):
            _chain([step for step in steps if step.post_id == post], post=post)


def store_record(record: ChainedRecord) -> None:
    """Store a row of the history, its times in whole milliseconds, which is chained when the write ends."""
    for column in record._meta.concrete_fields:
        time = getattr(record, column.attname)
        if isinstance(time, datetime):
            setattr(record, column.attname, whole_milliseconds(time))
    record.save()
    _STEPS.get().append(record)


def note_replacement(post_id: int, *, now: datetime) -> None:
    """Note that the records of the adoption of a post are deleted, before those of the next one are stored."""
    _STEPS.get().append(_Replacement(post_id, now))


def _chain(steps: list[_Step], *, post: int) -> None:
    end, links = end_of_chain(post), list[ChainLink]()
    for step in steps:
        if isinstance(step, _Replacement):
            kinds = [*kinds_of_links(post), *((link.position, link.kind) for link in links)]
            links.append(link_of_replacement(end, kinds, post=post, now=step.created_at))
        else:
            links += links_after(end, [step], post=post, now=step.created_at)
        end = ChainEnd.of(links[-1])
    ChainLink.objects.bulk_create(links)
