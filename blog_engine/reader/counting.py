"""Page views, counted after the response was sent."""

import logging
import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, partial
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from blog_engine.conf import get_settings
from blog_engine.errors import Busy
from blog_engine.models import Post
from blog_engine.queries.database import engine_connection, refusal_of_database
from blog_engine.queries.page_views import utc_day
from blog_engine.reader.view_buffer import RETRY_SECONDS, waiting_views
from blog_engine.services import count_view

logger = logging.getLogger("blog_engine")

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
