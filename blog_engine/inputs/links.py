"""Addresses that a caller may send (records.md 4 and 5.3)."""

import re
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from blog_engine.content.slugs import is_slug
from blog_engine.inputs.types import LinkText, blank_is_null

# What RFC 3986 leaves out of a URL. Browsers read a backslash as a slash: "/\host" would leave the site.
_OUTSIDE_URLS = re.compile(r'[\s\x00-\x20\x7f-\xa0"<>\\^`{|}]')


def _split(link: str) -> SplitResult | None:
    """The parts of an absolute http(s) URL with host, or ``None``."""
    if _OUTSIDE_URLS.search(link):
        return None
    try:
        parts = urlsplit(link)
        # Reading the port is what checks it.
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable else None


def _absolute(link: str | None) -> str | None:
    if link is not None and _split(link) is None:
        raise PydanticCustomError("expected", "an absolute http or https URL")
    return link


def _target(link: str) -> str:
    if is_slug(link):
        return link
    if link.startswith("/") and not link.startswith("//") and not _OUTSIDE_URLS.search(link):
        return link
    parts = _split(link)
    if parts is None or "@" in parts.netloc:
        raise PydanticCustomError("expected", "a slug, a path that starts with /, or an absolute http or https URL")
    return link


HttpUrl = Annotated[
    LinkText | None,
    BeforeValidator(blank_is_null, json_schema_input_type=LinkText | None),
    AfterValidator(_absolute),
]
"""An absolute http(s) URL with host, kept as sent; blank is null."""

RedirectTarget = Annotated[LinkText, AfterValidator(_target)]
"""A slug, a root-relative path or an absolute URL without user info, kept as sent; the service resolves it."""
