"""Differences between databases, and their errors as refusals."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.apps import apps
from django.db import (
    Error,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connections,
    router,
    transaction,
)
from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine.errors import Busy, Refusal, Unavailable
from blog_engine.models import Post
from blog_engine.models.reading import reading_what_is_written


def engine_connection() -> BaseDatabaseWrapper:
    """Return the connection on which the blog writes."""
    return connections[router.db_for_write(Post)]


@contextmanager
def one_snapshot() -> Iterator[str]:
    """Yield the alias of the database, whose rows stay those of one moment inside the block; writers go on.

    Inside a transaction of the caller it is that transaction, as isolated as the caller made it. On SQLite, writers
    wait for the end of the block unless the journal mode is WAL.
    """
    # Of the wrapper for SQLite, in part.
    connection: Any = engine_connection()
    alias: str = connection.alias
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


def is_database_available() -> bool:
    """Return whether the database can be reached, on a new connection if necessary."""
    try:
        with engine_connection().cursor() as cursor:
            cursor.execute("SELECT 1")
    except ProgrammingError:
        # It was reached: behind a pooler, it has this prepared statement of another process.
        return True
    except Error:
        return False
    return True


def prepares_statements_behind_a_pooler() -> bool:
    """Return whether statements are prepared on a connection to PostgreSQL that a pooler shares between transactions.

    Two connections are the same process of the server if the pooler gave it to the second one between two transactions
    of the first. A database out of reach is no pooler.
    """
    connection: Any = engine_connection()
    prepares = connection.settings_dict["OPTIONS"].get("prepare_threshold") is not None
    if connection.vendor != "postgresql" or not prepares or not is_database_available():
        return False
    first, second = connection.copy(), connection.copy()
    try:
        return any(_share_a_process(first, second) for _ in range(5))
    except ProgrammingError:
        # The second one found a statement that the first one prepared, or the first lost its own.
        return True
    finally:
        first.close()
        second.close()


def _share_a_process(first: BaseDatabaseWrapper, second: BaseDatabaseWrapper) -> bool:
    before = _process_of(first)
    second.ensure_connection()
    second.set_autocommit(False)
    try:
        meanwhile = _process_of(second)
        return meanwhile == before or _process_of(first) != before
    finally:
        second.rollback()
        second.set_autocommit(True)


def _process_of(connection: BaseDatabaseWrapper) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def missing_tables() -> list[str]:
    """Return the tables of the app that the database does not have."""
    there = set(engine_connection().introspection.table_names())
    models = apps.get_app_config("blog_engine").get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models} - there)


_SQLITE_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SQLITE_GONE: Final = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
)

# SQLSTATE of serialization failure, deadlock, lock timeout and statement timeout.
_POSTGRESQL_BUSY: Final = frozenset({"40001", "40P01", "55P03", "57014"})
# SQLSTATE classes of connection exception, insufficient resources and operator intervention.
_POSTGRESQL_GONE: Final = ("08", "53", "57")
# SQLSTATE of a transaction that was idle or open too long, and of a write to a read-only server such as a standby.
_POSTGRESQL_REFUSED: Final = frozenset({"25P03", "25P04", "25006"})


def refusal_of_database(fault: Exception) -> Refusal | None:
    """Return the refusal for a temporary database error, and a refusal itself; ``None`` for a bug."""
    if isinstance(fault, Refusal):
        return fault
    cause = fault.__cause__
    if isinstance(fault, InternalError):
        return Unavailable() if getattr(cause, "sqlstate", None) in _POSTGRESQL_REFUSED else None
    if not isinstance(fault, OperationalError | InterfaceError):
        return None
    if isinstance(cause, sqlite3.Error):
        # The low byte is the primary result code.
        kind = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return Busy() if kind in _SQLITE_BUSY else Unavailable() if kind in _SQLITE_GONE else None
    code = getattr(cause, "sqlstate", None)
    # The code of a statement timeout begins as those of a server that goes away.
    if code in _POSTGRESQL_BUSY:
        return Busy()
    # Without a code, PostgreSQL could not be reached.
    return Unavailable() if code is None or code.startswith(_POSTGRESQL_GONE) else None
