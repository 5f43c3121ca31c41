"""The one transaction of a write, and the locks inside it (decisions.md 4, Locks; 9.10)."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import connections, router, transaction
from django.db.models.expressions import Combinable

from blog_engine.models import Post, Redirect
from blog_engine.models.reading import reading_what_is_written
from blog_engine.services.write_log import note_post

_REDIRECT_LOCK = 0x626C6F67
"""The key of the advisory lock over the redirect graph; any constant that is ours."""


@contextmanager
def write_transaction() -> Iterator[None]:
    """One transaction that, on SQLite, starts as a writer.

    A SQLite transaction that reads first and writes later fails at once when another writer came
    between; one that starts by writing waits as long as the connection's timeout allows.
    """
    alias = router.db_for_write(Post)
    with transaction.atomic(using=alias), reading_what_is_written():
        connection = connections[alias]
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("UPDATE blog_engine_redirect SET id = id WHERE id < 0")
        yield


def savepoint() -> AbstractContextManager[None]:
    """A part of the transaction that can fail alone, so that the rest goes on."""
    return transaction.atomic(using=router.db_for_write(Post))


def after_commit(callback: Callable[[], object]) -> None:
    """Call something once the transaction is committed, or at once outside of one."""
    transaction.on_commit(callback, using=router.db_for_write(Post))


def roll_back() -> None:
    """Undo everything that the innermost ``write_transaction`` wrote, once it ends; callbacks after it go, too."""
    transaction.set_rollback(True, using=router.db_for_write(Post))


def lock_redirects() -> None:
    """Hold the graph of redirects until the transaction ends; on SQLite a writer holds everything already."""
    _hold(_REDIRECT_LOCK)


def lock_source(system: str, source_id: str) -> None:
    """Hold the right to adopt an article of another system until the transaction ends; on SQLite as above."""
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
