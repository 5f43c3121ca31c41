"""The network under a request: checked addresses only, and every wait within one deadline."""

import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import httpcore

from blog_engine.fetching.addresses import Address, Permits
from blog_engine.fetching.deadline import Deadline
from blog_engine.fetching.refused import FetchRefused
from blog_engine.fetching.resolve import resolve
from blog_engine.fetching.urls import Origin

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
