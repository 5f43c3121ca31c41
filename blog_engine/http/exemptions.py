"""Decorators that exempt views from the host's middleware and transactions."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt


def keep_out_of_page_caches(request: HttpRequest) -> None:
    """Keep the response to this request out of ``UpdateCacheMiddleware``.

    The middleware of Django 5.2 does not respect ``no-store``.
    """
    request._cache_update_cache = False  # type: ignore[attr-defined]  # Django's own flag, without a public name


def exempt_from_host_rules(view: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Exempt a view from CSRF checks, login requirement, page cache and transactions."""

    @wraps(view)
    def uncached(request: HttpRequest) -> HttpResponse:
        keep_out_of_page_caches(request)
        return view(request)

    exempt: Callable[..., HttpResponse] = csrf_exempt(login_not_required(without_transaction(uncached)))
    return exempt


def without_transaction(view: Any) -> Any:
    """Exempt a view from ``ATOMIC_REQUESTS``, for every database."""
    for alias in connections:
        view = transaction.non_atomic_requests(using=alias)(view)
    return view
