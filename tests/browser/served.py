"""Sites in processes of their own: contents made by one, pages served by gunicorn in another."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

_OF_THE_RUN = {"CACHE_URL", "ALLOWED_HOSTS", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
"""Variables of the test run that the served site does not share."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site that runs: its origin, and what its contents told about themselves, such as the paths of their pages."""

    origin: str
    told: Mapping[str, Any]

    def url(self, name: str) -> str:
        """The address of the page of this name."""
        return f"{self.origin}{self.told[name]}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A folder with a database, images and static files, and what the contents told."""

    folder: Path
    told: Mapping[str, Any]


def prepare(folder: Path, *, settings: str, contents: str) -> Prepared:
    """Make the contents of a module, which has a function ``make``, in a new database of SQLite."""
    environment = _environment(folder, settings=settings, origin="http://127.0.0.1")
    _run(environment, "example_site/manage.py", "migrate", "--verbosity", "0")
    # Nobody opens the admin here, and compressing its files takes seconds.
    _run(environment, "example_site/manage.py", "collectstatic", "--no-input", "--verbosity", "0", "--ignore", "admin")
    return Prepared(folder, json.loads(_run(environment, "-m", "tests.browser.make_contents", contents)))


@contextmanager
def serve(prepared: Prepared, *, settings: str) -> Iterator[Site]:
    """Serve what was prepared, on a free port. What gunicorn writes is captured by pytest."""
    # Listening before gunicorn starts: nobody else takes the port, and whoever connects early waits for an answer.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        environment = _environment(prepared.folder, settings=settings, origin=origin)
        options = ["--bind", f"fd://{listener.fileno()}", "--workers", "1", "--threads", "4"]
        command = [sys.executable, "-m", "gunicorn", "example_site.wsgi", *options, "--log-level", "warning"]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[listener.fileno()])
    try:
        yield Site(origin, prepared.told)
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _environment(folder: Path, *, settings: str, origin: str) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OF_THE_RUN}
    return kept | {
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "DEBUG": "false",
        "DJANGO_SETTINGS_MODULE": settings,
        "MEDIA_ROOT": str(folder / "media"),
        "PUBLIC_BASE_URL": origin,
        "PYTHONPATH": str(ROOT),
        "SECRET_KEY": "only-for-this-run",
        "STATIC_ROOT": str(folder / "static"),
    }


def _run(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120
    )
    return done.stdout
