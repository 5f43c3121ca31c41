"""The example site with gunicorn, on the database of the test, and its clients."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from django.db import connection

from tests.support.programs import Environment, start
from tests.support.servers import environment_of, free_port, origin_at

API = "/blog/api/v1"
PATIENCE = 30
"""Seconds after which a test fails that waits for something."""


@dataclass
class Site:
    """A site with two workers that are replaced when they die."""

    origin: str
    media: Path
    master: "subprocess.Popen[bytes]"

    def empty_media(self) -> None:
        """Remove the files that an earlier test left."""
        shutil.rmtree(self.media, ignore_errors=True)

    def kill(self) -> None:
        """Kill all processes of the site at once: workers of a dead master go on for a while."""
        if self.master.poll() is None:
            os.killpg(self.master.pid, signal.SIGKILL)
            self.master.wait()

    def client(self, secret: str = "") -> httpx.Client:
        """Return a client without persistent connections, because their worker can be gone by the next request."""
        headers = {"Connection": "close"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
        return httpx.Client(base_url=self.origin, headers=headers, timeout=PATIENCE)


@contextmanager
def served(folder: Path, *, database: str = "", **changes: str) -> Iterator[Site]:
    """Serve a site with these changes to the environment, by default on the database of the test.

    Its files are in ``folder/media``.
    """
    with free_port() as listener:
        origin = origin_at(listener)
        own = environment_of(
            folder, settings="tests.faults.site_settings", origin=origin, database=database or database_of_the_test()
        )
        # Newer versions of gunicorn open a control socket there.
        master = _start(listener.fileno(), own | {"HOME": str(folder)} | changes)
    site = Site(origin, folder / "media", master)
    try:
        yield site
    finally:
        site.kill()


def database_of_the_test() -> str:
    """Return the URL of the database of this test process."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    return f"postgres://{at['USER']}:{at['PASSWORD']}@{at['HOST']}:{at['PORT']}/{at['NAME']}"


def _start(listener: int, environment: Environment) -> "subprocess.Popen[bytes]":
    # Loaded before the workers fork, so that a new one starts quickly.
    options = ["--bind", f"fd://{listener}", "--workers", "2", "--threads", "4", "--preload"]
    command = [sys.executable, "-m", "gunicorn", "tests.faults.wsgi", *options]
    return start(command, env=environment, pass_fds=[listener], start_new_session=True)


def send(client: httpx.Client, method: str, path: str, *, die: str = "", **sent: Any) -> httpx.Response | None:
    """Return the answer of the API, or ``None`` when the worker died."""
    try:
        return client.request(method, API + path, headers={"X-Die": die}, **sent)
    except (httpx.RemoteProtocolError, httpx.ReadError):
        return None


def tool(client: httpx.Client, name: str, /, **arguments: Any) -> httpx.Response:
    """Return the answer of the agent endpoint to a tool call."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    return client.post("/blog/mcp", json=message)
