"""A PostgreSQL cluster that tests can stop, restart and crash."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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
