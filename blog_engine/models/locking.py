"""Locking the tables of the engine at the start of a migration, on PostgreSQL.

A migration that alters one table after another waits for each while it holds the ones before, and readers who read
them in another order wait for it: a deadlock. So it takes all locks at once, in one order. It gives them back before
PostgreSQL looks for a deadlock, which can end the statement of a reader, and tries again.
"""

import random
import time
from contextlib import suppress
from itertools import cycle
from typing import Any, Final, Literal

from django.apps.registry import Apps
from django.core.management import CommandError
from django.db import OperationalError, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

APP: Final = "blog_engine"
LockMode = Literal["ACCESS EXCLUSIVE", "SHARE ROW EXCLUSIVE"]

_WAITS: Final = (50, 100, 200, 500)
"""Milliseconds that tries wait for all tables, in turn.

Short ones, because a try that meets a deadlock waits in vain, and long ones for transactions that take a while. None is
longer than half of what PostgreSQL waits before it looks for a deadlock.
"""
_PATIENCE: Final = 120.0
"""Seconds after which it gives up."""
_PAUSE: Final = (0.05, 0.2)
"""Seconds between two tries, in which those who waited behind the migration go on."""
_BUSY: Final = {"40P01", "55P03", "57014"}
"""SQLSTATE of a deadlock, of a lock that is not available, and of a statement that took too long."""


class EngineOperation(Operation):
    """Base of migration operations that skip a database in which the router keeps no tables of the app."""

    reduces_to_sql = True
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if router.allow_migrate(schema_editor.connection.alias, app_label):
            self.forwards(schema_editor, to_state.apps)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if router.allow_migrate(schema_editor.connection.alias, app_label):
            self.backwards(schema_editor, to_state.apps)

    def forwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        raise NotImplementedError

    def backwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        raise NotImplementedError


class LockTables(EngineOperation):
    """Lock every table that the app has, in the order of their names, until the migration ends.

    The first operation of a migration that locks more than one table. ``SHARE ROW EXCLUSIVE`` is for one that only adds
    tables with foreign keys: readers go on meanwhile. SQLite has one lock, which the migration has.
    """

    def __init__(self, mode: LockMode = "ACCESS EXCLUSIVE") -> None:
        self.mode: LockMode = mode

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [self.mode], {}

    def forwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        lock_in_migration(schema_editor, registry, self.mode)

    backwards = forwards

    def describe(self) -> str:
        return "Lock the tables of the blog"


def lock_in_migration(
    schema_editor: BaseDatabaseSchemaEditor, registry: Apps, mode: LockMode = "ACCESS EXCLUSIVE"
) -> None:
    """Lock the tables of a registry as ``lock_tables`` does; ``sqlmigrate`` prints the statement."""
    if schema_editor.collect_sql:
        for statement in _statements(schema_editor.connection, registry, mode):
            schema_editor.execute(statement, params=None)
    else:
        lock_tables(schema_editor.connection, registry, mode)


def lock_tables(connection: BaseDatabaseWrapper, registry: Apps, mode: LockMode = "ACCESS EXCLUSIVE") -> None:
    """Lock the tables of a registry until the transaction ends; nothing outside one, which would keep no lock.

    Raises ``CommandError`` when other sessions keep a table locked for two minutes.
    """
    if connection.in_atomic_block:
        for statement in _statements(connection, registry, mode):
            _try_to_lock(connection, statement)


def _statements(connection: BaseDatabaseWrapper, registry: Apps, mode: LockMode) -> list[str]:
    models = registry.get_app_config(APP).get_models(include_auto_created=True)
    tables = sorted(model._meta.db_table for model in models)
    if connection.vendor != "postgresql" or not tables:
        return []
    return [f"LOCK TABLE {', '.join(map(connection.ops.quote_name, tables))} IN {mode} MODE"]


def _try_to_lock(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        (before,) = cursor.fetchone()
    end, waits = time.monotonic() + _PATIENCE, cycle(_WAITS)
    while not _has_locked(connection, statement, milliseconds=next(waits), timeout=before):
        if time.monotonic() > end:
            raise CommandError(
                f"Nothing was changed: for {_PATIENCE:.0f} seconds, other sessions kept tables of the blog "
                "locked, such as a backup. The view pg_stat_activity names them: xact_start is earliest. Wait for them "
                "or end them, then run the command again."
            )
        time.sleep(random.uniform(*_PAUSE))  # noqa: S311  no secret


def _has_locked(connection: BaseDatabaseWrapper, statement: str, *, milliseconds: int, timeout: str) -> bool:
    """Return whether the statement took its locks in time, without which it holds none; then set the usual timeout."""
    with suppress(_Busy), transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        try:
            cursor.execute(f"SET LOCAL statement_timeout = {milliseconds}")
            cursor.execute(statement)
        except OperationalError as fault:
            if getattr(fault.__cause__, "sqlstate", None) in _BUSY:
                raise _Busy from fault
            raise
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [timeout])
        return True
    return False


class _Busy(Exception):
    """Somebody else has one of the tables."""
