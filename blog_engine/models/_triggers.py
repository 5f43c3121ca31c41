"""All triggers of the engine in a database: those it needs, those it has, and how SQLite keeps them."""

from functools import cache
from typing import Any

from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Model
from django.db.transaction import atomic

from blog_engine.models._guard import Guard, guarded_models
from blog_engine.models._guards_postgresql import postgresql_guards, schema_of, stored_postgresql_guards
from blog_engine.models._guards_sqlite import sqlite_guards, stored_sqlite_guards
from blog_engine.models._version_triggers import (
    new_postgresql_version,
    new_sqlite_version,
    postgresql_version_triggers,
    shown_models,
    sqlite_version_triggers,
)


def history_triggers(connection: BaseDatabaseWrapper, model: type[Model]) -> list[Guard]:
    """Return the triggers that protect the table of a model in this database."""
    match connection.vendor:
        case "sqlite":
            return sqlite_guards(model, connection)
        case "postgresql":
            return postgresql_guards(model, connection)
        case _:
            return []


def version_triggers(connection: BaseDatabaseWrapper, registry: Apps) -> list[Guard]:
    """Return the triggers that change the content version; none before the migration that adds it."""
    triggers: list[Guard] = []
    for model in shown_models(registry):
        table = model._meta.db_table
        match connection.vendor:
            case "sqlite":
                triggers += sqlite_version_triggers(table, registry)
            case "postgresql":
                triggers += postgresql_version_triggers(table, registry, schema=schema_of(model, connection))
    return triggers


def wanted_triggers(connection: BaseDatabaseWrapper, registry: Apps) -> list[Guard]:
    """Return all triggers of a registry, which can be that of a migration's state."""
    of_history = [trigger for model in guarded_models(registry) for trigger in history_triggers(connection, model)]
    return of_history + version_triggers(connection, registry)


def stored_triggers(connection: BaseDatabaseWrapper) -> list[Guard]:
    """Return the triggers that the database has."""
    match connection.vendor:
        case "sqlite":
            return stored_sqlite_guards(connection)
        case "postgresql":
            return stored_postgresql_guards(connection)
        case _:
            return []


def create_statements(connection: BaseDatabaseWrapper, registry: Apps) -> list[str]:
    """Return the SQL that creates all triggers of a registry, and a new content version."""
    statements = [
        statement for trigger in wanted_triggers(connection, registry) for statement in trigger.create_statements()
    ]
    for model in shown_models(registry)[:1]:
        match connection.vendor:
            case "sqlite":
                statements.append(new_sqlite_version(registry))
            case "postgresql":
                statements.append(new_postgresql_version(registry, schema=schema_of(model, connection)))
    return statements


def drop_statements(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the SQL that removes the triggers that the database has.

    Those it has, because an older release may have used other names.
    """
    return [statement for trigger in stored_triggers(connection) for statement in trigger.drop_statements()]


def keep_triggers(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Make the schema editor of an SQLite connection keep the triggers; a receiver of ``connection_created``."""
    if connection.vendor == "sqlite":
        editor: Any = connection.SchemaEditorClass
        connection.SchemaEditorClass = _keeping_triggers(editor)


@cache
def _keeping_triggers(editor: type[BaseDatabaseSchemaEditor]) -> type[BaseDatabaseSchemaEditor]:
    return editor if issubclass(editor, _KeepsTriggers) else type(editor.__name__, (_KeepsTriggers, editor), {})


class _KeepsTriggers(BaseDatabaseSchemaEditor):
    """A mixin for the schema editor of SQLite, which keeps the triggers while it changes a table.

    To add or alter a column, Django copies the rows into a new table, drops the old one with its triggers, and renames
    the new one, which SQLite refuses while a trigger of another table reads the old one. So the triggers are removed
    for each such rebuild and created again in the same transaction. PostgreSQL changes tables in place.
    """

    def _remake_table(self, model: type[Model], *args: Any, **kwargs: Any) -> None:
        guards = [guard for guard in self._guards(model) if f'"{model._meta.db_table}"' in guard.create]
        with atomic(self.connection.alias):
            for guard in guards:
                for statement in guard.drop_statements():
                    self.execute(statement, params=None)
            super()._remake_table(model, *args, **kwargs)  # type: ignore[misc]  # SQLite's editor has it
            for guard in guards:
                for statement in guard.create_statements():
                    self.execute(statement, params=None)

    def _guards(self, model: type[Model]) -> list[Guard]:
        stored = stored_triggers(self.connection)
        if stored or not self.collect_sql:
            return stored
        # sqlmigrate, before the migrations ran here: print what the database that runs the SQL has.
        return wanted_triggers(self.connection, model._meta.apps)
