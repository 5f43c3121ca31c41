"""The database of a test run, databases of other hosts, and writes that are repeated without running them."""

import fcntl
import hashlib
import os
import re
import shutil
import socket
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar
from urllib.parse import urlsplit

import django
import psycopg
from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.core.management.color import no_style
from django.core.management.commands import flush
from django.db import connection, transaction
from django.db.models import Model
from django.test import override_settings
from django.test.utils import setup_databases

from blog_engine.models import ContentVersion
from tests.support.programs import ROOT, Environment
from tests.support.servers import environment_of, manage

_TEMPLATES = ROOT / ".pytest_cache" / "templates"
_SOURCES = [ROOT / "blog_engine" / "migrations", ROOT / "blog_engine" / "models"]
_DIGITS = 16


def make_test_database(*, renew: bool = False) -> str:
    """Create and select the database of this run, and return the name of the database that was selected before.

    With ``renew`` the migrations run even if there is a template.
    """
    before: str = connection.settings_dict["NAME"]
    template = _template_name()
    _TEMPLATES.mkdir(parents=True, exist_ok=True)
    # The other processes of the run wait for the one that makes the template.
    with (_TEMPLATES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if renew or not _exists(template):
            setup_databases(verbosity=0, interactive=False, aliases=["default"], serialized_aliases=[])
            _keep_as(template)
        else:
            _copy(template)
    _keep_rows_of_migrations()
    return before


_MADE_BY_MIGRATE = {"auth_permission", "django_content_type", "blog_engine_contentversion"}
"""Tables with rows that every migrated database has."""


def _keep_rows_of_migrations() -> None:
    """Let flushes leave content types, permissions and the content version.

    After each transactional test Django would make the first two again, which takes longer than most of these tests,
    and the version would be missing for tests that come later in the same process.
    """

    def sql_flush(style: Any, connection: Any, **options: Any) -> list[str]:
        tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
        statements: list[str] = connection.ops.sql_flush(
            style, [table for table in tables if table not in _MADE_BY_MIGRATE], **options
        )
        return statements

    def emit_nothing(*_: object, **__: object) -> None:
        """Django's own receivers of ``post_migrate`` make nothing else."""

    flush.sql_flush, flush.emit_post_migrate_signal = sql_flush, emit_nothing  # type: ignore[attr-defined]


def _template_name() -> str:
    """Return a name that differs for all that decides how a migrated database looks."""
    digest = hashlib.sha256(repr((sys.version, django.VERSION, settings.INSTALLED_APPS)).encode())
    for path in sorted(path for folder in _SOURCES for path in folder.rglob("*.py")):
        digest.update(path.read_bytes())
    database = "" if connection.vendor == "sqlite" else f"{connection.settings_dict['NAME']}_"
    return f"template_{database}{digest.hexdigest()[:_DIGITS]}"


def _exists(template: str) -> bool:
    if connection.vendor == "sqlite":
        return (_TEMPLATES / template).exists()
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template])
        return cursor.fetchone() is not None


def _copy(template: str) -> None:
    connection.settings_dict["TEST"]["TEMPLATE"] = template
    name = connection.creation._create_test_db(verbosity=0, autoclobber=True)
    if connection.vendor == "sqlite":
        shutil.copyfile(_TEMPLATES / template, name)
    connection.close()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name


def _keep_as(template: str) -> None:
    """Keep the new database as the template, and remove outdated templates."""
    if connection.vendor == "sqlite":
        _keep_file(template)
    else:
        _keep_database(template)


def _keep_file(template: str) -> None:
    for outdated in _TEMPLATES.glob("template_*"):
        outdated.unlink()
    unfinished = _TEMPLATES / "unfinished"
    unfinished.unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(unfinished)])
    unfinished.rename(_TEMPLATES / template)


def _keep_database(template: str) -> None:
    # PostgreSQL copies a database only while no connection to it is open.
    connection.close()
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [template[:-_DIGITS]])
        for (outdated,) in cursor.fetchall():
            cursor.execute(f'DROP DATABASE "{outdated}"')
        cursor.execute(f'CREATE DATABASE "{template}" TEMPLATE "{connection.settings_dict["NAME"]}"')


def migrate_site(environment: Environment, file: Path, *arguments: str) -> None:
    """Migrate a database of a site; if this run tests SQLite, ``file`` becomes a copy of the template instead."""
    if connection.vendor == "sqlite" and _exists(_template_name()):
        shutil.copyfile(_TEMPLATES / _template_name(), file)
    else:
        manage(environment, "migrate", "--verbosity=0", *arguments)


_SERVER = os.environ.get("DATABASE_URL", "")


@contextmanager
def two_databases(folder: Path, second: str) -> Iterator[Environment]:
    """Return the environment of a project with two databases of the kind that this run tests."""
    if _SERVER.startswith("postgres"):
        names = [f"two_{uuid.uuid4().hex[:12]}_{alias}" for alias in ("default", second)]
        for name in names:
            run_sql(f"CREATE DATABASE {name}")
        try:
            yield _environment(folder, second, [urlsplit(_SERVER)._replace(path=f"/{name}").geturl() for name in names])
        finally:
            for name in names:
                run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    else:
        yield _environment(folder, second, [f"sqlite:///{folder / alias}.sqlite3" for alias in ("default", second)])


def run_sql(statement: str) -> None:
    """Run a statement as superuser, outside the databases of the project."""
    with psycopg.connect(urlsplit(_SERVER)._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(statement)


def _environment(folder: Path, second: str, databases: list[str]) -> Environment:
    own = environment_of(
        folder, settings="tests.databases.settings", origin="https://example.com", database=databases[0]
    )
    return own | {"SECOND_ALIAS": second, "SECOND_DATABASE_URL": databases[1]}


_BLOG = "blog_engine"


class OwnDatabase:
    """Keeps the tables of the blog in the database ``blog``, and all others out of it."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        return "blog" if model._meta.app_label == _BLOG else None

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:
        return "blog" if model._meta.app_label == _BLOG else None

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool:
        return (db == "blog") == (app_label == _BLOG)


class PrimaryReplica:
    """As in Django's documentation, with one replica."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        return "replica"

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return "default"

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool:
        return True


HOST, PORT = "127.0.0.1", 3306


def mariadb_answers() -> bool:
    """Return whether MariaDB listens at its port."""
    try:
        with socket.create_connection((HOST, PORT), timeout=1):
            return True
    except OSError:
        return False


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
