"""Keeps the triggers of the engine while SQLite changes a table.

To add or alter a column, Django copies the rows into a new table, drops the old one with its triggers, and renames the
new one, which SQLite refuses while a trigger of another table reads the old one. So the triggers are removed for each
such rebuild and created again in the same transaction. PostgreSQL changes tables in place.
"""

from functools import cache
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Model
from django.db.transaction import atomic

from blog_engine.models._guard import Guard
from blog_engine.models._triggers import stored_triggers, wanted_triggers


def keep_triggers(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Make the schema editor of an SQLite connection keep the triggers; a receiver of ``connection_created``."""
    if connection.vendor == "sqlite":
        editor: Any = connection.SchemaEditorClass
        connection.SchemaEditorClass = _keeping_triggers(editor)


@cache
def _keeping_triggers(editor: type[BaseDatabaseSchemaEditor]) -> type[BaseDatabaseSchemaEditor]:
    return editor if issubclass(editor, _KeepsTriggers) else type(editor.__name__, (_KeepsTriggers, editor), {})


class _KeepsTriggers(BaseDatabaseSchemaEditor):
    """A mixin for the schema editor of SQLite."""

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
