"""The origin of a request."""

from django.http import HttpRequest

from blog_engine.conf import get_settings


def origin_of(request: HttpRequest) -> str:
    """Return the origin of absolute URLs: ``public_base_url`` or the request's.

    It has no trailing slash. Raises Django's ``DisallowedHost`` for a forged ``Host`` without ``public_base_url``.
    """
    return get_settings().public_base_url or f"{request.scheme}://{request.get_host()}"
