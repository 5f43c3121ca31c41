"""A pooler between the site and PostgreSQL: the doctor sees statements that one process prepares and another runs."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from pytest_django import DjangoDbBlocker

from blog_engine.doctor.installation import probe_configuration
from tests.requirements import requirement
from tests.support.programs import environment, pgbouncer_program, start, stop
from tests.support.servers import PATIENCE, free_port
from tests.support.tables import verdict_of

pytestmark = [pytest.mark.postgres, pytest.mark.pgbouncer]

WARNING = "A pooler shares the connections to PostgreSQL between transactions"
CONFIGURATION = """
[databases]
* = host={HOST} port={PORT}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listens}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = {mode}
"""


@pytest.fixture(params=["transaction", "session"])
def mode(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """Connect to the database through PgBouncer in this mode."""
    with free_port() as listener:
        port = listener.getsockname()[1]
    users, file = tmp_path / "users.txt", tmp_path / "pgbouncer.ini"
    users.write_text(f'"{connection.settings_dict["USER"]}" "{connection.settings_dict["PASSWORD"]}"\n')
    at = {"listens": port, "users": users, "mode": request.param}
    file.write_text(CONFIGURATION.format(**connection.settings_dict, **at))
    for path in (tmp_path, users, file):
        path.chmod(0o755)
    # It refuses to run as root.
    program = [str(pgbouncer_program()), "--quiet", *(["--user", "postgres"] if os.geteuid() == 0 else []), str(file)]
    pooler = start(program, env=environment())
    try:
        with django_db_blocker.unblock(), monkeypatch.context() as patched:
            connection.close()
            patched.setitem(connection.settings_dict, "HOST", "127.0.0.1")
            patched.setitem(connection.settings_dict, "PORT", port)
            _wait()
            yield request.param
            connection.close()
    finally:
        stop(pooler)
        with django_db_blocker.unblock():
            _wait_for_the_sessions_of_the_pooler()


def _wait_for_the_sessions_of_the_pooler() -> None:
    """Wait until its sessions have ended: the database could not be removed before."""
    end, others = time.monotonic() + PATIENCE, 1
    while others:
        assert time.monotonic() < end
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*), pg_sleep(0.05) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            (others, _) = cursor.fetchone()
    connection.close()


def _wait() -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.ensure_connection()
        except OperationalError:
            assert time.monotonic() < end
            time.sleep(0.05)
        else:
            return


@requirement("doctor.configuration.pooler")
@pytest.mark.parametrize("threshold", [2, 0, None])
def test_prepared_statements_behind_a_pooler_are_an_error(
    mode: str, threshold: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = connection.settings_dict["OPTIONS"] | {"prepare_threshold": threshold}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)

    found = [verdict_of(probe_configuration) for _ in range(5)]

    is_wrong = mode == "transaction" and threshold is not None
    assert {(status == "error", WARNING in message) for status, message in found} == {(is_wrong, is_wrong)}
