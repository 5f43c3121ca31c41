"""What a function writes to the database and the storage, written again without running it.

Services check, render and record. A test that only needs what they leave would spend most of its time on that.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model
from django.test import override_settings

from blog_engine.models import ContentVersion

P = ParamSpec("P")
T = TypeVar("T")

_MOST = 500
"""The recordings of a function that a process keeps."""
_WRITE = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)"?')
_Row: TypeAlias = tuple[str, ...]
"""The values of a row as SQL, those of the primary key first."""


@dataclass(frozen=True)
class _Recording(Generic[T]):
    """What a function wrote and returned."""

    removed: dict[type[Model], list[_Row]]
    added: dict[type[Model], list[_Row]]
    changed: dict[type[Model], list[_Row]]
    files: dict[Path, bytes]
    """Each file by its path under ``MEDIA_ROOT``."""
    returned: T
    version: str
    """The content version after it."""


def replayed(write: Callable[P, T]) -> Callable[P, T]:
    """Return a function that writes and returns what ``write`` does, which runs only once with the same arguments.

    That is: with the same settings and content of the database. Whenever its rows are written again the content version
    is the same again, so that what depends on nothing else can be kept too. Without a ``content_key`` it just runs.

    What it returns must be possible to copy.
    """
    recordings: dict[object, _Recording[T]] = {}

    @wraps(write)
    def replay(*args: P.args, **kwargs: P.kwargs) -> T:
        content = content_key()
        if content is None:
            return write(*args, **kwargs)
        key = (repr(args), repr(kwargs), content)
        if key not in recordings:
            # A test that commits leaves another version, with which no recording is used again.
            if len(recordings) == _MOST:
                recordings.clear()
            recordings[key] = _record(lambda: write(*args, **kwargs))
        return _replay(recordings[key])

    return replay


def _record(write: Callable[[], T]) -> _Recording[T]:
    with tempfile.TemporaryDirectory() as media, override_settings(MEDIA_ROOT=media), transaction.atomic():
        align_ids()
        with _written_tables() as tables:
            returned = write()
        rows = {model: _rows_of(model) for model in _models(tables)}
        version = _stored_version()
        files = {path.relative_to(media): path.read_bytes() for path in Path(media).rglob("*") if path.is_file()}
        transaction.set_rollback(True)
    recording = _Recording({}, {}, {}, files, returned, version)
    for model, after in rows.items():
        before = _rows_of(model)
        recording.removed[model] = [row for key, row in before.items() if key not in after]
        recording.added[model] = [row for key, row in after.items() if key not in before]
        recording.changed[model] = [row for key, row in after.items() if key in before and row != before[key]]
    return recording


@contextmanager
def _written_tables() -> Iterator[set[str]]:
    tables: set[str] = set()

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        tables.update(_WRITE.findall(sql))
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield tables


def _models(tables: set[str]) -> list[type[Model]]:
    """Return the models of these tables, without the content version, which triggers change."""
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.db_table in tables and model is not ContentVersion]


def _replay(recording: _Recording[T]) -> T:
    with connection.cursor() as cursor:
        for model, rows in recording.removed.items():
            for row in rows:
                cursor.execute(f"DELETE FROM {_table(model)} WHERE {_is(model, row)}")  # noqa: S608  our own rows
        for model, rows in recording.added.items():
            if rows:
                values = ", ".join(f"({', '.join(row)})" for row in rows)
                cursor.execute(f"INSERT INTO {_table(model)} ({', '.join(_columns(model))}) VALUES {values}")  # noqa: S608
        for model, rows in recording.changed.items():
            for row in rows:
                values = ", ".join(map("{} = {}".format, _columns(model), row))
                cursor.execute(f"UPDATE {_table(model)} SET {values} WHERE {_is(model, row)}")  # noqa: S608
    ContentVersion.objects.update(version=recording.version)
    align_ids(recording.added)
    for path, data in recording.files.items():
        file = Path(settings.MEDIA_ROOT) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return deepcopy(recording.returned)


def content_key() -> tuple[str, str] | None:
    """Return what differs for other content or settings, in the transaction of a test on SQLite; otherwise ``None``.

    PostgreSQL changes the content version at the end of a transaction only.
    """
    if connection.vendor != "sqlite" or not connection.in_atomic_block:
        return None
    return _stored_version(), _overridden_settings()


def _stored_version() -> str:
    return ContentVersion.objects.values_list("version", flat=True).get()


_OF_A_TEST = {"MEDIA_ROOT", "RATELIMIT_CACHE_PREFIX"}


def _overridden_settings() -> str:
    """Return all settings that the test changed, but for the place of files and of counters."""
    found: dict[str, Any] = {}
    holder = settings._wrapped
    while isinstance(holder, UserSettingsHolder):
        found = vars(holder) | found
        holder = holder.default_settings
    return repr({name: found[name] for name in sorted(found) if name.isupper() and name not in _OF_A_TEST})


def _rows_of(model: type[Model]) -> dict[_Row, _Row]:
    """Return the rows of a table by their primary keys."""
    values = ", ".join(map("quote({})".format, _columns(model)))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {values} FROM {_table(model)}")  # noqa: S608  names of our own models
        return {row[: len(model._meta.pk_fields)]: row for row in cursor.fetchall()}


def _is(model: type[Model], row: _Row) -> str:
    """Return the condition for the primary key of a row."""
    return " AND ".join(map("{} = {}".format, _columns(model)[: len(model._meta.pk_fields)], row))


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _columns(model: type[Model]) -> list[str]:
    keys = model._meta.pk_fields
    fields = [*keys, *(field for field in model._meta.local_concrete_fields if field not in keys)]
    return [connection.ops.quote_name(field.column) for field in fields]


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
