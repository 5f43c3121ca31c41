"""Page views that wait in the memory of this process until they are stored together."""

import atexit
import logging
import os
from collections import ChainMap, Counter
from collections.abc import Mapping
from datetime import date
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Final

from django.db import Error, close_old_connections, connections, router

from blog_engine.errors import Busy
from blog_engine.models import PageView
from blog_engine.queries.database import refusal_of_database
from blog_engine.services import count_views

logger = logging.getLogger("blog_engine")

LONGEST_WAIT: Final = 5.0
"""The most seconds that a view waits while the database takes it."""
ENOUGH: Final = 1_000
"""The number of views that are stored before that time."""
MOST_TOTALS: Final = 10_000
"""The most totals, each of a post and a day, that wait for a database that is gone."""
RETRY_SECONDS: Final = 1.0
"""The delay before views that the database did not take are stored."""

_AT_ONCE: Final = 300
"""Totals in a statement: older versions of SQLite take at most 999 values."""
_LAST_WAIT: Final = 10.0
"""The most seconds that the end of the process waits for another thread that is storing views."""

Total = tuple[int, date]
"""A post id and a day of UTC."""


class ViewBuffer:
    """Collects views, and stores them in a thread that runs while any wait."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop everything. A new process calls it, because its parent has these views, and the thread."""
        self._changed = Condition(Lock())
        self._storing = Lock()
        self._views: Counter[Total] = Counter()
        self._database = ""
        self._due: float | None = None
        """When to store the views; ``None`` while there are none."""
        self._added = 0
        """The views since the last time that some were stored."""
        self._dropped = 0
        self._has_thread = False

    def add(self, post_id: int, day: date, *, within: float = LONGEST_WAIT) -> None:
        """Store a view within this many seconds, or before when enough wait."""
        database = _database_name()
        with self._changed:
            if database != self._database:
                # Drop views counted for another database: test runs switch databases.
                self._views, self._database = Counter(), database
            self._added += 1
            self._keep({(post_id, day): 1}, due=monotonic() + within)

    def flush(self) -> None:
        """Store the views that wait. Those that the database does not take now wait again."""
        with self._storing:
            self._store()

    def flush_at_exit(self) -> None:
        """Store the views that wait, once no other thread stores any."""
        if self._storing.acquire(timeout=_LAST_WAIT) and self._views:
            # No thread can be started any more.
            self._has_thread = True
            self._store()
            connections.close_all()
            if self._views:
                logger.error("%s page views were not counted: the process ended.", self._views.total())

    def _keep(self, views: Mapping[Total, int], *, due: float) -> None:
        if not views:
            return
        for total, number in views.items():
            if total in self._views or len(self._views) < MOST_TOTALS:
                self._views[total] += number
            else:
                self._dropped += number
        if self._due is None or due < self._due or self._added == ENOUGH:
            self._due = due if self._due is None else min(due, self._due)
            self._changed.notify()
        if not self._has_thread:
            Thread(target=self._run, name="page views", daemon=True).start()
            self._has_thread = True

    def _run(self) -> None:
        try:
            while self._wait():
                # While views come, the connection of this thread stays open, unless the database has closed it.
                close_old_connections()
                self.flush()
        finally:
            connections.close_all()

    def _wait(self) -> bool:
        """Return whether there are views, once they are due; the thread ends when there are none."""
        with self._changed:
            while self._due is not None and self._added < ENOUGH and (left := self._due - monotonic()) > 0:
                self._changed.wait(left)
            self._has_thread = self._due is not None
            return self._has_thread

    def _store(self) -> None:
        with self._changed:
            views, self._views = self._views, Counter()
            database, self._due, self._added = self._database, None, 0
            dropped, self._dropped = self._dropped, 0
        if dropped:
            logger.error("%s page views were not counted: too many wait for the database.", dropped)
        if not views or database != _database_name():
            return
        totals, left = sorted(views), dict[Total, int]()
        for start in range(0, len(totals), _AT_ONCE):
            some = {total: views[total] for total in totals[start : start + _AT_ONCE]}
            left |= some if left else _count(some)
        with self._changed:
            self._keep(left, due=monotonic() + RETRY_SECONDS)


def _count(views: dict[Total, int]) -> dict[Total, int]:
    """Store totals, and return those that the database does not take at this time; other errors are logged."""
    try:
        count_views(views)
    except Error as fault:
        refusal = refusal_of_database(fault)
        if refusal is not None:
            if not isinstance(refusal, Busy):
                logger.warning("%s page views wait for the database: %s", sum(views.values()), fault)
            return views
        if len(views) > 1:
            # One of them, such as that of a post that is deleted meanwhile, must not cost the others.
            return dict(ChainMap(*(_count({total: number}) for total, number in views.items())))
        logger.exception("The views %s were not counted.", views)
    except Exception:
        logger.exception("%s page views were not counted.", sum(views.values()))
    return {}


def _database_name() -> str:
    return str(connections[router.db_for_write(PageView)].settings_dict["NAME"])


waiting_views: Final = ViewBuffer()
"""The views of this process."""

os.register_at_fork(after_in_child=waiting_views.forget)
atexit.register(waiting_views.flush_at_exit)
