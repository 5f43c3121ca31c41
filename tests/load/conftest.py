"""Four processes that serve one blog, and the services that they share."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from tests.support.programs import Environment
from tests.support.servers import ROOT, environment_of, manage

WORKERS = 4
THREADS = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A directory for log and static files of a site, and the environment of its processes."""

    folder: Path
    environment: Environment

    def at(self, origin: str, **more: str) -> Environment:
        """Return the environment of the site at this origin."""
        return self.environment | {"PUBLIC_BASE_URL": origin} | more


@pytest.fixture(scope="session")
def object_store() -> Iterator[str]:
    """The URL of an object storage."""
    command = [sys.executable, "-m", "tests.load.object_store"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


@pytest.fixture
def place(transactional_db: None, object_store: str, tmp_path: Path) -> Place:
    """The database and the cache of this run, for the site and for the test."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    environment = environment_of(tmp_path, settings="tests.load.site_settings", origin="", database=address)
    environment |= {
        "CACHE_URL": os.environ["CACHE_URL"],
        "KEY_PREFIX": tmp_path.as_posix(),
        "OBJECT_STORE": object_store,
        "STATIC_ROOT": str(tmp_path / "static"),
    }
    manage(environment, "collectstatic", "--no-input", "--verbosity", "0", "--ignore", "admin")
    return Place(tmp_path, environment)
