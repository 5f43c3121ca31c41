"""A database that an earlier release made, in the place of the test database's own tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from tests.models.looking import HISTORY, execute, is_of_a_trigger

APP = "blog_engine"
TABLES = [model._meta.db_table for model in HISTORY]

_FIRST_RELEASE = ("0001_initial", "0002_protect_history", "0003_search_vector")
_HERE = Path(__file__).parent

Row = tuple[str | None, ...]


@contextmanager
def tables_of(migration: str) -> Iterator[Any]:
    """The empty tables of a migration inside the block, and today's after it; gives that migration's models."""
    migrate(None)
    migrate(migration)
    try:
        yield MigrationExecutor(connection).loader.project_state([(APP, migration)]).apps
    finally:
        _as_today()


@contextmanager
def first_release() -> Iterator[None]:
    """The tables and rows of the first release inside the block, today's empty tables after it."""
    migrate(None)
    try:
        _load((_HERE / f"first_release.{connection.vendor}.sql").read_bytes().decode())
        recorder = MigrationRecorder(connection)
        for name in _FIRST_RELEASE:
            recorder.record_applied(APP, name)
        yield
    finally:
        _as_today()


def migrate(target: str | None) -> None:
    """Bring the engine's tables to one migration, forwards or backwards; ``None`` takes them away."""
    MigrationExecutor(connection).migrate([(APP, target)])


def next_migrations() -> Iterator[str]:
    """The migrations that are still to come, one after the other; each is applied when the next one is asked for."""
    executor = MigrationExecutor(connection)
    leaves = [key for key in executor.loader.graph.leaf_nodes() if key[0] == APP]
    for migration, _ in executor.migration_plan(leaves):
        migrate(migration.name)
        yield migration.name


def to_the_latest() -> None:
    """Apply what is still to come, as ``manage.py migrate`` does."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def columns_of(table: str) -> list[str]:
    """The columns that a table has now."""
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]


def texts_of(columns: dict[str, list[str]]) -> dict[str, list[Row]]:
    """These columns of every row of these tables, as the database itself writes them, in the order of the ids."""
    return {table: _texts(table, names) for table, names in columns.items()}


def assert_nothing_can_be_rewritten() -> None:
    """Each history table holds rows, and its triggers refuse to change and to delete every one of them."""
    for table in TABLES:
        for statement in (f'UPDATE "{table}" SET created_at = created_at', f'DELETE FROM "{table}"'):  # noqa: S608  our own tables
            with pytest.raises(IntegrityError) as refused, transaction.atomic():
                execute(statement)
            assert is_of_a_trigger(refused.value), statement


def _texts(table: str, columns: list[str]) -> list[Row]:
    chosen = ", ".join(f'CAST("{column}" AS text)' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT {chosen} FROM "{table}" ORDER BY id')  # noqa: S608  our own tables and columns
        return cursor.fetchall()


def _load(dump: str) -> None:
    if connection.vendor == "sqlite":
        # Rows come before the tables that they refer to.
        with connection.constraint_checks_disabled():
            connection.connection.executescript(f"BEGIN;\n{dump}COMMIT;")
        connection.check_constraints()
    else:
        # PostgreSQL takes many statements at once where there are no parameters.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(dump)


def _as_today() -> None:
    migrate(None)
    to_the_latest()
