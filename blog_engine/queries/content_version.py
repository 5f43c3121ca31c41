"""The version of everything that pages show, for what is kept between requests."""

from functools import cache

from django.db import OperationalError, ProgrammingError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine.models import ContentVersion
from blog_engine.models.reading import current_page, database_of
from blog_engine.queries.database import refusal_of_database


def content_version() -> str | None:
    """Return the version of the content in the database that is read here; equal versions mean equal content.

    Read it before the content that is kept under it. ``None`` means that nothing may be kept or taken from what is
    kept: inside a transaction, whose own writes have no version yet, and in a database without the row. A page reads
    it once.
    """
    alias = database_of(ContentVersion)
    page = current_page()
    if page is None:
        return _stored_version(connections[alias])
    if alias not in page.versions:
        page.versions[alias] = _stored_version(connections[alias])
    return page.versions[alias]


def _stored_version(connection: BaseDatabaseWrapper) -> str | None:
    if connection.in_atomic_block or not connection.get_autocommit():
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute(_statement())
            row = cursor.fetchone()
    except (OperationalError, ProgrammingError) as fault:
        if refusal_of_database(fault):
            raise
        # The database was not migrated yet, or its role has no right to read the new table.
        return None
    return row[0] if row else None


@cache
def _statement() -> str:
    return f'SELECT version FROM "{ContentVersion._meta.db_table}" WHERE id = 1'  # noqa: S608  our own table
