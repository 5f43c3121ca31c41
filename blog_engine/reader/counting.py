"""Which answers are a view of an article, and the count of it (reader.md 18, records.md 17)."""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from blog_engine.conf import get_settings
from blog_engine.models import Post
from blog_engine.reader.afterwards import after_the_answer
from blog_engine.services import count_view

logger = logging.getLogger("blog_engine")

_SHOWN: Final = "blog_engine.shown_post"
_SEEN: Final = frozenset({200, 304})


def shown(request: HttpRequest, post: Post) -> None:
    """Say that the answer is the page of this public post, or that the reader has it already."""
    request.META[_SHOWN] = post.pk


def counted(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """The view of a post, counting what people read.

    It goes around the host's ``parent_controller``, whose ``dispatch`` may have put a login page in place of what was
    ``shown``. Nobody waits for it, and its errors are logged.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        post_id = request.META.pop(_SHOWN, None)
        if post_id is not None and response.status_code in _SEEN:
            after_the_answer(request, partial(_count, request, post_id, now=timezone.now()))
        return response

    return answer


def _count(request: HttpRequest, post_id: int, *, now: datetime) -> None:
    try:
        if _is_from_a_person(request):
            count_view(post_id, now=now)
    except Exception:
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
