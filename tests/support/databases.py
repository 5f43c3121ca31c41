"""The database of a test run, which is copied from a template, and databases of other hosts."""

import fcntl
import hashlib
import os
import shutil
import socket
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django
import psycopg
from django.conf import settings
from django.core.management.commands import flush
from django.db import connection
from django.db.models import Model
from django.test.utils import setup_databases

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
