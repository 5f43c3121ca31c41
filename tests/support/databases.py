"""The database of a test run: a copy of a template, which is made anew when a migration or a model changed."""

import fcntl
import hashlib
import shutil
import sys

import django
from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases

from tests.support.programs import ROOT

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
    return before


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
