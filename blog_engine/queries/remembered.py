"""Rows that many pages show, kept in this process until the content of the blog changes.

What is kept belongs to one content version, and is only used while a page is read. Where the version cannot be trusted,
such as inside a transaction, it is kept for that page.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, Generic, TypeVar, cast

from django.core.signals import setting_changed
from django.db import models

from blog_engine.models import Author, Category, Post
from blog_engine.models.reading import current_page
from blog_engine.queries.compiled import CompiledRows
from blog_engine.queries.content_version import content_version

M = TypeVar("M", bound=models.Model)
T = TypeVar("T")

_MOST: Final = 2_000
"""The values that one process keeps; a blog with more authors and lists reads some of them again."""

_kept: tuple[str, dict[Hashable, Any]] = ("", {})
"""The version and its values, replaced together because several threads use them."""


def _values() -> dict[Hashable, Any]:
    page = current_page()
    if page is None:
        return {}
    if page.kept is None:
        version = content_version()
        page.kept = {} if version is None else _values_of(version)
    return page.kept


def _values_of(version: str) -> dict[Hashable, Any]:
    global _kept
    kept_version, values = _kept
    if kept_version != version or len(values) >= _MOST:
        _kept = version, (values := {})
    return values


def _forget(**_: object) -> None:
    """Forget everything; a receiver of ``setting_changed``."""
    global _kept
    _kept = "", {}


setting_changed.connect(_forget, dispatch_uid="blog_engine.queries.remembered")


def remembered(key: Hashable, read: Callable[[], T]) -> T:
    """Return what ``read`` returns, at once if it was called with this key for the present content.

    It must depend on nothing but the database, the settings and the key.
    """
    values = _values()
    if key not in values:
        values[key] = read()
    return cast(T, values[key])


class _RememberedRows(Generic[M]):
    """Rows of one model by id, kept until the content of the blog changes."""

    def __init__(self, rows: CompiledRows[M]) -> None:
        self._rows = rows

    def by_id(self, ids: Iterable[int]) -> dict[int, M]:
        """Return the rows with these ids; at most one query, and none for no ids."""
        wanted = {row_id: (self, row_id) for row_id in ids}
        if not wanted:
            return {}
        values = _values()
        missing = [row_id for row_id, key in wanted.items() if key not in values]
        values.update({wanted[row_id]: row for row_id, row in self._rows.by_id(missing).items()})
        return {row_id: values[key] for row_id, key in wanted.items() if key in values}


_AUTHORS: Final = _RememberedRows(CompiledRows(lambda: Author.objects.select_related("avatar")))


def with_authors(posts: Iterable[Post]) -> tuple[Post, ...]:
    """Return posts with their authors and the avatars of these; at most one query.

    They are not joined, because PostgreSQL takes longer to plan a statement with many joins than to run two. A post
    whose author was replaced and deleted between the two is left out.
    """
    read = tuple(posts)
    authors = _AUTHORS.by_id({post.author_id for post in read})
    found = tuple(post for post in read if post.author_id in authors)
    for post in found:
        post.author = authors[post.author_id]
    return found


_CATEGORIES: Final = _RememberedRows(CompiledRows(Category.objects.all))


def with_categories(posts: tuple[Post, ...]) -> tuple[Post, ...]:
    """Return posts with their categories; at most one query. They are not joined either: see ``with_authors``."""
    categories = _CATEGORIES.by_id({post.category_id for post in posts if post.category_id is not None})
    for post in posts:
        post.category = categories.get(post.category_id) if post.category_id is not None else None
    return posts
