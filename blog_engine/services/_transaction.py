"""The transaction of a write: its locks, and the chain of the records that it stores.

Locks are taken in one order, so that writers do not deadlock: translations, post, source of an adoption, redirects,
unique values, search words.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from django.db import IntegrityError, connections, router, transaction
from django.db.models import QuerySet

from blog_engine.errors import Busy, Refusal
from blog_engine.images.files import without_files
from blog_engine.models import ChainLink, Post, Redirect
from blog_engine.models.base import whole_milliseconds
from blog_engine.models.reading import database_of, reading_what_is_written
from blog_engine.queries.chain import end_of_chain, kinds_of_links
from blog_engine.queries.database import engine_connection
from blog_engine.queries.posts import PostByKey
from blog_engine.rules.chain import ChainedRecord, ChainEnd, link_of_replacement, links_after
from blog_engine.services.write_log import note_post


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


_REDIRECT_LOCK = 0x626C6F67
"""The key of the advisory lock over the graph of redirects: a constant that no other application uses."""
_CHECKPOINT_LOCK = _REDIRECT_LOCK + 1
_TRANSLATION_LOCK = _REDIRECT_LOCK + 2


class Collision(Exception):
    """A row breaks a constraint, perhaps because another writer took a unique value since it was checked.

    ``refusal`` returns what that means, if it means something. It is asked once the transaction is rolled back, because
    a failed one answers no query.
    """

    def __init__(self, refusal: Callable[[], Refusal | None], fault: IntegrityError) -> None:
        super().__init__(str(fault))
        self.refusal = refusal
        self.fault = fault


@contextmanager
def write_transaction() -> Iterator[None]:
    """Open a transaction that, on SQLite, starts with a write; raises the refusal of a ``Collision``.

    Raises ``Busy`` when the transaction cannot be committed because a record that it refers to was deleted meanwhile.

    A SQLite transaction that reads first and writes later fails at once when another writer comes in between; one that
    starts with a write waits as long as the timeout of the connection allows.
    """
    alias = router.db_for_write(Post)
    has_ended = False
    with reading_what_is_written():
        try:
            with transaction.atomic(using=alias), chaining_records():
                connection = connections[alias]
                if connection.vendor == "sqlite":
                    with connection.cursor() as cursor:
                        cursor.execute("UPDATE blog_engine_redirect SET id = id WHERE id < 0")
                yield
                has_ended = True
        except Collision as collision:
            raise (collision.refusal() or collision.fault) from collision.fault
        except IntegrityError as fault:
            # Foreign keys are checked at the commit. The same write does not find the deleted record again.
            if has_ended:
                raise Busy from fault
            raise


def savepoint() -> AbstractContextManager[None]:
    """Open a part of the transaction that can fail without the rest."""
    return transaction.atomic(using=router.db_for_write(Post))


_IS_REHEARSAL: ContextVar[bool] = ContextVar("blog_engine_rehearsal", default=False)


@contextmanager
def rehearsal() -> Iterator[None]:
    """Roll back all writes of this block at its end: no file is stored, and nothing is called after their commits.

    Until then other writers wait for the locks of these writes.
    """
    before = _IS_REHEARSAL.set(True)
    try:
        with without_files(), write_transaction():
            yield
            roll_back()
    finally:
        _IS_REHEARSAL.reset(before)


def after_commit(callback: Callable[[], object]) -> None:
    """Call a function once the transaction is committed, or at once outside of a transaction."""
    if _IS_REHEARSAL.get():
        return
    transaction.on_commit(callback, using=router.db_for_write(Post))


def roll_back() -> None:
    """Make the innermost ``write_transaction`` roll back when it ends; its ``after_commit`` callbacks do not run."""
    transaction.set_rollback(True, using=router.db_for_write(Post))


def lock_redirects() -> None:
    """Lock the graph of redirects until the transaction ends; on SQLite a writer holds all locks already."""
    _hold(_REDIRECT_LOCK)


def lock_checkpoints() -> None:
    """Lock the right to store a checkpoint until the transaction ends; on SQLite as above."""
    _hold(_CHECKPOINT_LOCK)


def lock_source(system: str, source_id: str) -> None:
    """Lock the right to adopt an article of another system until the transaction ends; on SQLite as above."""
    digest = hashlib.sha256(f"{system}\0{source_id}".encode()).digest()
    _hold(int.from_bytes(digest[:8], signed=True))


def lock_actor(actor_id: str) -> None:
    """Lock the right of an actor to open upload tickets until the transaction ends; on SQLite as above."""
    digest = hashlib.sha256(f"actor\0{actor_id}".encode()).digest()
    _hold(int.from_bytes(digest[:8], signed=True))


def try_lock_call(digest: str) -> bool:
    """Lock the right to answer a call with a key until the transaction ends; ``False`` while another one has it.

    On SQLite a writer holds all locks already: the other call has waited for the first one.
    """
    connection = connections[router.db_for_write(Redirect)]
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        key = int.from_bytes(bytes.fromhex(digest)[:8], signed=True)
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key])
        return bool(cursor.fetchone()[0])


def _hold(key: int) -> None:
    connection = connections[router.db_for_write(Redirect)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def lock_translations(translated: str, own: Post | None) -> None:
    """Lock the right to change translation groups, a post that the write names as translated, and its own post.

    In the order of their ids, as the order of a series locks its posts; on SQLite a writer holds all locks already.
    """
    _hold(_TRANSLATION_LOCK)
    found = [post.pk for post in (own, _IDS.first(translated)) if post is not None]
    held = Post.objects.filter(pk__in=found).order_by("pk").select_for_update(of=("self",), no_key=True)
    list(held.values_list("pk", flat=True))


_IDS: Final = PostByKey(lambda: Post.objects.only("pk").order_by())


def lock_post(key: int | str, *, skip_locked: bool = False) -> Post | None:
    """Lock a post, read with its author, category and series, until the transaction ends; ``None``: there is none.

    ``key`` is its id, or a text that is its id or else slug. With ``skip_locked`` a post that another writer holds
    counts as none, where the database can skip it.
    """
    skips = skip_locked and engine_connection().features.has_select_for_update_skip_locked
    post = (_UNLOCKED if skips else _ANY).first(key)
    # PostgreSQL joins the records that the post had before another writer changed it: it finds no post that has another
    # author by now, and neither category nor series of one that has others.
    while post is None and not skips and _IDS.first(key) is not None:
        post = _ANY.first(key)
    if post is not None:
        note_post(post.pk)
        for name in _JOINED:
            if getattr(post, name) is None and getattr(post, f"{name}_id") is not None:
                post._state.fields_cache.pop(name)
    return post


_JOINED: Final = ("author", "category", "series")


def _lockable(*, skip_locked: bool) -> QuerySet[Post]:
    posts = Post.objects.select_related(*_JOINED).order_by()
    return posts.select_for_update(of=("self",), no_key=True, skip_locked=skip_locked)


_ANY: Final = PostByKey(partial(_lockable, skip_locked=False))
_UNLOCKED: Final = PostByKey(partial(_lockable, skip_locked=True))
