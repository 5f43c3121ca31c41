"""Redirect URIs: which ones a client can register, and which one a request can name."""

from typing import Final
from urllib.parse import SplitResult, urlsplit

from blog_engine.oauth.provider import REDIRECT_SCHEMES
from blog_engine.queries.oauth import is_loopback

MOST_URIS: Final = 10
LONGEST_URI: Final = 2048


def uri_fault(uri: str) -> str | None:
    """Return why a client cannot register a redirect URI, or ``None`` for one that it can."""
    if len(uri) > LONGEST_URI or not uri.isascii() or not uri.isprintable() or any(mark in uri for mark in " \\#"):
        return f"Redirect URIs have at most {LONGEST_URI} ASCII characters, no spaces, no backslash and no fragment."
    parts = _split(uri)
    if parts is None or not parts.hostname or "@" in parts.netloc or "*" in parts.netloc:
        return "Redirect URIs are absolute, with a host and without user name and wildcards."
    if parts.scheme not in REDIRECT_SCHEMES:
        return f"The schemes of redirect URIs are {', '.join(REDIRECT_SCHEMES)}."
    if parts.scheme == "http" and not is_loopback(uri):
        return "A redirect URI with http leads to 127.0.0.1, [::1] or localhost; others need https."
    return None


def list_fault(uris: object) -> str | None:
    """Return what is wrong with the ``redirect_uris`` of a client, or ``None``."""
    if not isinstance(uris, list) or not 0 < len(uris) <= MOST_URIS or not all(isinstance(uri, str) for uri in uris):
        return f"redirect_uris is a list of 1 to {MOST_URIS} texts."
    return next((fault for uri in uris if (fault := uri_fault(uri))), None)


def is_registered(uri: str, registered: list[str]) -> bool:
    """Return whether a request may name this redirect URI: exactly a registered one.

    Only the port of a URI of the user's own machine may differ (RFC 8252, section 7.3).
    """
    if uri_fault(uri) is not None:
        return False
    if uri in registered:
        return True
    return is_loopback(uri) and _without_port(uri) in {_without_port(own) for own in registered if is_loopback(own)}


def shown_host(uri: str) -> str:
    """Return what a person reads of the place that a redirect URI leads to."""
    parts = urlsplit(uri)
    return parts.netloc if parts.scheme == "https" else f"{parts.scheme}://{parts.netloc}"


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _without_port(uri: str) -> tuple[str | None, str, str, bool]:
    parts = urlsplit(uri)
    return parts.hostname, parts.path, parts.query, "?" in uri
