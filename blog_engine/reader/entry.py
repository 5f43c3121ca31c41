"""From a URL to its view: methods, language, and the host's class (decisions.md 1, 7.9)."""

from collections.abc import Callable
from functools import cache
from typing import cast

from django.contrib.auth.decorators import login_not_required
from django.db import Error, connections, transaction
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import View

from blog_engine.conf import get_settings, parent_controller
from blog_engine.http.exemptions import without_transaction
from blog_engine.models import Post
from blog_engine.models.reading import reading_a_page
from blog_engine.reader.out_of_reach import out_of_reach

ReaderAnswer = Callable[..., HttpResponseBase]

_METHODS = ["GET", "HEAD"]
_DEAD_ENDS = {404, 410}


def reader_page(view: type[View]) -> ReaderAnswer:
    """Serve a page of the blog, through the host's ``parent_controller`` where there is one."""

    @cache
    def behind(parent: type | None) -> ReaderAnswer:
        mixed: type[View] = type(view.__name__, (parent, view), {}) if parent else view
        return mixed.as_view()

    return _serve(lambda: behind(parent_controller()))


def open_page(view: type[View]) -> ReaderAnswer:
    """Serve what everybody may have, whatever login wall the host has.

    A preview is opened by its signed link (reader.md 10); the host's colours are no secret and belong to it, too.
    """
    plain = view.as_view()
    return login_not_required(_serve(lambda: plain))


def _serve(find_view: Callable[[], ReaderAnswer]) -> ReaderAnswer:
    # Nothing here takes a form: without the exemption a POST would be 403 before it can be 405.
    @csrf_exempt
    @without_transaction
    def answer(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        if request.method not in _METHODS:
            return HttpResponseNotAllowed(_METHODS)
        _read_address_as_utf8(request)
        with translation.override(get_settings().catalogue):
            try:
                return _from_where_it_is_stored(_with_transactions_of_host(find_view()), request, **kwargs)
            except Error as fault:
                page = out_of_reach(request, fault)
                if page is None:
                    raise
                return page

    return cast(ReaderAnswer, answer)


def _from_where_it_is_stored(view: ReaderAnswer, request: HttpRequest, **kwargs: str) -> HttpResponseBase:
    """Answer from a replica where the host has one, unless the replica does not know the URL yet."""
    with reading_a_page() as page:
        response = view(request, **kwargs)
    if response.status_code in _DEAD_ENDS and page.may_lag(Post):
        return view(request, **kwargs)
    return response


def _with_transactions_of_host(view: ReaderAnswer) -> ReaderAnswer:
    """The view as ``ATOMIC_REQUESTS`` wants it; Django would open the transaction where no page of ours can say so."""
    for alias, settings in connections.settings.items():
        if settings["ATOMIC_REQUESTS"]:
            view = transaction.atomic(using=alias)(view)
    return view


def _read_address_as_utf8(request: HttpRequest) -> None:
    # Django decodes the query string, too, by the ``charset`` that the visitor names: some of Python's codecs give
    # lone surrogates, which no page can show.
    if request.encoding not in {None, "utf-8"}:
        request.encoding = "utf-8"
