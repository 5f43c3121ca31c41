"""The database triggers: those that refuse to change the history, and those that change the content version.

On SQLite and PostgreSQL, triggers refuse to change or delete a row of the history, and to insert one that names a
revision of another post; both raise ``IntegrityError``. A row can be deleted while its post has a permit, and only an
adoption that nothing followed can have one (``history.protection.permit``). An image can be deleted while no text of
the history names its digest (``history.protection.images``). Other databases are not supported. PostgreSQL's
``TRUNCATE`` is left to privileges. The same operations create the triggers of the content version.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_

from django.apps import apps
from django.apps.registry import Apps
from django.db import NotSupportedError, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from blog_engine.models._guard import APP, NAMING_MODELS, Guard, guarded_models, naming_fields
from blog_engine.models._triggers import (
    create_statements,
    drop_statements,
    history_triggers,
    stored_triggers,
    version_triggers,
)
from blog_engine.models.base import AppendOnly
from blog_engine.models.history import HistoryPermit
from blog_engine.models.locking import EngineOperation, lock_in_migration, lock_tables


def missing_protection(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of the triggers that the database lacks; empty if the history is protected.

    A trigger is missing if it is absent, disabled, or has another text than in this release. Stored permits are named
    as well: the engine cannot commit one.
    """
    wanted = [guard for model in guarded_models(apps) for guard in history_triggers(connection, model)]
    return _missing(connection, wanted) + _permits_left(connection)


def missing_version_triggers(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of the triggers of the content version that the database lacks.

    Kept pages do not notice writes to the tables of these triggers.
    """
    return _missing(connection, version_triggers(connection, apps))


def is_supported(connection: BaseDatabaseWrapper) -> bool:
    """Return whether the engine has triggers for this database."""
    return connection.vendor in ("sqlite", "postgresql")


def restore_protection(connection: BaseDatabaseWrapper) -> None:
    """Create every trigger again and delete stored permits, after something else removed the protection."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        lock_tables(connection, apps)
        for statement in [*drop_statements(connection), *create_statements(connection, apps)]:
            cursor.execute(statement)
        HistoryPermit.objects.using(connection.alias).all().delete()


@contextmanager
def history_replaceable(post_id: int) -> Iterator[None]:
    """Let ``delete_history`` delete rows of one post inside the block, which is one transaction.

    Raises ``IntegrityError`` unless the post is an adoption that no review and no publication followed.
    """
    using = router.db_for_write(HistoryPermit)
    with transaction.atomic(using=using):
        permit = HistoryPermit.objects.using(using).create(post_id=post_id)
        yield
        permit.delete(using=using)


def delete_history(rows: "QuerySet[AppendOnly]") -> int:
    """Delete rows of the history and return their number.

    Raises ``IntegrityError`` outside ``history_replaceable``, unless they are images that the history does not name.
    """
    return rows._raw_delete(rows.db)


def posts_naming_image(sha256: str) -> Q:
    """Return the condition for posts of which a record of the history names this digest, as the triggers ask it."""
    condition = Q()
    for name in NAMING_MODELS:
        model = apps.get_model(APP, name)
        texts = {f"text_of_{field.name}": Cast(field.name, TextField()) for field in naming_fields(model)}
        named = reduce(or_, (Q(**{f"{text}__contains": sha256}) for text in texts))
        condition |= Q(Exists(model._default_manager.alias(**texts).filter(named, post=OuterRef("pk"))))
    return condition


class RequireSupportedDatabase(EngineOperation):
    """The first operation: refuse an unsupported database before any table is created."""

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Begin without models: to undo replaced migrations, Django reads them after the squashed one."""
        for label, name in list(state.models):
            if label == app_label:
                state.remove_model(label, name)

    def forwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        connection = schema_editor.connection
        if not is_supported(connection):
            raise NotSupportedError(
                f"blog_engine supports SQLite and PostgreSQL, not {connection.display_name}: only there does the "
                "database itself refuse to change the history. Nothing was made. To keep other apps in this database "
                f"({connection.alias!r}), add a router whose allow_migrate keeps blog_engine off it."
            )

    def backwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        """Leave everything as it is."""

    def describe(self) -> str:
        return "Require SQLite or PostgreSQL"


class ProtectHistory(EngineOperation):
    """Create the triggers of every table that the migration's state has."""

    def forwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        release_history(schema_editor, registry)
        for statement in create_statements(schema_editor.connection, registry):
            schema_editor.execute(statement, params=None)

    def backwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        release_history(schema_editor, registry)

    def describe(self) -> str:
        return "Protect the history against change"


class RenewProtection(ProtectHistory):
    """Create the triggers again, forwards and backwards.

    The first and the last operation of a migration that changes what triggers say: a unique constraint, a foreign key
    to a revision, a text that can name an image, the name of a column in a protected table, or a column of images that
    says which file it is.
    """

    def backwards(self, schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
        self.forwards(schema_editor, registry)


def _missing(connection: BaseDatabaseWrapper, wanted: list[Guard]) -> list[str]:
    stored = set(stored_triggers(connection))
    return [trigger.name for trigger in wanted if trigger not in stored]


def _permits_left(connection: BaseDatabaseWrapper) -> list[str]:
    if HistoryPermit._meta.db_table not in connection.introspection.table_names():
        return []
    return [str(permit) for permit in HistoryPermit.objects.using(connection.alias).order_by("post_id")]


def release_history(schema_editor: BaseDatabaseSchemaEditor, registry: Apps) -> None:
    """Remove all triggers for the rest of a migration, which creates them again."""
    lock_in_migration(schema_editor, registry)
    for statement in drop_statements(schema_editor.connection):
        schema_editor.execute(statement, params=None)
