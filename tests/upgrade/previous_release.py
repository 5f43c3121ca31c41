"""The code of the previous release, which goes on running on a database that the next one has migrated.

It is taken from the history of this repository, and run by the packages of this environment: its requirements have not
become narrower since.
"""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from tests.support.databases import run_sql
from tests.support.programs import ROOT, Environment, environment, output_of, run, start, stop
from tests.support.servers import environment_of, free_port, origin_at

PREVIOUS: Final = "9e005e992a7a41948407426001c39ff462be1767"
"""The commit of release 0.1.0."""
BETWEEN: Final = "6e57b4ce0f42a64d9b9aaa1fc523b7f01ed3702b"
"""A commit after it, whose last migration is 0025: sites that follow the repository upgrade from there."""
SEARCHES: Final = ["garden", "ÉTÉ", "spade digging", "été garden", "harbour"]
_SILENT: Final[dict[str, Any]] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
_UNLIMITED: Final = """from example_site.settings import *
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
"""
"""Settings without a cache, in which calls are counted."""
_TRAFFIC = ROOT / "tests" / "upgrade" / "previous_traffic.py"


@dataclass(frozen=True)
class Upgraded:
    """One database, and the code of two releases."""

    folder: Path
    old: Environment
    new: Environment

    def old_manage(self, *arguments: str) -> str:
        """Return what a command of the previous release says."""
        return output_of([sys.executable, "example_site/manage.py", *arguments], env=self.old, cwd=self.folder)

    def new_manage(self, *arguments: str) -> str:
        """Return what a command of this release says."""
        return output_of([sys.executable, "example_site/manage.py", *arguments], env=self.new)

    def traffic(self, name: str) -> dict[str, int]:
        """Send requests of readers and writers to the previous release.

        Returns the status of each, and the number of posts that each search found.
        """
        answers: dict[str, int] = self._run_traffic(name, *SEARCHES)
        return answers

    def fill(self, posts: int) -> str:
        """Let the previous release publish posts, and return the secret of a token."""
        return str(self._run_traffic("fill", str(posts)))

    def _run_traffic(self, *arguments: str) -> Any:
        found = output_of([sys.executable, str(_TRAFFIC), *arguments], env=self.old, cwd=self.folder)
        return json.loads(found.splitlines()[-1])

    @contextmanager
    def old_server(self) -> Iterator[str]:
        """Serve the previous release in the block; yields the origin."""
        with free_port() as listener:
            origin = origin_at(listener)
            options = ["--bind", f"fd://{listener.fileno()}", "--threads", "4", "--keep-alive", "60"]
            command = [sys.executable, "-m", "gunicorn", "example_site.wsgi", *options]
            home = self.old | {"HOME": str(self.folder)}
            server = start(command, env=home, cwd=self.folder, pass_fds=[listener.fileno()], **_SILENT)
        try:
            yield origin
        finally:
            stop(server)


@contextmanager
def previous_release(folder: Path, commit: str = PREVIOUS) -> Iterator[Upgraded]:
    """Provide an empty database that the code of a commit has migrated, of the kind that this run tests."""
    code = folder / "previous"
    code.mkdir()
    _extract(code, commit)
    (code / "unlimited.py").write_text(_UNLIMITED)
    server = os.environ.get("DATABASE_URL", "")
    name = f"upgraded_{uuid.uuid4().hex[:12]}"
    is_postgres = server.startswith("postgres")
    if is_postgres:
        run_sql(f"CREATE DATABASE {name}")
    database = urlsplit(server)._replace(path=f"/{name}").geturl() if is_postgres else ""
    try:
        new = environment_of(
            folder, settings="example_site.settings", origin="http://testserver", database=database
        ) | {"DEBUG": "1", "ALLOWED_HOSTS": "*"}
        upgraded = Upgraded(code, old=new | {"PYTHONPATH": str(code), "DJANGO_SETTINGS_MODULE": "unlimited"}, new=new)
        upgraded.old_manage("migrate", "--verbosity=0")
        yield upgraded
    finally:
        if is_postgres:
            run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _extract(folder: Path, commit: str) -> None:
    env, archive = environment(), folder / "previous.tar"
    if run(["git", "cat-file", "-e", commit], env=env).returncode:
        pytest.skip("needs the commit of the previous release: git fetch --unshallow")
    output_of(["git", "archive", "--output", str(archive), commit, "blog_engine", "example_site"], env=env)
    output_of(["tar", "-x", "-f", str(archive), "-C", str(folder)], env=env)
