"""A failed count is logged and delays no reader."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.pages import Visitor, person, total

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def read_only() -> Iterator[None]:
    """Make the database read-only, like a standby."""
    no, again = (
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF")
        if connection.vendor == "sqlite"
        else ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off")
    )
    with connection.cursor() as cursor:
        cursor.execute(no)
        yield
        cursor.execute(again)


@contextmanager
def gone() -> Iterator[None]:
    """Make every INSERT fail, as if the connection had closed."""

    def refuse(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        if sql.lstrip().startswith("INSERT"):
            raise OperationalError("the connection was closed")
        return execute(sql, *args)

    with connection.execute_wrapper(refuse):
        yield


@requirement("page-views.failures")
@pytest.mark.parametrize("broken", [read_only, gone])
def test_a_counter_that_fails_is_logged_and_changes_nothing(
    visitor: Visitor, caplog: pytest.LogCaptureFixture, broken: Callable[[], Any]
) -> None:
    save(title="Soil", publish=True)
    page = visitor.get("/soil")

    with broken():
        response = person().get("/soil")

    assert (response.status_code, response.headers, response.content) == (200, page.headers, page.content)
    assert [(record.name, record.levelno) for record in caplog.records] == [("blog_engine", logging.ERROR)]
    assert total() == 0


def test_the_next_view_is_counted_again() -> None:
    save(title="Soil", publish=True)
    reader = person()

    with gone():
        reader.get("/soil")
    reader.get("/soil")

    assert total() == 1
