import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import DataError, IntegrityError, InterfaceError, InternalError, OperationalError, ProgrammingError

from blog_engine.errors import Busy, NotFound, Refusal, Unavailable
from blog_engine.http.responses import logged_refusal_of, refusal_of
from blog_engine.models import ApiToken
from tests.requirements import requirement


class PostgresFault(Exception):
    """The attributes of psycopg's exceptions that the engine reads."""

    def __init__(self, sqlstate: str | None) -> None:
        self.sqlstate = sqlstate


def caused(error: Exception, *, by: BaseException) -> Exception:
    error.__cause__ = by
    return error


@pytest.mark.parametrize(
    ("sqlstate", "expected"),
    [
        ("40001", Busy),
        ("40P01", Busy),
        ("55P03", Busy),
        ("57014", Busy),
        ("08006", Unavailable),
        ("53300", Unavailable),
        ("57P01", Unavailable),
        (None, Unavailable),
    ],
)
def test_temporary_faults_of_postgresql_are_refusals(sqlstate: str | None, expected: type[Refusal]) -> None:
    fault = caused(OperationalError(), by=PostgresFault(sqlstate))

    assert type(refusal_of(fault)) is expected


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (caused(OperationalError(), by=PostgresFault(None)), "unavailable"),
        (caused(OperationalError(), by=PostgresFault("40P01")), "busy"),
        (Unavailable(), None),
        (NotFound(), None),
        (ProgrammingError(), None),
    ],
)
def test_a_database_fault_is_logged(fault: Exception, code: str | None, caplog: pytest.LogCaptureFixture) -> None:
    logged_refusal_of(fault)

    logged = [(record.levelname, record.args, record.exc_info and record.exc_info[1]) for record in caplog.records]
    # A lock needs no traceback of whoever waited for it.
    traced = None if code == "busy" else fault
    assert logged == ([("ERROR", (code, str(fault)), traced)] if code else [])


def test_a_connection_closed_by_the_server_is_unavailable() -> None:
    assert type(refusal_of(caused(InterfaceError(), by=PostgresFault(None)))) is Unavailable


@pytest.mark.parametrize("sqlstate", ["25P03", "25P04"])
def test_a_transaction_that_postgresql_ended_is_unavailable(sqlstate: str) -> None:
    assert type(refusal_of(caused(InternalError(), by=PostgresFault(sqlstate)))) is Unavailable
    assert refusal_of(caused(InternalError(), by=PostgresFault("25P02"))) is None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_timed_out_is_unavailable() -> None:
    other = connection.copy()
    with pytest.raises(InternalError) as fault, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = '20ms'")
        cursor.execute("SELECT pg_backend_pid()")
        _wait_until_gone(cursor.fetchone()[0], seen_by=other)
        cursor.execute("SELECT 1")
    other.close()
    connection.close()

    assert type(refusal_of(fault.value)) is Unavailable


def _wait_until_gone(process: int, *, seen_by: BaseDatabaseWrapper) -> None:
    with seen_by.cursor() as cursor:
        for _ in range(10_000):
            cursor.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [process])
            if cursor.fetchone() is None:
                return
    raise AssertionError("PostgreSQL did not end the transaction")


@pytest.mark.parametrize("fault", [IntegrityError(), DataError(), ProgrammingError(), KeyError(), OSError()])
def test_bugs_are_not_refusals(fault: Exception) -> None:
    assert refusal_of(fault) is None


def test_an_unknown_fault_of_postgresql_is_a_bug() -> None:
    assert refusal_of(caused(OperationalError(), by=PostgresFault("99999"))) is None


@pytest.fixture
def two_connections(tmp_path: Path) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    first = sqlite3.connect(tmp_path / "db.sqlite3", timeout=0, isolation_level=None)
    second = sqlite3.connect(tmp_path / "db.sqlite3", timeout=0, isolation_level=None)
    yield first, second
    first.close()
    second.close()


@requirement("api.answers.busy")
def test_a_locked_sqlite_is_busy(two_connections: tuple[sqlite3.Connection, sqlite3.Connection]) -> None:
    first, second = two_connections
    first.execute("BEGIN IMMEDIATE")

    with pytest.raises(sqlite3.OperationalError) as fault:
        second.execute("BEGIN IMMEDIATE")

    assert type(refusal_of(caused(OperationalError(), by=fault.value))) is Busy


def test_an_unreachable_sqlite_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as fault:
        sqlite3.connect(tmp_path / "nowhere" / "db.sqlite3")

    assert type(refusal_of(caused(OperationalError(), by=fault.value))) is Unavailable


def test_a_missing_table_is_a_bug(two_connections: tuple[sqlite3.Connection, sqlite3.Connection]) -> None:
    with pytest.raises(sqlite3.OperationalError) as fault:
        two_connections[0].execute("SELECT * FROM nothing")

    assert refusal_of(caused(OperationalError(), by=fault.value)) is None


@requirement("api.answers.busy")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_lock_that_is_held_too_long_is_busy() -> None:
    token = ApiToken.objects.create(name="Ada", token_digest="d", token_prefix="p")
    held, done = threading.Event(), threading.Event()

    def hold(other: BaseDatabaseWrapper) -> None:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT id FROM blog_engine_apitoken WHERE id = %s FOR UPDATE", [token.pk])
            held.set()
            done.wait(10)
            cursor.execute("ROLLBACK")
        other.close()

    holder = threading.Thread(target=lambda: hold(connections["default"]))
    holder.start()
    held.wait(10)

    with pytest.raises(OperationalError) as fault, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '50ms'")
        ApiToken.objects.filter(pk=token.pk).update(name="Eve")

    done.set()
    holder.join()
    assert type(refusal_of(fault.value)) is Busy


@requirement("api.answers.unavailable")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_ended_is_unavailable() -> None:
    with pytest.raises(OperationalError) as fault, connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    connection.close()
    assert type(refusal_of(fault.value)) is Unavailable
