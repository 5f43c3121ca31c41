"""Which web pages may call the agent endpoint from a browser (records.md 18, transport checks)."""

import re

from django.http import HttpRequest

from blog_engine.addresses import origin_parts
from blog_engine.conf import get_settings
from blog_engine.errors import ScopeRequired

_ORIGIN = re.compile(r"https?://[^/?#@\\\s]+", re.IGNORECASE)


def check_origin(request: HttpRequest) -> None:
    """Raise ``ScopeRequired`` (``origin``) unless the request's ``Origin`` is its own or that of ``public_base_url``.

    Programs send none and pass. Compared are scheme, host and port. What the request calls its own host rests on
    ``ALLOWED_HOSTS``; Django's ``DisallowedHost`` is raised for another.
    """
    sent = request.headers.get("Origin")
    if sent is None:
        return
    own = [f"{request.scheme}://{request.get_host()}", get_settings().public_base_url]
    if _parts(sent) not in [_parts(origin) for origin in own if origin]:
        raise ScopeRequired(["origin"], hint="Origin names another site, whose pages may not call this address.")


def _parts(origin: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port; raises ``ScopeRequired`` for what is no web origin, such as ``null``."""
    if not _ORIGIN.fullmatch(origin):
        raise ScopeRequired(["origin"], hint="Origin must be that of a web page (http or https).")
    try:
        return origin_parts(origin)
    except ValueError as fault:
        raise ScopeRequired(["origin"], hint="Origin is no address of a web site.") from fault
