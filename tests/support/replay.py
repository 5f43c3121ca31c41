"""What a function writes to the database and the storage, written again without running it.

Services check, render and record. A test that only needs what they leave would spend most of its time on that.
"""

import tempfile
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Generic, TypeVar

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model
from django.test import override_settings

from blog_engine.models import ContentVersion

T = TypeVar("T")


@dataclass(frozen=True)
class _Recording(Generic[T]):
    """What a function wrote and returned."""

    rows: dict[type[Model], list[str]]
    """The values of each row, as SQL."""
    files: dict[Path, bytes]
    """Each file by its path under ``MEDIA_ROOT``."""
    returned: T


def replayed(write: Callable[[], T]) -> Callable[[], T]:
    """Return a function that writes and returns what ``write`` does, which runs once in a process.

    ``write`` must only add rows, to tables that are empty whenever it is called, and depend on nothing that its callers
    change. What it returns must be possible to copy.
    """
    recordings: list[_Recording[T]] = []

    @wraps(write)
    def replay() -> T:
        if not recordings:
            recordings.append(_record(write))
        return _replay(recordings[0])

    return replay


def _record(write: Callable[[], T]) -> _Recording[T]:
    with tempfile.TemporaryDirectory() as media, override_settings(MEDIA_ROOT=media), transaction.atomic():
        before = _stored_rows()
        align_ids(before)
        returned = write()
        after = _stored_rows()
        files = {path.relative_to(media): path.read_bytes() for path in Path(media).rglob("*") if path.is_file()}
        transaction.set_rollback(True)
    changed = [model.__name__ for model, rows in before.items() if not set(rows) <= set(after[model])]
    assert changed == [], f"{write.__qualname__} changes rows that were there before"
    added = {model: [row for row in rows if row not in before[model]] for model, rows in after.items()}
    return _Recording({model: rows for model, rows in added.items() if rows}, files, returned)


def _replay(recording: _Recording[T]) -> T:
    with transaction.atomic(), connection.cursor() as cursor:
        for model, rows in recording.rows.items():
            cursor.execute(f"INSERT INTO {_table(model)} ({_columns(model)}) VALUES {', '.join(rows)}")  # noqa: S608
    align_ids(recording.rows)
    for path, data in recording.files.items():
        file = Path(settings.MEDIA_ROOT) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return deepcopy(recording.returned)


def _stored_rows() -> dict[type[Model], list[str]]:
    """Return all rows but the content version, which triggers change."""
    models = apps.get_models(include_auto_created=True)
    return {model: _rows_of(model) for model in models if model is not ContentVersion and not model._meta.proxy}


def _rows_of(model: type[Model]) -> list[str]:
    quoted = "quote({})" if connection.vendor == "sqlite" else "quote_nullable({}::text)"
    values = ", ".join(quoted.format(column) for column in _columns(model).split(", "))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {values} FROM {_table(model)} ORDER BY {_key(model)}")  # noqa: S608  our own names
        return [f"({', '.join(row)})" for row in cursor.fetchall()]


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _columns(model: type[Model]) -> str:
    return ", ".join(connection.ops.quote_name(field.column) for field in model._meta.local_concrete_fields)


def _key(model: type[Model]) -> str:
    return ", ".join(connection.ops.quote_name(field.column) for field in model._meta.pk_fields)


def align_ids(models: Iterable[type[Model]] | None = None) -> None:
    """Reset the sequences, by default of all tables of the blog: the next row has the id after the last one.

    Tests that commit leave the sequences as they were.
    """
    chosen = list(models or apps.get_app_config("blog_engine").get_models(include_auto_created=True))
    counters = [{"table": model._meta.db_table, "column": None} for model in chosen]
    # PostgreSQL continues from the last row, SQLite from the larger of zero and the last row.
    statements = (
        connection.ops.sequence_reset_by_name_sql(no_style(), counters)
        if connection.vendor == "sqlite"
        else connection.ops.sequence_reset_sql(no_style(), chosen)
    )
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
