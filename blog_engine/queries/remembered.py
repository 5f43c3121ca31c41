"""Rows that many pages show, kept in this process until the content of the blog changes.

What is kept belongs to one content version, and is only used while a page is read. Where the version cannot be trusted,
such as inside a transaction, it is kept for that page.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar, cast

from django.db import OperationalError, ProgrammingError, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Subquery
from django.utils import timezone

from blog_engine.conf.load import kept_until_settings_change
from blog_engine.models import Author, Category, ContentVersion, NamedAuthor, Post, Publication, when_public
from blog_engine.models.reading import current_page, database_of
from blog_engine.queries.compiled import CompiledRows, CompiledValues, Parameter, fetched
from blog_engine.queries.database import refusal_of_database


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
        rows = fetched(connection, _statement())
    except (OperationalError, ProgrammingError) as fault:
        if refusal_of_database(fault):
            raise
        # The database was not migrated yet, or its role has no right to read the new table.
        return None
    return rows[0][0] if rows else None


@cache
def _statement() -> str:
    return f'SELECT version FROM "{ContentVersion._meta.db_table}" WHERE id = 1'  # noqa: S608  our own table


_OCCURRED_AT = Publication._meta.get_field("occurred_at")
_NEXT = CompiledValues(
    lambda: (
        ContentVersion.objects.filter(pk=1)
        .order_by()
        .values_list(
            Subquery(
                Publication.objects.filter(occurred_at__gt=Parameter("now", _OCCURRED_AT))
                .order_by("occurred_at")
                .values("occurred_at")[:1]
            ),
            Subquery(
                Post.objects.filter(when_public(), expires_at__isnull=False)
                .order_by("expires_at", "id")
                .values("expires_at")[:1]
            ),
        )[:1]
    ),
    lambda publication, expiry: NextChanges(publication, expiry),
)


class NextChanges(NamedTuple):
    """The moments from which pages show something else although nothing is written."""

    publication: datetime | None
    """The next recorded publication to come, which pages do not show yet."""
    expiry: datetime | None
    """The first end of a public post, which can have passed."""


def next_changes(now: datetime) -> NextChanges:
    """Return the next changes of pages as of ``now``; at most one query."""
    found = remembered("next changes", lambda: _NEXT.first(now=now)) or NextChanges(None, None)
    if found.publication is not None and found.publication <= now:
        found = _NEXT.first(now=now) or found
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


def remembered_rows(rows: CompiledRows[M], ids: Iterable[int]) -> dict[int, M]:
    """Return the rows with these ids; at most one query, and none if they were read for the present content."""
    wanted = {row_id: (rows, row_id) for row_id in ids}
    if not wanted:
        return {}
    values = _values()
    missing = [row_id for row_id, key in wanted.items() if key not in values]
    values.update({wanted[row_id]: row for row_id, row in rows.by_id(missing).items()})
    return {row_id: values[key] for row_id, key in wanted.items() if key in values}


_AUTHORS: Final = CompiledRows(lambda: Author.objects.select_related("avatar"))
_CATEGORIES: Final = CompiledRows(Category.objects.all)


def before_their_end(posts: Iterable[Post]) -> Iterator[Post]:
    """Yield the posts whose end has not come; an ended one is public in the database until it can be withdrawn."""
    now = timezone.now()
    return (post for post in posts if post.expires_at is None or post.expires_at > now)


def with_authors(posts: Iterable[Post]) -> tuple[Post, ...]:
    """Return posts with all their authors and the avatars of these; at most one query.

    They are not joined, because PostgreSQL takes longer to plan a statement with many joins than to run two. A post
    whose author was replaced and deleted between the two is left out.
    """
    read = tuple(posts)
    authors = remembered_rows(_AUTHORS, {pk for post in read for pk in (post.author_id, *post.coauthor_ids)})
    found = tuple(post for post in read if post.author_id in authors)
    for post in found:
        post.author = authors[post.author_id]
        post.coauthors = named_authors(post, authors)
    return found


def named_authors(post: Post, authors: Mapping[int, Author]) -> tuple[NamedAuthor, ...]:
    """Return the further authors of a post under their stored names, as far as ``authors`` has them."""
    named = zip(post.coauthor_names.splitlines(), post.coauthor_ids, strict=False)
    return tuple(NamedAuthor(name, authors[pk]) for name, pk in named if pk in authors)


def with_categories(posts: tuple[Post, ...]) -> tuple[Post, ...]:
    """Return posts with their categories; at most one query. They are not joined either: see ``with_authors``."""
    categories = remembered_rows(_CATEGORIES, {post.category_id for post in posts if post.category_id is not None})
    for post in posts:
        post.category = categories.get(post.category_id) if post.category_id is not None else None
    return posts
