"""The transaction of a write, and the locks inside it.

Locks are taken in one order, so that writers do not deadlock: post, source of an adoption, redirects, unique values,
search words.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import connections, router, transaction
from django.db.models.expressions import Combinable

from blog_engine.models import Post, Redirect
from blog_engine.models.reading import reading_what_is_written
from blog_engine.services.write_log import note_post

_REDIRECT_LOCK = 0x626C6F67
"""The key of the advisory lock over the graph of redirects: a constant that no other application uses."""


@contextmanager
def write_transaction() -> Iterator[None]:
    """Open a transaction that, on SQLite, starts with a write.

    A SQLite transaction that reads first and writes later fails at once when another writer comes in between; one that
    starts with a write waits as long as the timeout of the connection allows.
    """
    alias = router.db_for_write(Post)
    with transaction.atomic(using=alias), reading_what_is_written():
        connection = connections[alias]
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("UPDATE blog_engine_redirect SET id = id WHERE id < 0")
        yield


def savepoint() -> AbstractContextManager[None]:
    """Open a part of the transaction that can fail without the rest."""
    return transaction.atomic(using=router.db_for_write(Post))


def after_commit(callback: Callable[[], object]) -> None:
    """Call a function once the transaction is committed, or at once outside of a transaction."""
    transaction.on_commit(callback, using=router.db_for_write(Post))


def roll_back() -> None:
    """Make the innermost ``write_transaction`` roll back when it ends; its ``after_commit`` callbacks do not run."""
    transaction.set_rollback(True, using=router.db_for_write(Post))


def lock_redirects() -> None:
    """Lock the graph of redirects until the transaction ends; on SQLite a writer holds all locks already."""
    _hold(_REDIRECT_LOCK)


def lock_source(system: str, source_id: str) -> None:
    """Lock the right to adopt an article of another system until the transaction ends; on SQLite as above."""
    digest = hashlib.sha256(f"{system}\0{source_id}".encode()).digest()
    _hold(int.from_bytes(digest[:8], signed=True))


def _hold(key: int) -> None:
    connection = connections[router.db_for_write(Redirect)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def lock_post(post_id: int | Combinable, *, skip_locked: bool = False) -> Post | None:
    """Lock a post against other writers until the transaction ends; ``None`` when there is none.

    With ``skip_locked`` a post that another writer holds counts as none.
    """
    rows = Post.objects.select_for_update(of=("self",), no_key=True, skip_locked=skip_locked)
    post = rows.filter(pk=post_id).first()
    if post is not None:
        note_post(post.pk)
    return post
