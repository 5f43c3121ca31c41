"""From where a request comes, for limits by address (decisions.md 9.1)."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest

from blog_engine.conf import get_settings

UNKNOWN_ADDRESS = "unknown"
"""The one bucket of all requests whose address nobody tells, such as those through a Unix socket."""

_IPV6_NETWORK = 64


def client_address(request: HttpRequest) -> str:
    """The address of the client as a key for counting.

    With ``trusted_proxies`` n, it is the n-th last value of ``X-Forwarded-For``, which the outermost of these
    proxies wrote; a value that is not an address falls back to ``REMOTE_ADDR``. An IPv6 address stands for its
    /64 network, which is what one client usually holds.
    """
    return (
        _counted(_forwarded(request, hops=get_settings().trusted_proxies))
        or _counted(request.META.get("REMOTE_ADDR", ""))
        or UNKNOWN_ADDRESS
    )


def _forwarded(request: HttpRequest, *, hops: int) -> str:
    values = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return values[-hops].strip() if 0 < hops <= len(values) else ""


def _counted(text: str) -> str | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((int(address), _IPV6_NETWORK), strict=False))
