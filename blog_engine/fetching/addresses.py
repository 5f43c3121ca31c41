"""Which network addresses a request may go to (records.md section 9)."""

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, TypeAlias

from blog_engine.fetching.urls import Origin

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
