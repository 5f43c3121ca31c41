"""Inserting many rows with plain statements."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

_MOST_PARAMETERS: Final = 999
"""What every build of SQLite takes; longer statements are not faster."""


def insert_values(
    connection: BaseDatabaseWrapper, table: str, columns: str, rows: Sequence[Sequence[Any]], *, suffix: str = ""
) -> None:
    """Insert rows in this order, as many with each statement as its parameters allow.

    ``columns`` are the quoted names, and ``suffix`` follows the values. No ``executemany``: packages that wrap the
    cursor, such as django-debug-toolbar, pass the rows of one to the driver in a form that SQLite refuses.
    """
    at_once = max(_MOST_PARAMETERS // len(rows[0]), 1) if rows else 1
    with connection.cursor() as cursor:
        for start in range(0, len(rows), at_once):
            batch = rows[start : start + at_once]
            marks = ", ".join([f"({', '.join(['%s'] * len(batch[0]))})"] * len(batch))
            sent = [value for row in batch for value in row]
            cursor.execute(f"INSERT INTO {table} ({columns}) VALUES {marks} {suffix}", sent)  # noqa: S608  our own names
