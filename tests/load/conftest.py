"""Four processes that serve one blog, and the services that they share."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import pytest
from django.db import connection

from tests.load.clients import BUCKET, KEYS
from tests.support.programs import Environment, environment, start, stop, wait_until
from tests.support.servers import environment_of, free_port, manage, origin_at

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
    with free_port() as listener:
        port, url = listener.getsockname()[1], origin_at(listener)
    command = [sys.executable, "-m", "moto.server", "--port", str(port)]
    server = start(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _answers(port))
        boto3.client("s3", endpoint_url=url, **KEYS).create_bucket(Bucket=BUCKET)
        yield url
    finally:
        stop(server)


def _answers(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


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
