"""URLs in content: which of them are safe, and their origins."""

import re
import sys
from functools import lru_cache
from html import escape, unescape
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from blog_engine.content.scripts import FULL_WIDTH_MARKS, HANGUL, SPACELESS, is_punctuation

LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})
IMAGE_SCHEMES: Final = frozenset({"http", "https"})

_IGNORED_BY_BROWSERS: Final = re.compile(r"[\x00-\x20\x7f-\xa0\s]+")
_SCHEME: Final = re.compile(r"([^/?#:]*):")
# What RFC 3986 leaves out of a URL. Browsers read a backslash as a slash: "/\host" would leave the site.
_OUTSIDE_URLS: Final = re.compile(r'[\s\x00-\x20\x7f-\xa0"<>\\^`{|}]')
_WEB: Final = re.compile("https?:", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}

_LINK_OR_IMAGE: Final = re.compile(r"""<(?:a|img)(?: [a-z-]+(?:="[^"]*")?)*>""")
_RELATIVE: Final = re.compile(r"""(?<= )(href|src)="(?![A-Za-z][A-Za-z0-9+.-]*:|[/#])([^"]*)\"""")

MAX_URL: Final = 2048
_ENDS_URL: Final = (
    rf"\s<{FULL_WIDTH_MARKS}\u060c\u061b\u061f\u06d4\u0964\u0965\u00ab\u00bb\u2014\u2018-\u201f\u2026\u2039\u203a"
)
"""White space, ``<``, and the punctuation and quotation marks of other scripts, as far as no URL has them."""
_BARE_URL: Final = re.compile(
    # Full-width brackets belong to a name that is written in that script, such as the title of a page of Wikipedia.
    rf"(?:[^{_ENDS_URL}]|(?<=[{SPACELESS}{HANGUL}])\uff08[^{_ENDS_URL}]{{1,100}}\uff09){{1,{MAX_URL}}}+"
)
_AFTER_URL: Final = ".,;:!?*_~'\""
"""Signs that are no part of a URL at its end."""


def is_usable(url: str, *, is_image: bool) -> bool:
    """Return whether pages keep the URL of an image or a link of a body; an image needs one that is not empty."""
    if is_image and not url.strip():
        return False
    if not is_allowed(url, schemes=IMAGE_SCHEMES if is_image else LINK_SCHEMES):
        return False
    return _WEB.match(url) is None or bool(urlsplit(url).hostname)


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


def bare_url(text: str, start: int = 0, end: int = sys.maxsize) -> str:
    """Return the URL that a text has from ``start`` on, without the punctuation of the sentence around it.

    Empty for a longer run than a URL can be: it is hostile or binary text, and half of it must not become a link.
    """
    found = _BARE_URL.match(text, start, end)
    if found is None or len(found[0]) >= MAX_URL:
        return ""
    url = found[0]
    surplus = {closing: url.count(closing) - url.count(opening) for closing, opening in _BRACKETS.items()}
    last = len(url)
    while last:
        sign = url[last - 1]
        if sign not in _AFTER_URL and (sign.isascii() or sign == "\uff09" or not is_punctuation(sign)):
            if surplus.get(sign, 0) <= 0:
                break
            surplus[sign] -= 1
        last -= 1
    return url[:last]


def percent_encoded(url: str) -> str:
    """Return a URL in which what no URL has is percent-encoded."""
    return _OUTSIDE_URLS.sub(lambda found: quote(found[0]), url)


def with_links_of(path: str, html: str) -> str:
    """Return a rendered body whose relative links and images lead where they lead from the page at ``path``."""

    def rebased(found: re.Match[str]) -> str:
        return f'{found[1]}="{escape(urljoin(path, unescape(found[2])))}"'

    return _LINK_OR_IMAGE.sub(lambda tag: _RELATIVE.sub(rebased, tag[0]), html)


def _host_and_port(url: str) -> tuple[str, int | None]:
    # Browsers read a backslash as a slash, so "/\host" names a host.
    parts = urlsplit(url.replace("\\", "/"))
    return parts.hostname or "", parts.port or _DEFAULT_PORTS.get(parts.scheme)


def origin_parts(url: str) -> tuple[str, str | None, int | None]:
    """Return scheme, host and effective port of an absolute URL, to compare origins."""
    parts = urlsplit(url)
    usual = _DEFAULT_PORTS.get(parts.scheme)
    return parts.scheme, parts.hostname, usual if parts.port is None else parts.port
