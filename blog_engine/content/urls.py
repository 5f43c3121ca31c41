"""URLs in content: which of them are safe, and their origins."""

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})
IMAGE_SCHEMES: Final = frozenset({"http", "https"})

_IGNORED_BY_BROWSERS: Final = re.compile(r"[\x00-\x20\x7f-\xa0\s]+")
_SCHEME: Final = re.compile(r"([^/?#:]*):")
# What RFC 3986 leaves out of a URL. Browsers read a backslash as a slash: "/\host" would leave the site.
_OUTSIDE_URLS: Final = re.compile(r'[\s\x00-\x20\x7f-\xa0"<>\\^`{|}]')
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


def is_allowed(url: str, *, schemes: frozenset[str]) -> bool:
    """Return whether a URL is relative or has one of the schemes, as browsers read it."""
    seen = _IGNORED_BY_BROWSERS.sub("", url)
    scheme = _SCHEME.match(seen)
    if scheme and scheme[1].lower() not in schemes:
        return False
    try:
        _host_and_port(seen)
        # As later readers of the URL parse it.
        _host_and_port(url)
    except ValueError:
        return False
    return True


def is_external(url: str, *, site_origin: str | None) -> bool:
    """Return whether a URL names another host or port than the site's.

    Without ``site_origin`` every host is another one.
    """
    host, port = _host_and_port(url)
    if not host:
        return False
    return site_origin is None or (host, port) != _host_and_port(site_origin)


def is_web_url(url: str) -> bool:
    """Return whether a text in content is an http or https URL with a host, as browsers read it."""
    try:
        host, _ = _host_and_port(url)
    except ValueError:
        return False
    return bool(host) and url.lower().startswith(("http://", "https://"))


def split_http_url(url: str) -> SplitResult | None:
    """Return the parts of an absolute http or https URL with a host and a possible port, or ``None``."""
    if _OUTSIDE_URLS.search(url):
        return None
    try:
        parts = urlsplit(url)
        # Reading the port is what checks it.
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable else None


@lru_cache(maxsize=1_000)
def is_safe_link(url: str) -> bool:
    """Return whether the text is a path from the root, or an http or https URL with a host and without user info."""
    if url.startswith("/"):
        return not url.startswith("//") and not _OUTSIDE_URLS.search(url)
    parts = split_http_url(url)
    return parts is not None and "@" not in parts.netloc


def trim_bare_url(text: str, *, trailing: str) -> str:
    """Return the URL without the punctuation of the sentence around it.

    Characters of ``trailing`` at the end are cut, and closing brackets that the URL does not open.
    """
    surplus = {closing: text.count(closing) - text.count(opening) for closing, opening in _BRACKETS.items()}
    end = len(text)
    while end:
        last = text[end - 1]
        if last not in trailing:
            if surplus.get(last, 0) <= 0:
                break
            surplus[last] -= 1
        end -= 1
    return text[:end]


def _host_and_port(url: str) -> tuple[str, int | None]:
    # Browsers read a backslash as a slash, so "/\host" names a host.
    parts = urlsplit(url.replace("\\", "/"))
    return parts.hostname or "", parts.port or _DEFAULT_PORTS.get(parts.scheme)


def origin_parts(url: str) -> tuple[str, str | None, int | None]:
    """Return scheme, host and effective port of an absolute URL, to compare origins."""
    parts = urlsplit(url)
    usual = _DEFAULT_PORTS.get(parts.scheme)
    return parts.scheme, parts.hostname, usual if parts.port is None else parts.port
