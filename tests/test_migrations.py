"""Migrations run forwards and backwards, match the models, and protect the history."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models
from django.db.migrations import AddConstraint, AddField, AlterField, Migration, RemoveField
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from blog_engine.models import Approval, Post
from blog_engine.models.protection import (
    RenewProtection,
    delete_history,
    missing_protection,
    missing_version_triggers,
)
from blog_engine.testing import allow_flush
from tests.requirements import requirement
from tests.support.programs import environment, run
from tests.support.tables import insert_history, stored_rows

allow_flush()

ALTERATIONS = {
    "a column of the history": AddField("revision", "colour", models.CharField(max_length=9, default="blue")),
    "a column of posts": AddField("post", "colour", models.CharField(max_length=9, default="blue")),
    "a column of the permit table": AddField("historypermit", "colour", models.CharField(max_length=9, default="blue")),
    "a wider column": AlterField("approval", "reviewer_name", models.CharField(max_length=300)),
    # Not a column that says which file it is: PostgreSQL alters none that a trigger names.
    "a column of images": AlterField("image", "credit", models.CharField(max_length=900, default="")),
    "a column of a list": AddField("category", "colour", models.CharField(max_length=9, default="blue")),
    "a column of the content version": AddField("contentversion", "colour", models.CharField(max_length=9, default="")),
    "a column less": RemoveField("image", "shared_bytes"),
    "a constraint": AddConstraint(
        "publication", models.CheckConstraint(condition=~models.Q(occurred_at=None), name="blog_engine_always")
    ),
}


def tables() -> set[str]:
    return {name for name in connection.introspection.table_names() if name.startswith("blog_engine_")}


def columns(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, table)}


def later(*operations: Operation, atomic: bool = True) -> Migration:
    """A migration after the last one."""
    migration = Migration("9999_later", "blog_engine")
    migration.operations = list(operations)
    migration.atomic = atomic
    return migration


@contextmanager
def applied(*operations: Operation, atomic: bool = True) -> Iterator[None]:
    """A migration after the last one, undone at the end."""
    loader = MigrationLoader(connection)
    migration = later(*operations, atomic=atomic)
    with connection.schema_editor(atomic=atomic) as editor:
        migration.apply(loader.project_state(), editor)
    try:
        yield
    finally:
        with connection.schema_editor(atomic=atomic) as editor:
            migration.unapply(loader.project_state(), editor)


def test_migrations_say_what_the_models_say(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.heavy
def test_a_host_with_other_automatic_keys_gets_no_migration(tmp_path: Path) -> None:
    host = f'from {os.environ["DJANGO_SETTINGS_MODULE"]} import *\nDEFAULT_AUTO_FIELD = "django.db.models.AutoField"\n'
    (tmp_path / "settings_of_a_host.py").write_text(host)
    paths = [str(tmp_path), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    own = environment({"DJANGO_SETTINGS_MODULE": "settings_of_a_host", "PYTHONPATH": os.pathsep.join(paths)})

    result = run([sys.executable, "-m", "django", "makemigrations", "--check", "--dry-run", "blog_engine"], env=own)

    assert (result.returncode, result.stdout) == (0, "No changes detected in app 'blog_engine'\n"), result.stderr


@pytest.mark.django_db(transaction=True)
@pytest.mark.heavy
def test_migrations_run_back_to_zero_and_forward_again_over_rows() -> None:
    before = tables()
    insert_history()

    MigrationExecutor(connection).migrate([("blog_engine", None)])
    without = tables()
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())

    assert without == set()
    assert tables() == before
    assert missing_protection(connection) + missing_version_triggers(connection) == []


@requirement("history.protection.undoing")
@pytest.mark.django_db
def test_going_back_to_zero_is_refused_while_something_is_published() -> None:
    insert_history()
    before = stored_rows()

    with pytest.raises(CommandError, match="Nothing was undone"):
        call_command("migrate", "blog_engine", "zero", verbosity=0)

    assert (stored_rows(), missing_protection(connection)) == (before, [])


@pytest.mark.heavy
@pytest.mark.django_db(transaction=True)
def test_the_protection_can_be_removed_and_created_again() -> None:
    MigrationExecutor(connection).migrate([("blog_engine", "0001_initial")])
    without = missing_protection(connection)
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())

    assert len(without) == {"sqlite": 54, "postgresql": 38}[connection.vendor]
    assert missing_protection(connection) == []


@requirement("history.protection.migrations", "page-cache.version.migrations")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic", [True, pytest.param(False, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("what", ALTERATIONS)
def test_history_stays_protected_when_a_later_migration_alters_its_tables(what: str, atomic: bool) -> None:
    insert_history()
    before = stored_rows()

    with applied(ALTERATIONS[what], atomic=atomic):
        during = missing_protection(connection) + missing_version_triggers(connection)
        with pytest.raises(IntegrityError):
            delete_history(Approval.objects.all())

    assert during == []
    assert missing_protection(connection) + missing_version_triggers(connection) == []
    assert stored_rows() == before


@requirement("history.protection.migrations")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic", [True, False])
def test_history_stays_protected_when_a_migration_fails(atomic: bool) -> None:
    insert_history()
    before = stored_rows()
    forbidden = AddConstraint("image", models.CheckConstraint(condition=models.Q(id=0), name="blog_engine_never"))

    with pytest.raises(IntegrityError), applied(forbidden, atomic=atomic):
        pytest.fail("The migration was applied.")

    assert missing_protection(connection) == []
    assert stored_rows() == before


@pytest.mark.django_db(transaction=True)
def test_triggers_that_a_migration_changes_can_be_renewed() -> None:
    unique = AddConstraint("image", models.UniqueConstraint(fields=["source_url"], name="blog_engine_one_source"))

    with applied(RenewProtection(), unique, RenewProtection()):
        changed = missing_protection(connection)

    # On SQLite the trigger against INSERT OR REPLACE names every unique column, which the model lacks here.
    assert changed == (["blog_engine_image_no_replace"] if connection.vendor == "sqlite" else [])
    assert missing_protection(connection) == []


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_migrated", [True, pytest.param(False, marks=pytest.mark.heavy)])
def test_the_sql_of_a_migration_keeps_the_triggers(is_migrated: bool) -> None:
    loader = MigrationLoader(connection)
    migration = later(ALTERATIONS["a wider column"])
    if not is_migrated:
        MigrationExecutor(connection).migrate([("blog_engine", None)])
    with connection.schema_editor(collect_sql=True) as editor:
        migration.apply(loader.project_state(), editor, collect_sql=True)
    printed = [line for line in editor.collected_sql if not line.startswith("--")]
    if not is_migrated:
        MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())

    with connection.schema_editor() as editor:
        for statement in printed:
            editor.execute(statement, params=None)

    assert missing_protection(connection) == []


@pytest.mark.django_db
def test_the_table_of_posts_has_the_columns_of_the_model() -> None:
    assert columns("blog_engine_post") == {field.column for field in Post._meta.concrete_fields}
