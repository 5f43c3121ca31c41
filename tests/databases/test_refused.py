"""A check and the first migration refuse MariaDB, as any database without triggers for the history."""

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from tests.requirements import requirement
from tests.support.databases import HOST, PORT
from tests.support.programs import run
from tests.support.servers import environment_of

pytestmark = pytest.mark.mariadb


@pytest.fixture
def name() -> Iterator[str]:
    """An empty database."""
    made = f"refused_{uuid.uuid4().hex[:12]}"
    _sql(f"CREATE DATABASE {made}")
    yield made
    _sql(f"DROP DATABASE {made}")


def _sql(statement: str) -> list[tuple[str, ...]]:
    connection = pymysql.connect(host=HOST, port=PORT, user="root")
    with connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def _run(folder: Path, name: str, *arguments: str) -> tuple[int, str]:
    environment = environment_of(folder, settings="tests.databases.mariadb_settings", origin="https://example.com")
    command = [sys.executable, "example_site/manage.py", *arguments]
    database = {"MARIADB_NAME": name, "MARIADB_HOST": HOST, "MARIADB_PORT": str(PORT)}
    done = run(command, env=environment | database)
    return done.returncode, done.stdout + done.stderr


@requirement("host.databases")
@pytest.mark.parametrize("command", ["check", "migrate"])
@pytest.mark.heavy
def test_a_check_refuses_mariadb_and_migrate_leaves_no_table(tmp_path: Path, name: str, command: str) -> None:
    status, said = _run(tmp_path, name, command)

    assert status == 1
    assert "blog_engine.E014" in said
    assert _sql(f"SHOW TABLES IN {name}") == []


@requirement("host.databases")
@pytest.mark.parametrize(
    "more",
    [[], ["blog_engine"]],
    ids=["all apps", "the blog alone"],
)
@pytest.mark.heavy
def test_the_first_migration_refuses_mariadb_where_checks_are_skipped(
    tmp_path: Path, name: str, more: list[str]
) -> None:
    status, said = _run(tmp_path, name, "migrate", "--skip-checks", *more)

    assert status == 1
    assert "blog_engine supports SQLite and PostgreSQL, not M" in said
    assert _sql(f"SHOW TABLES IN {name} LIKE 'blog\\_engine\\_%'") == []
