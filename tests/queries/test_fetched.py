"""The cursor that statements of one connection share."""

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from blog_engine.queries.compiled import fetched

ONE = "SELECT 1"


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_closed_is_opened_again() -> None:
    first = fetched(connection, ONE)
    connection.close()

    assert [tuple(row) for row in fetched(connection, ONE)] == [tuple(row) for row in first] == [(1,)]


@pytest.mark.django_db(transaction=True)
def test_a_statement_that_failed_leaves_the_next_one_alone() -> None:
    with pytest.raises(DatabaseError):
        fetched(connection, "SELECT nothing_of_this_name")

    assert len(fetched(connection, "SELECT %s", [1])) == 1


@pytest.mark.django_db(transaction=True)
def test_statements_are_logged_once_they_are_watched() -> None:
    fetched(connection, ONE)

    with CaptureQueriesContext(connection) as watched:
        fetched(connection, ONE)
    fetched(connection, ONE)

    assert [query["sql"] for query in watched] == [ONE]
