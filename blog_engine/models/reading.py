"""Routing of reads to replicas: only readers' pages are read from one.

A replica can lack the latest writes. So only a reader's page asks the router for a database to read: each write, and
each answer of the API, finds what was written before it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from django.db import models, router

_M = TypeVar("_M", bound=models.Model)


@dataclass
class PageRead:
    """The database that one page is read from; replicas can differ from each other."""

    alias: str | None = None
    versions: dict[str, str | None] = field(default_factory=dict)
    """The content version of each database, once it was read for this page."""
    changes_at: datetime | None = None
    """The next moment at which the page shows something else although nothing is written, as far as it is noted."""
    kept: dict[Any, Any] | None = None
    """What ``queries.remembered`` keeps, once it was asked for."""
    ended: tuple[Any, ...] = ()
    """The posts whose end has come and that are public in this database all the same (``queries.ended``)."""

    def alias_for(self, model: type[models.Model], **hints: Any) -> str:
        """Return the database that the host's router chose for the first query of the page."""
        if self.alias is None:
            self.alias = router.db_for_read(model, **hints)
        return self.alias

    def may_lag(self, model: type[models.Model]) -> bool:
        """Return whether the page was read from another database than the one that is written."""
        return self.alias not in {None, router.db_for_write(model)}


_page: ContextVar[PageRead | None] = ContextVar("blog_engine_page_read", default=None)


@contextmanager
def reading_a_page() -> Iterator[PageRead]:
    """Read inside the block from the database that the host's router chooses."""
    token = _page.set(page := PageRead())
    try:
        yield page
    finally:
        _page.reset(token)


@contextmanager
def reading_what_is_written() -> Iterator[None]:
    """Read inside the block from the database that is written, even within ``reading_a_page``."""
    token = _page.set(None)
    try:
        yield
    finally:
        _page.reset(token)


def database_of(model: type[models.Model], **hints: Any) -> str:
    """Return the database that a query of this model reads: of a page, the one chosen for the page."""
    page = _page.get()
    return page.alias_for(model, **hints) if page else router.db_for_write(model, **hints)


def current_page() -> PageRead | None:
    """Return the page that is being read, or ``None`` outside ``reading_a_page``."""
    return _page.get()


def page_changes_at(moment: datetime) -> None:
    """Note that the page that is being read shows something else from a moment on, such as a date that was hidden."""
    page = _page.get()
    if page is not None:
        page.changes_at = moment if page.changes_at is None else min(page.changes_at, moment)


class EngineQuerySet(models.QuerySet[_M]):
    """The queryset of every model of the engine; ``using`` still chooses any database."""

    @property
    def db(self) -> str:
        """The database that the query reads when it is evaluated."""
        # The stubs do not know these attributes of Django's querysets.
        if self._db or self._for_write:  # type: ignore[attr-defined]
            return super().db
        return database_of(self.model, **self._hints)  # type: ignore[attr-defined]


EngineManager = models.Manager.from_queryset(EngineQuerySet)
