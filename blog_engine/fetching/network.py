"""Guarded connections: resolved once, to public IP addresses only, within a deadline."""

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

from blog_engine.fetching.urls import Address, FetchRefused, Origin, Permits


class Deadline:
    """The end of a fetch, ``seconds`` from now; no single wait before it is longer than ``step`` seconds."""

    def __init__(self, seconds: float, *, step: float = inf) -> None:
        self._end = monotonic() + seconds
        self._step = step

    def left(self) -> float:
        """How many seconds the next wait may take. Raises ``FetchRefused`` when the time is over."""
        left = self._end - monotonic()
        if left <= 0:
            raise FetchRefused
        return min(left, self._step)


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


_MOST_ATTEMPTS: Final = 6
"""How many addresses of a host are tried before it counts as out of reach."""


class GuardedNetwork(httpcore.NetworkBackend):
    """Connects one request: to an address that was checked, whatever the name resolves to a moment later.

    The timeouts that httpcore hands down cover single steps only, so they are left aside for the deadline.
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
        """Resolve the origin's host, have every address permitted, connect to the first that answers."""
        addresses = resolve(self._origin.host, self._origin.port, deadline=self._deadline)
        if not all(self._permits(self._origin, address) for address in addresses):
            raise FetchRefused
        return _TimedStream(self._connect(addresses[:_MOST_ATTEMPTS]), deadline=self._deadline)

    def _connect(self, addresses: list[Address]) -> socket.socket:
        for position, address in enumerate(addresses):
            # An address that does not answer leaves the ones after it their share of the time.
            share = self._deadline.left() / (len(addresses) - position)
            if connected := _connected(address, self._origin.port, seconds=share):
                return connected
        raise FetchRefused


class _TimedStream(httpcore.NetworkStream):
    """A socket whose every wait ends with the deadline."""

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


def _connected(address: Address, port: int, *, seconds: float) -> socket.socket | None:
    try:
        return socket.create_connection((str(address), port), timeout=seconds)
    except OSError:
        return None


@contextmanager
def _faults_as(error: type[httpcore.NetworkError]) -> Iterator[None]:
    """Tell httpcore about a fault of the network by its own exception."""
    try:
        yield
    except OSError as fault:
        raise error from fault


@cache
def trusted_certificates() -> ssl.SSLContext:
    """The authorities of the system, or of ``SSL_CERT_FILE``, and certifi's; read once, because that takes 0.1 s."""
    return httpcore.default_ssl_context()
