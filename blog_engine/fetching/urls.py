"""URLs that may be fetched, and the refusals of those that may not."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, TypeAlias
from urllib.parse import urljoin

import httpx

NOTHING_FETCHED: Final = (
    "Nothing could be fetched from there: the address must be public, and answer in time with success."
)
UNUSABLE_URL: Final = "Send a full http or https address with a plain host, and no user name or password."
UNUSABLE_REDIRECT: Final = "The address redirects to where no redirect may lead."
TOO_LARGE: Final = "What the address sends is too large."
ENCODED: Final = "The address sends compressed data, although none was asked for."


class FetchRefused(Exception):
    """Nothing was fetched.

    ``reason`` is a sentence that a caller may read. It is the same for a name that does not exist, an address that is
    not permitted, a closed port and a server that is too slow: nobody learns from it what an internal network holds.
    """

    def __init__(self, reason: str = NOTHING_FETCHED) -> None:
        self.reason = reason
        super().__init__(reason)


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


Address: TypeAlias = IPv4Address | IPv6Address

Permits: TypeAlias = Callable[[Origin, Address], bool]
"""Whether a request for this origin may go to this address; asked for every address that its name resolves to."""

# ``ipaddress.is_global`` calls NAT64, multicast and, in older Pythons, 6to4 and IETF addresses global.
_NOT_PUBLIC_4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32",  # public by number, but in Azure the platform's own service
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


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet; an IPv4-mapped address is judged as IPv4."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    if address.ipv4_mapped:
        return is_public(address.ipv4_mapped)
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)


def public_only(origin: Origin, address: Address) -> bool:
    """Permit public addresses, whatever the origin."""
    return is_public(address)


def any_address(origin: Origin, address: Address) -> bool:
    """Permit every address: for hosts that import from internal servers (``image_fetch_policy`` ``open``)."""
    return True
