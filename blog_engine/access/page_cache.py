"""Keeping answers out of a host's page cache."""

from django.http import HttpRequest


def keep_out_of_page_caches(request: HttpRequest) -> None:
    """Mark the request so that ``UpdateCacheMiddleware`` keeps no answer to it, nor gives it a lifetime.

    That of earlier Django 5.2 does not look for ``no-store``.
    """
    request._cache_update_cache = False  # type: ignore[attr-defined]  # Django's own mark, without a public name
