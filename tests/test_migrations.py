"""Migrations run forward and back on both databases, say what the models say, and keep history protected."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, OperationalError, connection, models
from django.db.migrations import AddConstraint, AddField, AlterField, Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from blog_engine.models import Approval, Post
from blog_engine.models.protection import delete_history, history_reopened, missing_protection
from blog_engine.testing import allow_flush
from tests.models.looking import stored_rows
from tests.models.rows import make_history
from tests.requirements import requirement
from tests.support.programs import environment, run

allow_flush()

ALTERATIONS = {
    "a column of the history": AddField("revision", "colour", models.CharField(max_length=9, default="blue")),
    "a column of posts": AddField("post", "colour", models.CharField(max_length=9, default="blue")),
    "a column of the permit table": AddField("historypermit", "colour", models.CharField(max_length=9, default="blue")),
    "a wider column": AlterField("approval", "reviewer_name", models.CharField(max_length=300)),
    "a column of images": AlterField("image", "filename", models.CharField(max_length=300)),
    "a constraint": AddConstraint(
        "publication", models.CheckConstraint(condition=~models.Q(occurred_at=None), name="blog_engine_always")
    ),
}


def tables() -> set[str]:
    return {name for name in connection.introspection.table_names() if name.startswith("blog_engine_")}


def columns(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, table)}


@contextmanager
def applied(*operations: Operation) -> Iterator[None]:
    """A migration after the last one, undone at the end."""
    loader = MigrationLoader(connection)
    migration = Migration("9999_later", "blog_engine")
    migration.operations = list(operations)
    with connection.schema_editor() as editor:
        migration.apply(loader.project_state(), editor)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            migration.unapply(loader.project_state(), editor)


def protect_again() -> None:
    state = MigrationLoader(connection).project_state()
    with connection.schema_editor() as editor:
        for operation in history_reopened():
            operation.database_forwards("blog_engine", editor, state, state)


def test_migrations_say_what_the_models_say(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_a_host_with_other_automatic_keys_gets_no_migration(tmp_path: Path) -> None:
    host = f'from {settings.SETTINGS_MODULE} import *\nDEFAULT_AUTO_FIELD = "django.db.models.AutoField"\n'
    (tmp_path / "settings_of_a_host.py").write_text(host)
    paths = [str(tmp_path), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    own = environment({"DJANGO_SETTINGS_MODULE": "settings_of_a_host", "PYTHONPATH": os.pathsep.join(paths)})

    result = run([sys.executable, "-m", "django", "makemigrations", "--check", "--dry-run", "blog_engine"], env=own)

    assert (result.returncode, result.stdout) == (0, "No changes detected in app 'blog_engine'\n"), result.stderr


@pytest.mark.django_db(transaction=True)
def test_migrations_run_back_to_zero_and_forward_again_over_rows() -> None:
    before = tables()
    make_history()

    MigrationExecutor(connection).migrate([("blog_engine", None)])
    without = tables()
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())

    assert without == set()
    assert tables() == before
    assert missing_protection(connection) == []


@pytest.mark.django_db(transaction=True)
def test_the_protection_can_be_taken_back_and_made_again() -> None:
    MigrationExecutor(connection).migrate([("blog_engine", "0001_initial")])
    without = missing_protection(connection)
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())

    assert len(without) == {"sqlite": 27, "postgresql": 19}[connection.vendor]
    assert missing_protection(connection) == []


@requirement("history.protection.migrations")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ALTERATIONS)
def test_history_stays_protected_when_a_later_migration_alters_its_tables(what: str) -> None:
    make_history()
    before = stored_rows()

    with applied(*history_reopened(ALTERATIONS[what])):
        during = missing_protection(connection)
        with pytest.raises(IntegrityError):
            delete_history(Approval.objects.all())

    assert during == []
    assert missing_protection(connection) == []
    assert stored_rows() == before


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_what_a_migration_loses_without_reopening_is_named() -> None:
    with applied(ALTERATIONS["a column of images"]):
        missing = missing_protection(connection)
        protect_again()
        mended = missing_protection(connection)
    # Undoing the alteration makes the table anew and loses the triggers once more.
    protect_again()

    assert missing == [
        "blog_engine_image_no_update",
        "blog_engine_image_no_delete",
        "blog_engine_image_no_replace",
    ]
    assert mended == []


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["a column of the permit table", "a wider column", "a constraint"])
def test_a_table_that_triggers_read_cannot_be_altered_without_reopening(what: str) -> None:
    with pytest.raises(OperationalError), applied(ALTERATIONS[what]):
        pass

    assert missing_protection(connection) == []


@pytest.mark.django_db
def test_the_table_of_posts_has_the_columns_of_the_model() -> None:
    assert columns("blog_engine_post") == {field.column for field in Post._meta.concrete_fields}
