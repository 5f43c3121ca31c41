"""Databases as earlier releases left them.

``first_release.*.sql`` is what the code of commit 2f317ff wrote, the first that could publish a post, with migrations
0001 to 0003; ``git show 414f844d:tests/upgrade/first_release.py`` is the program.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from blog_engine.models import (
    ApprovalKey,
    ApprovalSignature,
    ChainLink,
    Checkpoint,
    Image,
    Proposal,
    ProposalEvent,
    StatusChange,
    WithheldVersion,
)
from tests.support.tables import HISTORY, execute, is_of_a_trigger

APP = "blog_engine"
_LATER = (StatusChange, ChainLink, Checkpoint, Proposal, ProposalEvent, ApprovalKey, ApprovalSignature, WithheldVersion)
TABLES = [model._meta.db_table for model in HISTORY if model not in _LATER]
"""The tables of the history in the first release."""

_FIRST_RELEASE = ("0001_initial", "0002_protect_history", "0003_search_vector")
_DUMPS = Path(__file__).parent

Row = tuple[str | None, ...]


@contextmanager
def tables_of(migration: str) -> Iterator[Any]:
    """Provide the empty tables and the models of a migration in the block, and today's tables after it."""
    migrate(None)
    migrate(migration)
    try:
        yield MigrationExecutor(connection).loader.project_state([(APP, migration)]).apps
    finally:
        _as_today()


@contextmanager
def first_release() -> Iterator[None]:
    """Provide the tables and rows of the first release in the block, and today's empty tables after it."""
    migrate(None)
    try:
        _load((_DUMPS / f"first_release.{connection.vendor}.sql").read_bytes().decode())
        recorder = MigrationRecorder(connection)
        for name in _FIRST_RELEASE:
            recorder.record_applied(APP, name)
        yield
    finally:
        _as_today()


def migrate(target: str | None) -> None:
    """Migrate the tables of the app to a migration, forwards or backwards; ``None`` removes them.

    Forwards from nothing, Django would know the squashed migration only.
    """
    executor = MigrationExecutor(connection)
    if target is not None and (APP, target) not in executor.loader.graph.nodes:
        executor.loader.replace_migrations = False
        executor.loader.build_graph()
    executor.migrate([(APP, target)])


def next_migrations() -> Iterator[str]:
    """Yield the remaining migrations; each is applied before the next one."""
    executor = MigrationExecutor(connection)
    leaves = [key for key in executor.loader.graph.leaf_nodes() if key[0] == APP]
    for migration, _ in executor.migration_plan(leaves):
        migrate(migration.name)
        yield migration.name


def to_the_latest() -> None:
    """Apply the remaining migrations, as ``manage.py migrate`` does."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def columns_of(table: str) -> list[str]:
    """Return the columns of a table."""
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]


def texts_of(columns: dict[str, list[str]]) -> dict[str, list[Row]]:
    """Return these columns of every row of these tables, as the database formats them, by id."""
    return {table: _texts(table, names) for table, names in columns.items()}


def assert_nothing_can_be_rewritten() -> None:
    """Check that each history table has rows, and that its triggers refuse to change or delete them."""
    for table in TABLES:
        statements = [f'UPDATE "{table}" SET created_at = created_at', f'DELETE FROM "{table}"']  # noqa: S608  our own tables
        # Since 0034 an image can be deleted while no record names it, as none does here.
        for statement in statements[: 1 if table == Image._meta.db_table else 2]:
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
        # PostgreSQL runs several statements at once when there are no parameters.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(dump)


def _as_today() -> None:
    migrate(None)
    to_the_latest()


NOON = datetime(2026, 3, 4, 12, 0, 0, 5, tzinfo=UTC)


def one_row_of_each_kind(models: Any) -> None:
    """Create a post with a row in every history table, with the models of the app registry ``models``."""

    def make(model: str, /, **columns: object) -> Any:
        return models.get_model("blog_engine", model).objects.create(**columns)

    author = make("Author", name="Mina Hölt", slug="mina")
    post = make("Post", slug="harbour", title="Harbour 🌊", author=author, current_revision_identifier="a" * 64)
    revision = make("Revision", post=post, identifier="a" * 64, payload='{"title":"Harbour 🌊"}', created_at=NOON)
    of_the_post = {"post": post, "created_at": NOON}
    make(
        "Baseline",
        adopted_at=NOON,
        adopted_revision=revision,
        provenance="unknown",
        source_system="old",
        source_id="1",
        **of_the_post,
    )
    make(
        "Approval",
        kind="sent",
        reviewer_name="Rosa",
        facts_checked=True,
        approved_at=NOON,
        revision=revision,
        **of_the_post,
    )
    make("Publication", entry_type="adopted", occurred_at=NOON, revision=revision, **of_the_post)
    make(
        "ConnectionDeclaration",
        third_party_paid=False,
        declared_by="Rosa",
        declared_on=date(2026, 3, 4),
        **of_the_post,
    )
    make("Image", sha256="b" * 64, filename="quay.png", content_type="image/png", byte_size=9, width=3, height=3)
