"""Which URLs are fetched at all, and where a redirect leads (records.md section 9)."""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import urljoin

import httpx

from blog_engine.fetching.refused import UNUSABLE_REDIRECT, UNUSABLE_URL, FetchRefused

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""The statuses that send a client on."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}

# Whatever URL parsers read differently stays out: user info, percent signs, backslashes, spaces, odd ports.
_WEB_URL: Final = re.compile(
    r"https?://(?:\[[0-9a-f:.]+\]|[^\[\]:/?#@%\\\s]{1,253})(?::[0-9]{0,5})?(?:[/?#].*)?", re.IGNORECASE | re.DOTALL
)
_HOST_NAME: Final = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port of a URL; the host in lower-case ASCII, an IPv6 address without brackets."""

    scheme: str
    host: str
    port: int


def web_url(text: str) -> httpx.URL:
    """The URL without its fragment. Raises ``FetchRefused`` for what is not an absolute http or https URL.

    International names are encoded (IDNA 2008). A host that ends in a number is a dotted IPv4 address or refused:
    systems read ``127.1``, ``0x7f000001`` and ``2130706433`` as addresses too.
    """
    if not _WEB_URL.fullmatch(text):
        raise FetchRefused(UNUSABLE_URL)
    try:
        url = httpx.URL(text).copy_with(fragment=None)
        origin = origin_of(url)
    except (httpx.InvalidURL, ValueError) as fault:
        raise FetchRefused(UNUSABLE_URL) from fault
    if not _is_host(origin.host) or not 1 <= origin.port <= 65_535:
        raise FetchRefused(UNUSABLE_URL)
    return url


def origin_of(url: str | httpx.URL) -> Origin:
    """The origin of an absolute http or https URL that is known to be one, such as ``public_base_url``."""
    parsed = httpx.URL(url)
    host = parsed.raw_host.decode("ascii").lower()
    if ":" in host:
        host = IPv6Address(host).compressed
    port = parsed.port if parsed.port is not None else _DEFAULT_PORTS[parsed.scheme]
    return Origin(scheme=parsed.scheme, host=host, port=port)


def redirect_target(current: httpx.URL, locations: list[str]) -> httpx.URL:
    """Where an answer to ``current`` sends on, given its ``Location`` headers.

    Raises ``FetchRefused`` unless there is exactly one, of the same rules as any URL, that does not leave https.
    """
    if len(locations) != 1 or not locations[0]:
        raise FetchRefused(UNUSABLE_REDIRECT)
    try:
        target = web_url(urljoin(str(current), locations[0]))
    except (FetchRefused, ValueError) as fault:
        raise FetchRefused(UNUSABLE_REDIRECT) from fault
    if (current.scheme, target.scheme) == ("https", "http"):
        raise FetchRefused(UNUSABLE_REDIRECT)
    return target


def _is_host(host: str) -> bool:
    if ":" in host:
        return True
    if not _HOST_NAME.fullmatch(host):
        return False
    return not _NUMBER.fullmatch(host.removesuffix(".").rpartition(".")[2]) or _is_ipv4(host)


def _is_ipv4(host: str) -> bool:
    try:
        IPv4Address(host)
    except AddressValueError:
        return False
    return True
