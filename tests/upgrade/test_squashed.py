"""The squashed migration makes the tables of the replaced ones, which go on where a database has some of them."""

import re
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from blog_engine.models.protection import missing_protection, missing_version_triggers
from blog_engine.testing import allow_flush
from tests.requirements import requirement
from tests.upgrade.old_releases import APP, migrate, tables_of, to_the_latest

allow_flush()

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.heavy]

SQUASHED = "0001_squashed_0043_authors_and_reach"
EARLIER = "0001_squashed_0028_proposed_revisions"
"""What blogs that began between the releases have recorded."""
REPLACED = [name for _, name in import_module(f"blog_engine.migrations.{SQUASHED}").Migration.replaces]
STOPS = [
    "0001_initial",
    "0005_featured_posts",
    "0012_content_version",
    "0020_chain",
    "0028_proposed_revisions",
    "0037_passkeys",
    REPLACED[-1],
]
"""0005 is the last migration of release 0.1.0."""


def applied() -> set[str]:
    return {name for app, name in MigrationRecorder(connection).applied_migrations() if app == APP}


def later() -> set[str]:
    """The migrations after the squashed one."""
    names = {name for app, name in MigrationExecutor(connection).loader.disk_migrations if app == APP}
    return names - {*REPLACED, SQUASHED}


def schema() -> list[Any]:
    """Return tables, columns, constraints, indexes and triggers; on SQLite without quotes and the order of columns."""
    statement = _ON_SQLITE if connection.vendor == "sqlite" else _ON_POSTGRESQL
    with connection.cursor() as cursor:
        cursor.execute(statement)
        rows = cursor.fetchall()
    if connection.vendor == "sqlite":
        return sorted((name, sorted(re.split(r", (?![^(]*\))|[()]", sql.replace('"', "")))) for name, sql in rows)
    return sorted(rows)


_ON_SQLITE = "SELECT name, sql FROM sqlite_master WHERE name LIKE 'blog_engine_%' AND sql IS NOT NULL"
_ON_POSTGRESQL = """
    SELECT relname, format('column %s', row_number() OVER (PARTITION BY attrelid ORDER BY attnum)), concat_ws(
            ' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid)
        )
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relname LIKE 'blog_engine_%' AND attnum > 0 AND NOT attisdropped
    UNION SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE conrelid::regclass::text LIKE 'blog_engine_%'
    UNION SELECT tablename, indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'blog_engine_%'
    UNION SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(pg_trigger.oid) || pg_get_functiondef(tgfoid)
        FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE 'blog_engine_%'
"""


@pytest.mark.parametrize("stop", STOPS)
@requirement("host.upgrade.protection")
def test_a_database_that_stopped_in_the_middle_goes_on_and_gets_the_tables_of_a_new_blog(stop: str) -> None:
    migrate(None)
    to_the_latest()
    new = schema()
    migrate(None)
    assert (schema(), applied()) == ([], set())
    migrate(stop)
    assert applied() - {SQUASHED} == set(REPLACED[: REPLACED.index(stop) + 1])

    to_the_latest()

    assert schema() == new
    assert applied() == {*REPLACED, SQUASHED, *later()}
    assert missing_protection(connection) + missing_version_triggers(connection) == []


@pytest.mark.parametrize("stop", ["0028_proposed_revisions", "0030_review_conversation", REPLACED[-1]])
@requirement("host.upgrade.protection")
def test_a_blog_that_began_with_the_earlier_squashed_migration_goes_on(stop: str) -> None:
    migrate(None)
    to_the_latest()
    new = schema()
    migrate(None)
    migrate(stop)
    recorder = MigrationRecorder(connection)
    recorder.record_applied(APP, EARLIER)

    to_the_latest()

    assert schema() == new
    assert applied() == {*REPLACED, SQUASHED, EARLIER, *later()}
    assert missing_protection(connection) + missing_version_triggers(connection) == []
    recorder.record_unapplied(APP, EARLIER)


def test_a_new_blog_needs_one_migration() -> None:
    migrate(None)
    executor = MigrationExecutor(connection)

    plan = executor.migration_plan([(APP, SQUASHED)])
    to_the_latest()

    assert [(migration.name, is_undone) for migration, is_undone in plan] == [(SQUASHED, False)]
    assert applied() == {*REPLACED, SQUASHED, *later()}


@pytest.mark.parametrize("stop", STOPS[1:-1])
@requirement("history.protection.undoing")
def test_a_new_blog_can_be_undone_to_a_replaced_migration(stop: str) -> None:
    with tables_of(stop):
        old = schema()
    migrate(stop)

    undone = schema()
    migrate(None)
    nothing = schema()
    to_the_latest()

    assert (undone, nothing) == (old, [])
    assert missing_protection(connection) + missing_version_triggers(connection) == []
