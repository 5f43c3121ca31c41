"""Forms that are sent twice, such as by two clicks, and count once (desk.once)."""

import hashlib
import json
import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from django.contrib import messages
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from blog_engine.errors import Refusal
from blog_engine.queries.database import engine_connection, refusal_of_database
from blog_engine.services.sent_forms import begin_form, end_form, forget_form

_LOOKS: Final = 200
_PAUSE: Final = 0.1
"""Seconds between two looks at the first request: together less than the 30 s after which servers end a request."""

_R = TypeVar("_R")


def form_key(request: HttpRequest) -> str:
    """Return the key of a form that was sent, or an empty text for a request without one.

    Django masks the token of each page at random, so that the same fields with the same token are the same form of the
    same page, and two pages with equal fields are two forms.
    """
    if request.method != "POST" or not request.POST.get("csrfmiddlewaretoken"):
        return ""
    files = [
        (name, file.name, file.size, hashlib.file_digest(file, "sha256").hexdigest())
        for name, sent in request.FILES.lists()
        for file in sent
    ]
    for _name, sent in request.FILES.lists():
        for file in sent:
            file.seek(0)
    all_sent = [str(request.user.pk), request.get_full_path(), sorted(request.POST.lists()), sorted(files, key=str)]
    return hashlib.sha256(json.dumps(all_sent).encode()).hexdigest()


def answered_once(
    request: HttpRequest, answer: Callable[[], HttpResponseBase], *, leads_to: str = ""
) -> HttpResponseBase:
    """Return the answer to a form, or the page to which its first sending led.

    Only what ends in a redirect is remembered, or with ``leads_to`` any answer: a form with errors is sent again.
    """
    key = form_key(request)
    if not key:
        return answer()
    for _look in range(_LOOKS):
        begun = _noted(partial(begin_form, key, now=timezone.now()))
        if begun is None:
            # Without the database nothing is written twice: the form says what is wrong.
            return answer()
        if begun.is_first:
            return _first(key, answer, leads_to)
        if begun.leads_to:
            messages.info(request, _("Done. The form was sent twice, and counts once."))
            return HttpResponseRedirect(begun.leads_to)
        time.sleep(_PAUSE)
    text = _("Your first click is still at work. Go back in a moment, and look at what became of it.")
    return HttpResponse(text, status=409, content_type="text/plain; charset=utf-8")


def _first(key: str, answer: Callable[[], HttpResponseBase], leads_to: str) -> HttpResponseBase:
    followed = ""
    try:
        response = answer()
        followed = response.headers.get("Location", leads_to)
    finally:
        # What a host wraps in one transaction is rolled back with it.
        if followed:
            _noted(partial(end_form, key, leads_to=followed))
        elif not engine_connection().needs_rollback:
            _noted(partial(forget_form, key))
    return response


def _noted(act: Callable[[], _R]) -> _R | None:
    """Return what a call returns, or ``None`` when the database is out of reach."""
    try:
        return act()
    except (Refusal, Error) as fault:
        if refusal_of_database(fault) is None:
            raise
        return None
