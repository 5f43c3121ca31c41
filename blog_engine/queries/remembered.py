"""Rows that many pages show, kept in this process until the content of the blog changes.

What is kept belongs to one content version, and is only used while a page is read. Where the version cannot be trusted,
such as inside a transaction, it is kept for that page.
"""

from collections.abc import Callable, Hashable, Iterable
from datetime import datetime
from functools import cache
from typing import Any, Final, TypeVar, cast

from django.db import OperationalError, ProgrammingError, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from blog_engine.conf.load import kept_until_settings_change
from blog_engine.models import Author, Category, ContentVersion, Post, Publication
from blog_engine.models.reading import current_page, database_of
from blog_engine.queries.compiled import CompiledRows, CompiledValues, Parameter
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


M = TypeVar("M", bound=models.Model)
T = TypeVar("T")

_MOST: Final = 2_000
"""The values that one process keeps; a blog with more authors and lists reads some of them again."""


@kept_until_settings_change
def _values_by_version() -> dict[str, dict[Hashable, Any]]:
    """Return the values that this process keeps, of one version only."""
    return {}


def _values() -> dict[Hashable, Any]:
    page = current_page()
    if page is None:
        return {}
    if page.kept is None:
        version = content_version()
        page.kept = {} if version is None else _values_of(version)
    return page.kept


def _values_of(version: str) -> dict[Hashable, Any]:
    by_version = _values_by_version()
    values = by_version.get(version)
    if values is None or len(values) >= _MOST:
        values = {}
        by_version.clear()
        by_version[version] = values
    return values


def remembered(key: Hashable, read: Callable[[], T]) -> T:
    """Return what ``read`` returns, at once if it was called with this key for the present content.

    It must depend on nothing but the database, the settings and the key.
    """
    values = _values()
    if key not in values:
        values[key] = read()
    return cast(T, values[key])


def _remembered_rows(rows: CompiledRows[M], ids: Iterable[int]) -> dict[int, M]:
    """Return the rows with these ids; at most one query, and none for no ids."""
    wanted = {row_id: (rows, row_id) for row_id in ids}
    if not wanted:
        return {}
    values = _values()
    missing = [row_id for row_id, key in wanted.items() if key not in values]
    values.update({wanted[row_id]: row for row_id, row in rows.by_id(missing).items()})
    return {row_id: values[key] for row_id, key in wanted.items() if key in values}


_AUTHORS: Final = CompiledRows(lambda: Author.objects.select_related("avatar"))
_CATEGORIES: Final = CompiledRows(Category.objects.all)


def with_authors(posts: Iterable[Post]) -> tuple[Post, ...]:
    """Return posts with their authors and the avatars of these; at most one query.

    They are not joined, because PostgreSQL takes longer to plan a statement with many joins than to run two. A post
    whose author was replaced and deleted between the two is left out.
    """
    read = tuple(posts)
    authors = _remembered_rows(_AUTHORS, {post.author_id for post in read})
    found = tuple(post for post in read if post.author_id in authors)
    for post in found:
        post.author = authors[post.author_id]
    return found


def with_categories(posts: tuple[Post, ...]) -> tuple[Post, ...]:
    """Return posts with their categories; at most one query. They are not joined either: see ``with_authors``."""
    categories = _remembered_rows(_CATEGORIES, {post.category_id for post in posts if post.category_id is not None})
    for post in posts:
        post.category = categories.get(post.category_id) if post.category_id is not None else None
    return posts
