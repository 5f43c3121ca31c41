"""Migrations on PostgreSQL while others read: all locks at once, no deadlock, and all readers are answered."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor

from blog_engine.models import locking
from blog_engine.models.locking import LockTables, lock_tables
from blog_engine.models.protection import RenewProtection, missing_protection, restore_protection
from blog_engine.testing import allow_flush
from tests.requirements import requirement
from tests.support.tables import execute
from tests.upgrade.old_releases import first_release, migrate, next_migrations, to_the_latest

allow_flush()

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

FIRST, LAST = "blog_engine_approval", "blog_engine_tag"
PATIENCE = 20


@contextmanager
def another_connection() -> Iterator[Any]:
    """A connection of its own to the same database."""
    other: BaseDatabaseWrapper = connection.copy()
    try:
        yield other
    finally:
        other.close()


def renew() -> None:
    """Run a migration that renews the triggers of all tables."""
    migration = Migration("9999_later", "blog_engine")
    migration.operations = [RenewProtection()]
    with connection.schema_editor(atomic=True) as editor:
        migration.apply(MigrationExecutor(connection).loader.project_state(), editor)


@requirement("host.upgrade.locks")
@pytest.mark.parametrize("change", [renew, lambda: restore_protection(connection)], ids=["migration", "repair"])
def test_a_reader_who_holds_the_last_table_and_wants_the_first_goes_on(change: Callable[[], None]) -> None:
    failures: list[BaseException] = []
    holds, ended = Event(), Event()

    def read() -> None:
        try:
            with another_connection() as other, transaction_on(other), other.cursor() as cursor:
                cursor.execute(f"SELECT count(*) FROM {LAST}")  # noqa: S608  our own tables
                holds.set()
                time.sleep(0.3)
                cursor.execute(f"SELECT count(*) FROM {FIRST}")  # noqa: S608  our own tables
        except BaseException as fault:
            failures.append(fault)
        ended.set()

    reader = Thread(target=read)
    reader.start()
    assert holds.wait(PATIENCE)
    change()
    reader.join(PATIENCE)

    assert (failures, ended.is_set()) == ([], True)
    assert missing_protection(connection) == []


@contextmanager
def transaction_on(other: BaseDatabaseWrapper) -> Iterator[None]:
    """A transaction on a connection that has no alias of its own."""
    other.ensure_connection()
    other.set_autocommit(False)
    try:
        yield
    finally:
        other.rollback()
        other.set_autocommit(True)


@requirement("host.upgrade.locks")
def test_a_table_that_stays_locked_ends_the_migration_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "_PATIENCE", 1.0)
    execute("SET statement_timeout = '17s'")

    with another_connection() as other, transaction_on(other), other.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {LAST}")  # noqa: S608  our own tables
        with pytest.raises(CommandError, match="other sessions kept tables of the blog locked"):
            renew()

    renew()
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("17s",)
    execute("RESET statement_timeout")


@requirement("host.upgrade.locks")
def test_the_time_limit_of_the_lock_is_not_that_of_the_migration() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        lock_tables(connection, apps)
        cursor.execute("SELECT current_setting('statement_timeout'), pg_sleep(0.6)")
        assert cursor.fetchone()[0] == "0"


@requirement("host.upgrade.locks")
def test_sqlmigrate_prints_the_lock() -> None:
    migration = Migration("9999_later", "blog_engine")
    migration.operations = [LockTables()]

    with connection.schema_editor(collect_sql=True) as editor:
        migration.apply(MigrationExecutor(connection).loader.project_state(), editor, collect_sql=True)

    (statement,) = (line for line in editor.collected_sql if not line.startswith("--"))
    assert statement.startswith('LOCK TABLE "blog_engine_apitoken", "blog_engine_approval"')
    assert statement.endswith("IN ACCESS EXCLUSIVE MODE;")


@pytest.mark.heavy
@requirement("host.upgrade.locks")
def test_every_migration_that_locks_several_tables_locks_all_of_them_first() -> None:
    migrate("0003_search_vector")
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    plan = executor.migration_plan(newest)
    # Later ones refer to the users of the host.
    others = [node for node in newest if node[0] != "blog_engine"]
    state = executor.loader.project_state([*others, ("blog_engine", "0003_search_vector")])
    partial = {}
    for migration, _ in plan:
        before = _tables()
        with connection.schema_editor(atomic=migration.atomic) as editor:
            state = migration.apply(state, editor)
            for statement in editor.deferred_sql:
                editor.execute(statement, None)
            editor.deferred_sql.clear()
            locked = _locked() & before
        executor.recorder.record_applied(migration.app_label, migration.name)
        if 1 < len(locked) < len(before):
            partial[migration.name] = locked

    assert partial == {}


def _tables() -> set[str]:
    return {name for name in connection.introspection.table_names() if name.startswith("blog_engine_")}


def _locked() -> set[str]:
    """Return the tables that this transaction keeps from writers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_locks JOIN pg_class ON pg_class.oid = relation WHERE pid = pg_backend_pid() "
            "AND relkind = 'r' AND mode = ANY(%s)",
            [["AccessExclusiveLock", "ExclusiveLock", "ShareRowExclusiveLock", "ShareLock"]],
        )
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.heavy
@requirement("host.upgrade.locks")
def test_readers_in_every_order_meet_no_deadlock() -> None:
    failures: list[str] = []
    done = Event()

    def read(seed: int) -> None:
        order = random.Random(seed)  # noqa: S311  no secret
        with another_connection() as other:
            while not done.is_set():
                tables = order.sample(OLD_TABLES, 4)
                try:
                    with transaction_on(other), other.cursor() as cursor:
                        for table in tables:
                            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608  our own tables
                            time.sleep(0.005)
                    time.sleep(order.uniform(0, 0.1))
                except Exception as fault:
                    failures.append(f"{tables}: {fault}")

    with first_release():
        readers = [Thread(target=read, args=[seed]) for seed in range(4)]
        for reader in readers:
            reader.start()
        try:
            applied = list(next_migrations())
        finally:
            done.set()
            for reader in readers:
                reader.join(PATIENCE)
    to_the_latest()

    assert failures == []
    assert len(applied) > 20


OLD_TABLES = [
    *("blog_engine_post", "blog_engine_revision", "blog_engine_publication", "blog_engine_approval", "blog_engine_tag"),
    *("blog_engine_image", "blog_engine_category", "blog_engine_author", "blog_engine_series", "blog_engine_baseline"),
]
"""Tables of the first release."""
