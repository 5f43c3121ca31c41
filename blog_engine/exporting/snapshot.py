"""Reading the whole blog as of one moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections, router, transaction

from blog_engine.models import Post
from blog_engine.models.reading import reading_what_is_written


@contextmanager
def snapshot() -> Iterator[str]:
    """Yield the alias of the database, whose rows stay those of one moment inside the block; writers go on.

    Inside a transaction of the caller it is that transaction, as isolated as the caller made it. On SQLite, writers
    wait for the end of the block unless the journal mode is WAL.
    """
    alias = router.db_for_write(Post)
    # Of the wrapper for SQLite, in part.
    connection: Any = connections[alias]
    with reading_what_is_written():
        if connection.in_atomic_block:
            yield alias
        elif connection.vendor == "sqlite":
            with _deferred(connection), transaction.atomic(using=alias):
                _begin_to_read(connection)
                yield alias
        else:
            with transaction.atomic(using=alias):
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                _begin_to_read(connection)
                yield alias


def _begin_to_read(connection: Any) -> None:
    # The moment of the transaction is that of the first statement that reads.
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM blog_engine_post LIMIT 1")
        cursor.fetchall()


@contextmanager
def _deferred(connection: Any) -> Iterator[None]:
    """Let the transaction begin without the lock for writing, which hosts often choose for SQLite."""
    connection.ensure_connection()
    before = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = before
