"""Page views, counted after the response was sent, and stored together."""

import atexit
import logging
import os
import re
from collections import ChainMap, Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import lru_cache, partial
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Final

from django.db import Error, close_old_connections, connections, router
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from blog_engine.conf import get_settings
from blog_engine.errors import Busy
from blog_engine.models import PageView, Post
from blog_engine.queries.database import engine_connection, refusal_of_database
from blog_engine.queries.page_views import utc_day
from blog_engine.services import count_view, count_views

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
            left |= some if left else _store_totals(some)
        with self._changed:
            self._keep(left, due=monotonic() + RETRY_SECONDS)


def _store_totals(views: dict[Total, int]) -> dict[Total, int]:
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
            return dict(ChainMap(*(_store_totals({total: number}) for total, number in views.items())))
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

_SHOWN_POST: Final = "blog_engine.shown_post"
_READ_STATUSES: Final = frozenset({200, 304})


def mark_as_shown(request: HttpRequest, post: Post) -> None:
    """Record on the request that the response is the page of this public post, or 304."""
    request.META[_SHOWN_POST] = post.pk


def post_shown(request: HttpRequest) -> int | None:
    """Return the id of the post that ``mark_as_shown`` recorded on the request."""
    post_id: int | None = request.META.get(_SHOWN_POST)
    return post_id


def show_again(request: HttpRequest, post_id: int) -> None:
    """Record on the request that the response is the kept page of a public post, or 304."""
    request.META[_SHOWN_POST] = post_id


def count_page_view(request: HttpRequest, response: HttpResponseBase) -> None:
    """Count a page view once the response was sent, if it is an article.

    The host's ``parent_controller`` may have replaced the article by a login page (``page-views.host-answers``).
    Counting delays no response, and its errors are logged.
    """
    post_id = request.META.pop(_SHOWN_POST, None)
    if post_id is not None and response.status_code in _READ_STATUSES:
        after_response(request, partial(_count, request, post_id, now=timezone.now()))


def after_response(request: HttpRequest, work: Callable[[], None]) -> None:
    """Call ``work`` after the response was sent, outside of ``ATOMIC_REQUESTS``.

    When Django closes the response that was sent, it closes the request. A hook on the view's own response would be
    lost when a middleware replaces it, as ``ConditionalGetMiddleware`` does. Django ignores exceptions at that time, so
    ``work`` must handle its own.
    """
    close = request.close

    def close_and_work() -> None:
        # Restored first, so that the request holds no reference to itself.
        request.close = close  # type: ignore[method-assign]  # Django looks it up on the request
        close()
        work()

    request.close = close_and_work  # type: ignore[method-assign]  # as above


def _count(request: HttpRequest, post_id: int, *, now: datetime) -> None:
    """Count a view later, or at once without waiting for a locked database."""
    settings = get_settings()
    try:
        if not (settings.page_views and _is_read_by_person(request, settings.page_view_bot_pattern)):
            return
        # A test of the host runs in a transaction, in which it looks for the view; no other thread sees its posts.
        if settings.view_counting == "buffered" and not engine_connection().in_atomic_block:
            waiting_views.add(post_id, utc_day(now))
        else:
            count_view(post_id, now=now, waits=False)
    except Exception as fault:
        if isinstance(refusal_of_database(fault), Busy):
            waiting_views.add(post_id, utc_day(now), within=RETRY_SECONDS)
            return
        # The reader has the page, and Django ignores exceptions at this time.
        logger.exception("A view of the post %s was not counted.", post_id)


def _is_read_by_person(request: HttpRequest, bots: re.Pattern[str]) -> bool:
    """Return whether a person reads the page, as far as the request shows."""
    sent = request.META
    program = sent.get("HTTP_USER_AGENT", "").strip()
    return (
        request.method == "GET"
        and "prefetch" not in sent.get("HTTP_SEC_PURPOSE", "").lower()
        and program != ""
        and not _is_bot(bots, program)
    )


@lru_cache(maxsize=256)
def _is_bot(bots: re.Pattern[str], program: str) -> bool:
    """Return whether the pattern matches; cached, because it takes longer than the rest of a view."""
    return bots.search(program) is not None
