"""Web servers in threads of the test, receivers of webhooks, certificates, and names that resolve to the servers."""

import contextlib
import hashlib
import hmac
import re
import socket
import ssl
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from tempfile import TemporaryDirectory
from threading import Condition, Event, Thread
from typing import Any, TypeAlias

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.hosts import blog_settings

Say: TypeAlias = Callable[["Server", socket.socket, str], None]
"""How a server answers on a connection, given the path that was asked for."""

_PATIENCE = 30
_NUMERIC = re.compile(r"[0-9a-fx.]+|[0-9a-f:.]+", re.IGNORECASE)


class Server(ThreadingTCPServer):
    """Answers every connection in the same way and keeps what it was asked."""

    daemon_threads = False

    def __init__(self, say: Say, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__((host, port), _Conversation, bind_and_activate=False)
        self.say = say
        self.tls = tls
        self.requests: list[str] = []
        """The heads of the requests, lines ending in a line feed."""
        self.server_names: list[str | None] = []
        self.over = Event()
        self._peers: list[int] = []
        self._arrived = Condition()
        self.socket.close()
        self.socket = _listening(host, port)
        self.port: int = self.socket.getsockname()[1]
        if tls:
            tls.sni_callback = lambda _, name, __: self.server_names.append(name)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        with self._arrived:
            self._peers.append(client_address[1])
            self._arrived.notify_all()
        return True

    def hits(self) -> int:
        """How many connections came so far: all that came before one of our own, because they are taken in turn."""
        with socket.create_connection(("127.0.0.1", self.port)) as own, self._arrived:
            port = own.getsockname()[1]
            assert self._arrived.wait_for(lambda: port in self._peers, _PATIENCE)
            before = self._peers.index(port)
            self._peers.remove(port)
        return before

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what these tests are about."""


class _Conversation(BaseRequestHandler):
    server: Server

    def handle(self) -> None:
        self.request.settimeout(_PATIENCE)
        with contextlib.suppress(OSError):
            if self.server.tls:
                self.request = self.server.tls.wrap_socket(self.request, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                part = self.request.recv(65_536)
                if not part:
                    return
                head += part
            text = head.decode("latin-1").replace("\r\n", "\n")
            self.server.requests.append(text)
            self.server.say(self.server, self.request, text.split(" ", 2)[1])

    def finish(self) -> None:
        self.request.close()


@contextlib.contextmanager
def serving(say: Say, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0) -> Iterator[Server]:
    """A server while the block runs."""
    with Server(say, tls=tls, host=host, port=port) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join(_PATIENCE)


def _listening(host: str, port: int) -> socket.socket:
    if host == "" and socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server((host, port))


def answer(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    """The bytes of an answer that ends with its connection; underscores in names of headers are hyphens."""
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("utf-8") + body


def says(raw: bytes) -> Say:
    """Send these bytes and hang up."""
    return lambda server, connection, path: connection.sendall(raw)


def by_path(answers: dict[str, bytes]) -> Say:
    """Send the bytes that belong to the path."""
    return lambda server, connection, path: connection.sendall(answers[path])


def drips(raw: bytes, drop: bytes) -> Say:
    """Send these bytes, then a drop every hundredth of a second until the client hangs up."""

    def say(server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(raw)
        while not server.over.wait(0.01):
            connection.sendall(drop)

    return say


def pours(raw: bytes, part: bytes) -> Say:
    """Send these bytes, then the part over and over until the client hangs up."""

    def say(server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(raw)
        while not server.over.is_set():
            connection.sendall(part)

    return say


def is_silent(server: Server, connection: socket.socket, path: str) -> None:
    """Say nothing until the client hangs up."""
    connection.recv(1)


class Names:
    """Name resolution: each look-up takes the next answer of a name, and the last one stays.

    Replaces ``socket.getaddrinfo``. Numeric IP addresses, however written, are left to the system; a name that
    is not known here does not exist.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._system = socket.getaddrinfo
        self._answers: dict[str, list[list[str]]] = {}
        self.asked: list[str] = []
        monkeypatch.setattr(socket, "getaddrinfo", self._getaddrinfo)

    def lead(self, name: str, *answers: list[str]) -> None:
        """Let a name resolve to these IP addresses, one list for each look-up."""
        self._answers[name] = list(answers)

    def _getaddrinfo(self, host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if _NUMERIC.fullmatch(name):
            return self._system(host, port, *args, **kwargs)
        self.asked.append(name)
        if name not in self._answers:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        answers = self._answers[name]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [found for address in addresses for found in self._system(address, port, *args, **kwargs)]


_AUTHORITY = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of the tests")])


@cache
def _authority_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def authority() -> bytes:
    """Return the certificate of the authority as PEM."""
    key = _authority_key()
    basic = x509.BasicConstraints(ca=True, path_length=None)
    usage = x509.KeyUsage(
        key_cert_sign=True,
        crl_sign=True,
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    builder = _certificate(_AUTHORITY, key, days=1).add_extension(basic, critical=True)
    signed = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def server_context(*names: str, days: int = 1) -> ssl.SSLContext:
    """Return a context for a server with these names.

    Its certificate expires in ``days``, which can be negative.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A server of the tests")])
    builder = _certificate(subject, key, days=days)
    builder = builder.add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), False)
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(_authority_key().public_key())
    signed = builder.add_extension(identifier, False).sign(_authority_key(), hashes.SHA256())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "server.pem"
        path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + _pem(key))
        context.load_cert_chain(path)
    return context


def _certificate(subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(_AUTHORITY).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=10)).not_valid_after(now + timedelta(days=days))
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass(frozen=True)
class Got:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    """By lower-case name."""
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def is_signed(self) -> bool:
        """Whether the signature is right, worked out as the specification says and not with the engine's code."""
        text = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.{self.body.decode()}"
        key = b64decode(SECRET.split("_")[1])
        right = b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
        return f"v1,{right}" in self.headers["webhook-signature"].split(" ")


@dataclass
class Mailbox:
    """A receiver while it is open."""

    url: str = ""
    got: list[Got] = field(default_factory=list)
    status: int | Callable[[Got], int] = 204
    """What it answers; 0 hangs up without an answer."""
    answer_headers: dict[str, str] = field(default_factory=dict)
    holds: bool = False
    """Whether it keeps requests waiting until ``released``."""
    arrived: Event = field(default_factory=Event)
    released: Event = field(default_factory=Event)

    @property
    def ids(self) -> list[str]:
        return [one.id for one in self.got]


def _handler(mailbox: Mailbox) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got = Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            mailbox.got.append(got)
            mailbox.arrived.set()
            if mailbox.holds:
                mailbox.released.wait(_PATIENCE)
            status = mailbox.status(got) if callable(mailbox.status) else mailbox.status
            if status:
                self.send_response(status)
                for name, value in mailbox.answer_headers.items():
                    self.send_header(name, value)
                self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the test reports."""

    return Handler


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Workers that are killed hang up."""


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """An open receiver."""
    box = Mailbox()
    with _Server(("127.0.0.1", 0), _handler(box)) as server:
        box.url = f"http://127.0.0.1:{server.server_port}/hook?token=very-secret"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield box
        finally:
            box.released.set()
            server.shutdown()
            thread.join(_PATIENCE)


def telling(*boxes: Mailbox, **notify: Any) -> dict[str, Any]:
    """Return the tests' ``BLOG_ENGINE`` with these receivers, and further keys of ``notify``."""
    webhooks = [{"url": box.url, "secret": SECRET} for box in boxes]
    return blog_settings(notify={"webhooks": webhooks, "private_receivers": True, **notify})
