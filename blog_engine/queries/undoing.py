"""Refusing to undo migrations that made tables of the history (history.protection.undoing)."""

import os
from typing import Any, Final

from django.apps import apps
from django.core.management import CommandError
from django.db import connections
from django.db.migrations import CreateModel, Migration
from django.db.migrations.operations.base import Operation
from django.db.models.signals import pre_migrate

from blog_engine.models import Publication
from blog_engine.models._guard import HISTORY_MODELS

_APP: Final = "blog_engine"
_PERMISSION: Final = "BLOG_ENGINE_DELETE_HISTORY"
"""The variable of the environment that permits it."""


def protect_tables() -> None:
    """Look at the plan of each ``migrate`` before it begins."""
    pre_migrate.connect(_check, dispatch_uid="blog_engine.undoing")


def _check(sender: Any, using: str, plan: list[tuple[Migration, bool]], **_: Any) -> None:
    """Raise ``CommandError`` if a plan deletes records of a blog that published something."""
    if sender.label != _APP or os.environ.get(_PERMISSION) == "1":
        return
    models = {
        str(operation.name)
        for migration, is_undone in plan
        if is_undone and migration.app_label == _APP
        for operation in _operations(migration)
        if isinstance(operation, CreateModel) and operation.name in HISTORY_MODELS
    }
    lost = [
        f"{number} {model._meta.verbose_name_plural}"
        for model in (apps.get_model(_APP, name) for name in HISTORY_MODELS if name in models)
        if (number := _number_of_rows(model._meta.db_table, using))
    ]
    if lost and _number_of_rows(Publication._meta.db_table, using):
        raise CommandError(
            f"Nothing was undone: that would delete records of the history for good ({', '.join(lost)}), and with them "
            "the proof of what this blog published. The previous version runs on the tables as they are. To delete the "
            f"history of a copy that you do not need, set the variable {_PERMISSION}=1 and run the command again."
        )


def _operations(migration: Migration) -> list[Operation]:
    """Return the operations of a migration, with those that the squashed one does at once."""
    return [one for operation in migration.operations for one in getattr(operation, "replaced", [operation])]


def _number_of_rows(table: str, using: str) -> int:
    connection = connections[using]
    if table not in connection.introspection.table_names():
        return 0
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608  our own names
        (number,) = cursor.fetchone()
    return int(number)
