"""Servers in their own processes: the example site behind gunicorn, PostgreSQL, Redis, and a small disk."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx
import pytest
import redis

from tests.support.programs import ROOT, Environment, database_url, output_of, start, stop, wait_until
from tests.support.programs import environment as environment_with

_OF_THE_RUN = {"CACHE_URL", "DEBUG", "ALLOWED_HOSTS", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
"""Variables of the test run that the site does not share."""


def environment_of(folder: Path, *, settings: str, origin: str, database: str = "") -> Environment:
    """What the processes of a site are started with; its files are in the folder, and its database unless given."""
    own = {
        "DATABASE_URL": database or f"sqlite:///{folder / 'db.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": settings,
        "MEDIA_ROOT": str(folder / "media"),
        "PUBLIC_BASE_URL": origin,
        "PYTHONPATH": str(ROOT),
        "SECRET_KEY": "only-for-this-run",
    }
    return environment_with(own, without=_OF_THE_RUN)


def run_python(environment: Environment, *arguments: str) -> str:
    """What a program of Python says on standard output; fails when it fails."""
    return output_of([sys.executable, *arguments], env=environment).strip()


def manage(environment: Environment, *arguments: str) -> str:
    """What a management command of the site says."""
    return run_python(environment, "example_site/manage.py", *arguments)


def free_port() -> socket.socket:
    """Listen on a local port, so that no other process takes it and early clients wait for an answer."""
    return socket.create_server(("127.0.0.1", 0))


def origin_at(listener: socket.socket) -> str:
    """The origin of what is served on the listener."""
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def gunicorn(
    listener: socket.socket,
    environment: Environment,
    *,
    workers: int = 1,
    threads: int = 4,
    log: IO[bytes] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Serve on the listener, by so many processes; every request that has begun is answered before it ends.

    What gunicorn writes goes into ``log``, or is captured by pytest and shown with a test that fails.
    """
    options = ["--bind", f"fd://{listener.fileno()}", "--workers", str(workers), "--threads", str(threads)]
    # Longer than clients keep a connection: who sends into one that is being closed gets no answer.
    options += ["--keep-alive", "60"]
    command = [sys.executable, "-m", "gunicorn", "example_site.wsgi", *options, "--access-logfile", "-"]
    server = start(command, env=environment, pass_fds=[listener.fileno()], stdout=log, stderr=log)
    # Only gunicorn listens from here on: should it die, a client is told at once.
    listener.close()
    try:
        yield server
    finally:
        stop(server)


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
            folder, settings="tests.served_settings", origin=origin, database=database or database_url()
        )
        # Newer versions of gunicorn open a control socket there.
        master = _start(listener.fileno(), own | {"HOME": str(folder), "DIES": "yes"} | changes)
    site = Site(origin, folder / "media", master)
    try:
        yield site
    finally:
        site.kill()


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


_PROGRAMS = ("initdb", "pg_ctl")
_OPTIONS = "-c listen_addresses='' -c fsync=off -c shared_buffers=16MB -c max_connections=40 -k {folder}"


class Cluster:
    """A PostgreSQL server with data and socket in one directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        _run(
            "initdb", "--pgdata", str(self._data), "--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8"
        )

    @property
    def url(self) -> str:
        """Return the ``DATABASE_URL`` of its database."""
        return f"postgres://postgres@{str(self.folder).replace('/', '%2F')}/postgres"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._control("start", "-o", _OPTIONS.format(folder=self.folder), "-l", str(self.folder / "log"))

    def stop(self, mode: str) -> None:
        """Stop the server: ``fast`` closes the connections, ``immediate`` is a crash."""
        self._control("stop", "-m", mode)

    def restart(self, mode: str) -> None:
        """Stop the server and start it at once."""
        self.stop(mode)
        self.start()

    def _control(self, *arguments: str) -> None:
        _run("pg_ctl", "--pgdata", str(self._data), "--wait", "--silent", *arguments)


@contextmanager
def own_cluster() -> Iterator[Cluster]:
    """Run a cluster, and remove it at the end, whatever its state."""
    if None in map(_found, _PROGRAMS) or (os.geteuid() == 0 and not _has_user()):
        pytest.skip(f"needs {' and '.join(_PROGRAMS)} on the PATH, and for root a user postgres who runs them")
    # Not pytest's own directory: the path of a socket has at most a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="postgres_"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    try:
        cluster = Cluster(folder)
        cluster.start()
        try:
            yield cluster
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                cluster.stop("immediate")
    finally:
        shutil.rmtree(folder)


def _found(program: str) -> str | None:
    # Debian keeps them outside PATH, in a directory for each version.
    folders = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    return shutil.which(program, path=os.pathsep.join([os.environ["PATH"], *folders]))


def _run(program: str, *arguments: str) -> None:
    command = [_found(program) or program, *arguments]
    # PostgreSQL refuses to run as root.
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    quiet = subprocess.DEVNULL
    subprocess.run(command, check=True, cwd="/", stdin=quiet, stdout=quiet, timeout=60, **user)  # type: ignore[call-overload]


def _has_user() -> bool:
    return any(entry.pw_name == "postgres" for entry in pwd.getpwall())


class RedisServer:
    """A server without persistence, with a socket in its directory."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return its ``CACHE_URL``."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(["redis-server", *options], cwd=self._socket.parent, stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def kill(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def hang(self) -> None:
        """Make the server accept connections and answer nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the server answer again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _answers(self) -> bool:
        with redis.Redis(unix_socket_path=str(self._socket)) as client:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                return False


@contextmanager
def own_redis() -> Iterator[RedisServer]:
    """Run a server, and remove it at the end, whatever its state."""
    # Not pytest's own directory: the path of a socket has at most a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="redis_"))
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
