"""All triggers of the engine in a database: those it needs, those it has, and how SQLite keeps them.

The triggers of the content version are here too, one kind for each table that pages show. On PostgreSQL they fire once,
at the end of the transaction, so that writers wait for each other only while they commit. On SQLite, where only one
transaction can write, they fire for each row. Posts that are not public, which no page shows, leave the version: a
draft that is saved every ten seconds would empty the kept pages of all processes.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Model
from django.db.transaction import atomic

from blog_engine.enums import PostStatus
from blog_engine.models._guard import APP, Guard, guarded_models
from blog_engine.models._guards_postgresql import postgresql_guards, schema_of, stored_postgresql_guards
from blog_engine.models._guards_sqlite import sqlite_guards, stored_sqlite_guards

_VERSION_MODEL: Final = "ContentVersion"
_SHOWN_MODELS: Final = (
    "Post",
    "Faq",
    "Author",
    "Coauthor",
    "Category",
    "Series",
    "Tag",
    "PostTag",
    "Image",
    "PolicyPage",
    "Redirect",
    "ListCount",
    "Revision",
    "Publication",
    "Approval",
    "ConnectionDeclaration",
    "Baseline",
    "StatusChange",
    "WithheldVersion",
)
_SUFFIX: Final = "content_version"
_ROWS_OF_EVENTS: Final = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}


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
        match connection.vendor:
            case "sqlite":
                triggers += _sqlite_version_triggers(model, registry)
            case "postgresql":
                triggers += _postgresql_version_triggers(model, registry, schema=schema_of(model, connection))
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
                statements.append(_new_sqlite_version(registry))
            case "postgresql":
                statements.append(_new_postgresql_version(registry, schema=schema_of(model, connection)))
    return statements


def drop_statements(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the SQL that removes the triggers that the database has.

    Those it has, because an older release may have used other names.
    """
    return [statement for trigger in stored_triggers(connection) for statement in trigger.drop_statements()]


def shown_models(registry: Apps) -> list[type[Model]]:
    """Return the models whose tables pages show; none in the state of a migration before the content version."""
    known = {model.__name__: model for model in registry.get_models() if model._meta.app_label == APP}
    return [known[name] for name in _SHOWN_MODELS if name in known] if _VERSION_MODEL in known else []


def _shown(model: type[Model], rows: Iterable[str]) -> str:
    """Return the SQL condition that pages show one of these rows of a table; empty if they show every row."""
    if model.__name__ != "Post":
        return ""
    return " OR ".join(f"{row}.status = '{PostStatus.PUBLISHED.value}'" for row in rows)


def _sqlite_version_triggers(model: type[Model], registry: Apps) -> list[Guard]:
    """Return the triggers of a table, as ``sqlite_master`` shows them."""
    table = model._meta.db_table
    triggers = []
    for event, rows in _ROWS_OF_EVENTS.items():
        name, shown = f"{table}_{_SUFFIX}_{event.lower()}", _shown(model, rows)
        when = f" WHEN {shown}" if shown else ""
        create = f'CREATE TRIGGER "{name}" AFTER {event} ON "{table}"{when} BEGIN {_new_sqlite_version(registry)}; END'
        triggers.append(Guard(name=name, table=table, create=create))
    return triggers


def _new_sqlite_version(registry: Apps) -> str:
    """Return the statement that changes the version."""
    table = _version_table(registry)
    return (
        f'INSERT INTO "{table}" ("id", "version") VALUES (1, lower(hex(randomblob(16)))) '  # noqa: S608
        'ON CONFLICT ("id") DO UPDATE SET "version" = excluded."version"'
    )


def _postgresql_version_triggers(model: type[Model], registry: Apps, *, schema: str) -> list[Guard]:
    """Return the trigger of a table, as ``pg_get_triggerdef`` and ``pg_get_functiondef`` show it.

    ``schema`` is that of the table, quoted where PostgreSQL quotes it.
    """
    table = model._meta.db_table
    name = f"{table}_{_SUFFIX}"
    qualified, function = f"{schema}.{table}", f"{schema}.{name}"
    return [
        Guard(
            name=name,
            table=qualified,
            create=f"CREATE CONSTRAINT TRIGGER {name} AFTER INSERT OR DELETE OR UPDATE ON {qualified} "
            f"DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {function}()",
            function=function,
            definition=_definition(
                function, _new_postgresql_version(registry, schema="%I"), shown=_shown(model, ("OLD", "NEW"))
            ),
        )
    ]


def _new_postgresql_version(registry: Apps, *, schema: str) -> str:
    """Return the statement that changes the version."""
    return (
        f"INSERT INTO {schema}.{_version_table(registry)} AS stored (id, version) VALUES (1, gen_random_uuid()) "  # noqa: S608
        "ON CONFLICT (id) DO UPDATE SET version = excluded.version"
    )


def _definition(function: str, statement: str, *, shown: str) -> str:
    # The setting lasts until the end of the transaction, and is undone with the savepoint that the write is in.
    # The columns of a row that an event has not, such as the old one of an insertion, are null.
    return f"""CREATE OR REPLACE FUNCTION {function}()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE done text := pg_current_xact_id()::text || ' ' || TG_TABLE_SCHEMA;
BEGIN
  IF {f"({shown}) AND " if shown else ""}current_setting('blog_engine.{_SUFFIX}', true) IS DISTINCT FROM done THEN
    EXECUTE format('{statement}', TG_TABLE_SCHEMA);
    PERFORM set_config('blog_engine.{_SUFFIX}', done, true);
  END IF;
  RETURN NULL;
END
$function$
"""


def _version_table(registry: Apps) -> str:
    return str(registry.get_model(APP, _VERSION_MODEL)._meta.db_table)


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
