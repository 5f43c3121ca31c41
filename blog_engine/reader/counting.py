"""Page views, counted after the response was sent."""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, time
from functools import partial, wraps
from threading import Lock, Timer
from typing import Any, Final

from django.db import connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from blog_engine.conf import get_settings
from blog_engine.errors import Busy
from blog_engine.models import Post
from blog_engine.queries.database import refusal_of_database
from blog_engine.queries.page_views import utc_day
from blog_engine.services import count_view

logger = logging.getLogger("blog_engine")

_SHOWN_POST: Final = "blog_engine.shown_post"
_READ_STATUSES: Final = frozenset({200, 304})
_RETRY_SECONDS: Final = 1.0
"""The delay before views that found the database locked are counted."""


def mark_as_shown(request: HttpRequest, post: Post) -> None:
    """Record on the request that the response is the page of this public post, or 304."""
    request.META[_SHOWN_POST] = post.pk


def count_page_views(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return the view, which counts a page view after each response with an article.

    It wraps the host's ``parent_controller``, whose ``dispatch`` may have replaced the article by a login page
    (``page-views.host-answers``). Counting delays no response, and its errors are logged.
    """

    @wraps(view)
    def counting_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        post_id = request.META.pop(_SHOWN_POST, None)
        if post_id is not None and response.status_code in _READ_STATUSES:
            after_response(request, partial(_count, request, post_id, now=timezone.now()))
        return response

    return counting_view


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


class _Postponed:
    """Page views to count a second later, because a SQLite database was locked.

    They are kept in memory, so a process that ends before loses them.
    """

    def __init__(self) -> None:
        self._views: Counter[tuple[int, datetime]] = Counter()
        self._lock = Lock()
        self._is_waiting = False

    def add(self, post_id: int, day: datetime, views: int) -> None:
        """Count these page views later."""
        with self._lock:
            self._views[post_id, day] += views
            if self._is_waiting:
                return
            self._is_waiting = True
        timer = Timer(_RETRY_SECONDS, self._count)
        timer.daemon = True
        timer.start()

    def _count(self) -> None:
        with self._lock:
            views, self._views, self._is_waiting = self._views, Counter(), False
        try:
            for (post_id, day), number in views.items():
                _count(None, post_id, now=day, views=number)
        finally:
            connections.close_all()


_postponed: Final = _Postponed()


def _count(request: HttpRequest | None, post_id: int, *, now: datetime, views: int = 1) -> None:
    """Count page views, without waiting for a locked database."""
    try:
        if request is None or _is_read_by_person(request):
            count_view(post_id, now=now, views=views, waits=False)
    except Exception as fault:
        if isinstance(refusal_of_database(fault), Busy):
            _postponed.add(post_id, datetime.combine(utc_day(now), time.min, UTC), views)
            return
        # The reader has the page, and Django ignores exceptions at this time.
        logger.exception("A view of the post %s was not counted.", post_id)


def _is_read_by_person(request: HttpRequest) -> bool:
    """Return whether a person reads the page, as far as the request shows.

    Always false if the host does not count page views.
    """
    settings = get_settings()
    program = request.headers.get("User-Agent", "").strip()
    return (
        settings.page_views
        and request.method == "GET"
        and "prefetch" not in request.headers.get("Sec-Purpose", "").lower()
        and program != ""
        and not settings.page_view_bot_pattern.search(program)
    )
