"""Checks of the URLs and IP addresses that can be fetched."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, TypeAlias
from urllib.parse import urljoin

import httpx

NOTHING_FETCHED: Final = "Nothing was fetched: the URL must be publicly reachable and answer in time with success."
UNUSABLE_URL: Final = "Send an absolute http or https URL with a plain host, without user name and password."
UNUSABLE_REDIRECT: Final = "The URL redirects to a target that is not permitted."
TOO_LARGE: Final = "The response is too large."
ENCODED: Final = "The response is compressed, although the request did not ask for it."

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""The statuses that redirect a client."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}

# Refuses what URL parsers read differently: user info, percent signs, backslashes, spaces, odd ports.
_WEB_URL: Final = re.compile(
    r"https?://(?:\[[0-9a-f:.]+\]|[^\[\]:/?#@%\\\s]{1,253})(?::[0-9]{0,5})?(?:[/?#].*)?", re.IGNORECASE | re.DOTALL
)
_HOST_NAME: Final = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")

IPAddress: TypeAlias = IPv4Address | IPv6Address

# ``ipaddress.is_global`` is also true for NAT64 and multicast, and in older Pythons for 6to4 and IETF networks.
_NOT_PUBLIC_4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32",  # a service of the platform in Azure
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)
_PUBLIC_6: Final = IPv6Network("2000::/3")
_NOT_PUBLIC_6: Final = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


class FetchRefused(Exception):
    """Nothing was fetched.

    ``reason`` is a sentence for the caller. It is the same for a host name that does not exist, an IP address that is
    not permitted, a closed port and a slow server, so that it reveals nothing of an internal network
    (images.fetch.discreet).
    """

    def __init__(self, reason: str = NOTHING_FETCHED) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port of a URL."""

    scheme: str
    host: str
    """Lower-case ASCII; an IPv6 address without brackets."""
    port: int


def web_url(text: str) -> httpx.URL:
    """Parse an absolute http or https URL; raise ``FetchRefused`` for anything else.

    The fragment is dropped and international names are encoded (IDNA 2008). A host whose last label is a number must be
    a dotted IPv4 address, because systems also accept ``127.1``, ``0x7f000001`` and ``2130706433``.
    """
    if not _WEB_URL.fullmatch(text):
        raise FetchRefused(UNUSABLE_URL)
    try:
        url = httpx.URL(text).copy_with(fragment=None)
        origin = url_origin(url)
    except (httpx.InvalidURL, ValueError) as fault:
        raise FetchRefused(UNUSABLE_URL) from fault
    if not _is_host(origin.host) or not 1 <= origin.port <= 65_535:
        raise FetchRefused(UNUSABLE_URL)
    return url


def url_origin(url: str | httpx.URL) -> Origin:
    """Return the origin of a valid absolute http or https URL."""
    parsed = httpx.URL(url)
    host = parsed.raw_host.decode("ascii").lower()
    if ":" in host:
        host = IPv6Address(host).compressed
    port = parsed.port if parsed.port is not None else _DEFAULT_PORTS[parsed.scheme]
    return Origin(scheme=parsed.scheme, host=host, port=port)


def next_url(current: httpx.URL, locations: list[str]) -> httpx.URL:
    """Return the URL that a redirect from ``current`` leads to.

    Raises ``FetchRefused`` unless there is exactly one ``Location`` header, with a URL that can be fetched and that
    does not lead from https to http.
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


Permits: TypeAlias = Callable[[Origin, IPAddress], bool]
"""Returns whether a request to this origin can go to this IP address, one of those that its host resolves to."""


def is_public(address: IPAddress) -> bool:
    """Return whether an IP address is public; one that is IPv4-mapped counts as IPv4."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    if address.ipv4_mapped:
        return is_public(address.ipv4_mapped)
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)


def public_only(origin: Origin, address: IPAddress) -> bool:
    """Permit public IP addresses, whatever the origin."""
    return is_public(address)


def any_address(origin: Origin, address: IPAddress) -> bool:
    """Permit every IP address: for imports from internal servers (images.fetch.open)."""
    return True
