"""Counting a page view after the response was sent."""

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
from blog_engine.queries.page_views import counted_day
from blog_engine.services import count_view


def after_the_answer(request: HttpRequest, work: Callable[[], None]) -> None:
    """Do the work, once, when the server has sent the answer; outside of the host's ``ATOMIC_REQUESTS``.

    Django closes the response that went out, and with it the request. A closer of our own response would be lost
    when a middleware puts another one in its place, as ``ConditionalGetMiddleware`` does. The work handles its own
    exceptions: Django drops them.
    """
    close = request.close

    def close_and_work() -> None:
        # Otherwise the request would hold itself.
        request.close = close  # type: ignore[method-assign]  # Django looks it up on the request
        close()
        work()

    request.close = close_and_work  # type: ignore[method-assign]  # as above


logger = logging.getLogger("blog_engine")

_SHOWN: Final = "blog_engine.shown_post"
_SEEN: Final = frozenset({200, 304})
_SOON: Final = 1.0
"""Seconds after which a view that found the database locked is counted."""


def mark_as_shown(request: HttpRequest, post: Post) -> None:
    """Say that the answer is the page of this public post, or that the reader has it already."""
    request.META[_SHOWN] = post.pk


def counted(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """The view of a post, counting what people read.

    It goes around the host's ``parent_controller``, whose ``dispatch`` may have put a login page in place of what was
    ``mark_as_shown``. Nobody waits for it, and its errors are logged.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        post_id = request.META.pop(_SHOWN, None)
        if post_id is not None and response.status_code in _SEEN:
            after_the_answer(request, partial(_count, request, post_id, now=timezone.now()))
        return response

    return answer


class _Postponed:
    """Views that found a SQLite database locked, until a thread counts them a second later.

    The process that answered keeps them; those of a process that ends before are lost.
    """

    def __init__(self) -> None:
        self._views: Counter[tuple[int, datetime]] = Counter()
        self._lock = Lock()
        self._is_waiting = False

    def add(self, post_id: int, day: datetime, views: int) -> None:
        """Count these views later."""
        with self._lock:
            self._views[post_id, day] += views
            if self._is_waiting:
                return
            self._is_waiting = True
        timer = Timer(_SOON, self._count)
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
    """Count views without waiting for a locked database: the thread that answered has others to answer."""
    try:
        if request is None or _is_from_a_person(request):
            count_view(post_id, now=now, views=views, waits=False)
    except Exception as fault:
        if isinstance(refusal_of_database(fault), Busy):
            _postponed.add(post_id, datetime.combine(counted_day(now), time.min, UTC), views)
            return
        # The reader has the page, and Django drops what is raised this late without a word.
        logger.exception("A view of the post %s was not counted.", post_id)


def _is_from_a_person(request: HttpRequest) -> bool:
    """Whether somebody reads the answer, as far as the request tells, and the host wants to know."""
    settings = get_settings()
    program = request.headers.get("User-Agent", "").strip()
    return (
        settings.page_views
        and request.method == "GET"
        and "prefetch" not in request.headers.get("Sec-Purpose", "").lower()
        and program != ""
        and not settings.page_view_bot_pattern.search(program)
    )
