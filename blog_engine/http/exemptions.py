"""Exempting views from rules of the host: CSRF check, login wall, page cache and transaction."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt


def keep_out_of_page_caches(request: HttpRequest) -> None:
    """Mark the request so that ``UpdateCacheMiddleware`` keeps no answer to it, nor gives it a lifetime.

    That of earlier Django 5.2 does not look for ``no-store``.
    """
    request._cache_update_cache = False  # type: ignore[attr-defined]  # Django's own mark, without a public name


View = Callable[..., HttpResponse]


def exempt_from_host_rules(view: Callable[[HttpRequest], HttpResponse]) -> View:
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
