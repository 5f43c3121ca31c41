"""Looking up a host's addresses without waiting longer than the fetch has time."""

import socket
from concurrent.futures import Future
from ipaddress import IPv6Address, ip_address
from threading import Thread
from typing import TypeAlias

from blog_engine.fetching.addresses import Address
from blog_engine.fetching.deadline import Deadline
from blog_engine.fetching.refused import FetchRefused

_Found: TypeAlias = Future[list[Address]]


def resolve(host: str, port: int, *, deadline: Deadline) -> list[Address]:
    """Every address of the host, each once, in the order of the system; an IPv4-mapped address as IPv4.

    Raises ``FetchRefused`` for a host without an address and when the time is over.
    """
    seconds = deadline.left()
    found: _Found = Future()
    # No timeout reaches into getaddrinfo: it is left behind, in a thread that does not keep the process alive.
    Thread(target=_look_up, args=(host, port, found), name="blog_engine lookup", daemon=True).start()
    try:
        addresses = found.result(seconds)
    except (OSError, ValueError) as fault:
        raise FetchRefused from fault
    if not addresses:
        raise FetchRefused
    return addresses


def _look_up(host: str, port: int, found: _Found) -> None:
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found.set_result(list(dict.fromkeys(_address(str(sockaddr[0])) for *_, sockaddr in answers)))
    except Exception as fault:
        # Whatever it is goes to the thread that waits, which otherwise would wait for as long as the fetch may take.
        found.set_exception(fault)


def _address(text: str) -> Address:
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address
