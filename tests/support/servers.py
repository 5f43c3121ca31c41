"""The example site in its own processes: the commands that make it, and gunicorn that serves it."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.support.programs import ROOT, Environment, output_of, start
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
    """A listener on a port of this machine: nobody else takes it, and whoever connects early waits for an answer."""
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
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
