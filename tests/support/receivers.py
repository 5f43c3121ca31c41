"""Receivers of webhooks: servers on this machine that keep what they got, fail, say nothing and come back."""

import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from tests.support.hosts import blog_settings

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
_PATIENCE = 30


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
