"""Two empty databases and a project that uses them."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.support.programs import Environment
from tests.support.servers import environment_of

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
