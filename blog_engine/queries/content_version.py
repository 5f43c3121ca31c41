"""The version of everything that pages show, for what is kept between requests."""

from datetime import datetime
from functools import cache
from typing import Final, cast

from django.db import OperationalError, ProgrammingError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from blog_engine.models import ContentVersion, Publication
from blog_engine.models.reading import current_page, database_of
from blog_engine.queries.compiled import CompiledValues, Parameter
from blog_engine.queries.database import refusal_of_database

_CURSOR: Final = "_blog_engine_version_cursor"


def content_version() -> str | None:
    """Return the version of the content in the database that is read here; equal versions mean equal content.

    Read it before the content that is kept under it. ``None`` means that nothing may be kept or taken from what is
    kept: inside a transaction, whose own writes have no version yet, and in a database without the row. A page reads
    it once.
    """
    connection = connections[database_of(ContentVersion)]
    # Asked each time: a version that was read before a transaction is not that of its writes.
    if in_transaction(connection):
        return None
    page = current_page()
    if page is None:
        return _stored_version(connection)
    if connection.alias not in page.versions:
        page.versions[connection.alias] = _stored_version(connection)
    return page.versions[connection.alias]


def in_transaction(connection: BaseDatabaseWrapper) -> bool:
    """Return whether statements on this connection are part of a transaction; it is not connected for this."""
    return connection.in_atomic_block or (connection.connection is not None and not connection.autocommit)


def _stored_version(connection: BaseDatabaseWrapper) -> str | None:
    connection.ensure_connection()
    if not connection.autocommit:
        return None
    try:
        cursor = _cursor_of(connection)
        cursor.execute(_statement())
        # All rows: until the end, SQLite would show this cursor, and hold for it, the database as it was.
        rows = cursor.fetchall()
    except (OperationalError, ProgrammingError) as fault:
        if refusal_of_database(fault):
            raise
        # The database was not migrated yet, or its role has no right to read the new table.
        return None
    return rows[0][0] if rows else None


def _cursor_of(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """Return the cursor that is used for each version: to make one takes a third of the time of a kept page."""
    if connection.queries_logged:
        return connection.cursor()
    # On the connection, so that it ends with it.
    driver, cursor = connection.__dict__.get(_CURSOR, (None, None))
    if cursor is None or driver is not connection.connection:
        cursor = connection.cursor()
        connection.__dict__[_CURSOR] = connection.connection, cursor
    return cast(CursorWrapper, cursor)


@cache
def _statement() -> str:
    return f'SELECT version FROM "{ContentVersion._meta.db_table}" WHERE id = 1'  # noqa: S608  our own table


_OCCURRED_AT = Publication._meta.get_field("occurred_at")
_NEXT = CompiledValues(
    lambda: (
        Publication.objects.filter(occurred_at__gt=Parameter("now", _OCCURRED_AT))
        .order_by("occurred_at")
        .values_list("occurred_at")[:1]
    ),
    lambda occurred_at: occurred_at,
)


def next_publication(now: datetime) -> datetime | None:
    """Return the time of the next recorded publication after ``now``, which pages do not show yet; one query."""
    found: datetime | None = _NEXT.first(now=now)
    return found
