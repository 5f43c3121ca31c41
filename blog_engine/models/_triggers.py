"""All triggers of the engine in a database: those it needs and those it has."""

from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

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
