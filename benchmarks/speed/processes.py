"""The processor time and the memory of processes, from ``/proc``, and the processes of a database."""

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

_PROC: Final = Path("/proc")


def cpu_of(pid: int) -> int:
    """Return the processor time of all threads of a process in nanoseconds; 0 when it has ended."""
    try:
        return sum(int((task / "schedstat").read_text().split()[0]) for task in (_PROC / str(pid) / "task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        return 0


def children_of(pid: int) -> list[int]:
    """Return the processes that a process started."""
    return [int(child) for child in (_PROC / str(pid) / "task" / str(pid) / "children").read_text().split()]


def memory_of(pids: Iterable[int]) -> float:
    """Return the proportional set size (PSS) of processes in MiB: shared pages count in parts."""
    rollups = [(_PROC / str(pid) / "smaps_rollup").read_text() for pid in pids]
    return sum(int(found[1]) for text in rollups if (found := re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE))) / 1024


class Backends:
    """The server processes of the connections with one ``application_name``; none on SQLite."""

    def __init__(self, url: str, *, name: str) -> None:
        self._name = name
        self._pids: list[int] = []
        self._connection = None
        if not url.startswith("sqlite"):
            import psycopg

            self._connection = psycopg.connect(_of_server(url), autocommit=True)

    def look(self) -> None:
        """Find the processes that exist now."""
        if self._connection is not None:
            query = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"
            told = [pid for (pid,) in self._connection.execute(query, [self._name])]
            # One may have ended meanwhile, but not all of them.
            self._pids = [pid for pid in told if (_PROC / str(pid)).exists()]
            if told and not self._pids:
                raise SystemExit("The database runs on another machine: its processor time cannot be read.")

    def cpu(self) -> int:
        """Return their processor time in nanoseconds."""
        return sum(map(cpu_of, self._pids))


class Clock:
    """The processor time of this process and of its database connections."""

    def __init__(self) -> None:
        self._backends = Backends(os.environ["DATABASE_URL"], name=os.environ["SPEED_NAME"])

    def look(self) -> None:
        """Find the connections that exist now."""
        self._backends.look()

    def read(self) -> tuple[int, int]:
        """Return the nanoseconds of this process and of the database."""
        return time.process_time_ns(), self._backends.cpu()


def _of_server(url: str) -> str:
    return urlsplit(url)._replace(path="/postgres", scheme="postgresql").geturl()
