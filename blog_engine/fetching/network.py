"""Guarded connections: to checked IP addresses only, within a deadline."""

import socket
import ssl
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from ipaddress import IPv6Address, ip_address
from math import inf
from threading import Thread
from time import monotonic
from typing import Final, TypeAlias

import httpcore

from blog_engine.fetching.urls import FetchRefused, IPAddress, Origin, Permits

_Found: TypeAlias = Future[list[IPAddress]]

_MOST_ATTEMPTS: Final = 6
"""The most IP addresses of a host that are tried (images.fetch.attempts)."""


class Deadline:
    """The end of a fetch, ``seconds`` from now; a wait takes at most ``step`` seconds."""

    def __init__(self, seconds: float, *, step: float = inf) -> None:
        self._end = monotonic() + seconds
        self._step = step

    def left(self) -> float:
        """Return the seconds left for the next wait; raise ``FetchRefused`` at the end."""
        left = self._end - monotonic()
        if left <= 0:
            raise FetchRefused
        return min(left, self._step)


def resolve(host: str, port: int, *, deadline: Deadline) -> list[IPAddress]:
    """Return the IP addresses of a host in the order of the system, each once.

    An IPv4-mapped IP address is returned as IPv4. Raises ``FetchRefused`` for a host without any, and at the deadline.
    """
    seconds = deadline.left()
    found: _Found = Future()
    # getaddrinfo takes no timeout: it runs in a daemon thread that is abandoned at the deadline.
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
        # Any exception goes to the waiting thread, which otherwise would wait until the deadline.
        found.set_exception(fault)


def _address(text: str) -> IPAddress:
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


class GuardedNetwork(httpcore.NetworkBackend):
    """Connects a request to an IP address that was checked (images.fetch.pinned).

    The name is resolved once. The timeouts that httpcore passes cover single steps, so the deadline replaces them.
    """

    def __init__(self, origin: Origin, *, permits: Permits, deadline: Deadline) -> None:
        self._origin = origin
        self._permits = permits
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first IP address of the host that answers.

        Raises ``FetchRefused`` unless all of them are permitted.
        """
        addresses = resolve(self._origin.host, self._origin.port, deadline=self._deadline)
        if not all(self._permits(self._origin, address) for address in addresses):
            raise FetchRefused
        return _TimedStream(self._connect(addresses[:_MOST_ATTEMPTS]), deadline=self._deadline)

    def _connect(self, addresses: list[IPAddress]) -> socket.socket:
        for position, address in enumerate(addresses):
            # An IP address that does not answer leaves the next ones their share of the time.
            share = self._deadline.left() / (len(addresses) - position)
            if connected := _connect_to(address, self._origin.port, seconds=share):
                return connected
        raise FetchRefused


class _TimedStream(httpcore.NetworkStream):
    """A socket whose waits end with the deadline."""

    def __init__(self, sock: socket.socket, *, deadline: Deadline) -> None:
        self._socket = sock
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _faults_as(httpcore.ReadError):
            self._socket.settimeout(self._deadline.left())
            return self._socket.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _faults_as(httpcore.WriteError):
            while buffer:
                self._socket.settimeout(self._deadline.left())
                buffer = buffer[self._socket.send(buffer) :]

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            with _faults_as(httpcore.ConnectError):
                self._socket.settimeout(self._deadline.left())
                secured = ssl_context.wrap_socket(self._socket, server_hostname=server_hostname)
        except BaseException:
            self.close()
            raise
        return _TimedStream(secured, deadline=self._deadline)


def _connect_to(address: IPAddress, port: int, *, seconds: float) -> socket.socket | None:
    try:
        return socket.create_connection((str(address), port), timeout=seconds)
    except OSError:
        return None


@contextmanager
def _faults_as(error: type[httpcore.NetworkError]) -> Iterator[None]:
    """Raise ``error`` in place of an ``OSError`` of the block."""
    try:
        yield
    except OSError as fault:
        raise error from fault


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Return the certificate authorities of the system and of certifi.

    ``SSL_CERT_FILE`` replaces those of the system. Cached, because reading them takes 0.1 s.
    """
    return httpcore.default_ssl_context()
