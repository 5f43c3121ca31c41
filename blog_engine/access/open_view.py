"""Views that a host's own rules do not get in the way of: no CSRF check, login wall, page cache and transaction."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from blog_engine.access.page_cache import keep_out_of_page_caches

View = Callable[..., HttpResponse]


def open_to_anyone(view: Callable[[HttpRequest], HttpResponse]) -> View:
    """A view without CSRF check, login wall, page cache and transaction, whatever the host has of them."""

    @wraps(view)
    def uncached(request: HttpRequest) -> HttpResponse:
        keep_out_of_page_caches(request)
        return view(request)

    opened: View = csrf_exempt(login_not_required(without_transaction(uncached)))
    return opened


def without_transaction(view: Any) -> Any:
    """The view, outside of any transaction that the host wraps around requests (decisions.md 9.10)."""
    for alias in connections:
        view = transaction.non_atomic_requests(using=alias)(view)
    return view
