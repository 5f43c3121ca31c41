"""The site's origin, and which configured addresses may be linked (reader.md 1.3, 4.9, 13)."""

import re
from urllib.parse import urlsplit

from django.http import HttpRequest

from blog_engine.conf import get_settings

_NOT_IN_ADDRESSES = re.compile(r"[\s\x00-\x20\x7f-\xa0\"<>\\^`{|}]")


def origin_of(request: HttpRequest) -> str:
    """Scheme, host and port of absolute addresses, without a trailing slash."""
    return get_settings().public_base_url or f"{request.scheme}://{request.get_host()}"


def is_safe_link(address: str) -> bool:
    """Whether the address is a path on this site or an http(s) URL with a host and without user info."""
    if _NOT_IN_ADDRESSES.search(address):
        return False
    if address.startswith("/"):
        return not address.startswith("//")
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
