"""Measure what starting costs: ``check``, ``migrate``, imports, and the memory of five workers of a minimal site.

    python -m benchmarks.speed.start [--checkout PATH] [--runs N] [--json FILE]

Each command runs in turn with the same one of a site without the blog. Workers have shown an article, an index and a
feed; with ``--api`` they have also answered API and agents.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import psycopg

from benchmarks.speed.databases import ROOT
from benchmarks.speed.host import write_host
from benchmarks.speed.processes import children_of, memory_of

WORKERS: Final = 5
_DATABASE: Final = "blog_engine_start"
_SERVER: Final = "postgresql://postgres@127.0.0.1/postgres"
_PAGES: Final = ("/blog/", "/blog/winter-garden", "/blog/feed.xml")
_API: Final = ("/blog/api/v1/posts", "/blog/api/v1/posts/winter-garden", "/blog/api/v1/schema")
_PATIENCE: Final = 60
_IMPORT: Final = re.compile(r"import time: +(\d+) \| +\d+ \| +([\w.]+)")


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser("python -m benchmarks.speed.start", description=__doc__)
    parser.add_argument("--checkout", type=Path, default=ROOT, metavar="PATH", help="measure this checkout")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each command; default: 5")
    parser.add_argument("--api", action="store_true", help="let the workers answer calls of the API too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = _Site(Path(folder), options.checkout.resolve())
        result = {
            "check": _compared(site, ["check"], options.runs),
            "migrate on SQLite": _compared(site, ["migrate"], options.runs, before=site.forget_sqlite),
            "migrate on PostgreSQL": _compared(
                site, ["migrate"], options.runs, before=_new_database, HOST_DATABASE=_DATABASE
            ),
            "imports of check in ms": site.imports(),
            "PSS in MiB": _memory(site, [*_PAGES, *(_API if options.api else ())]),
        }
    written = json.dumps(result, indent=1)
    print(written)
    if options.json:
        options.json.write_text(written + "\n", "utf-8")


class _Site:
    """A minimal site in a folder, with the package of a checkout."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self.folder = folder
        self._manage = write_host(folder)
        own = {"PYTHONPATH": f"{folder}{os.pathsep}{checkout}", "PYTHONDONTWRITEBYTECODE": ""}
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO_")} | own

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the folder."""
        asked = [sys.executable, *command]
        environment = self._environment | variables
        return subprocess.run(asked, cwd=self.folder, env=environment, capture_output=True, text=True, check=True)

    def manage(self, *arguments: str, **variables: str) -> None:
        """Run a command of the site."""
        self.run(str(self._manage), *arguments, **variables)

    def cost(self, *arguments: str, **variables: str) -> tuple[float, float]:
        """Return the seconds of processor time and the MiB at the peak that a command takes."""
        command = [sys.executable, str(self._manage), *arguments]
        done = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment | variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(done.pid, 0)
        done.returncode = status
        if status:
            raise SystemExit(f"{arguments} ended with {status}.")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

    def forget_sqlite(self) -> None:
        """Remove the database in the folder."""
        (self.folder / "db.sqlite3").unlink(missing_ok=True)

    def imports(self) -> dict[str, float]:
        """Return the packages that take most to import for ``check``, without what they import, in milliseconds."""
        written = self.run("-X", "importtime", str(self._manage), "check").stderr
        found = Counter[str]()
        for microseconds, name in _IMPORT.findall(written):
            parts = name.split(".")
            found[".".join(parts[: 2 if parts[0] == "blog_engine" else 1])] += int(microseconds)
        return {name: round(total / 1000, 1) for name, total in found.most_common(25)}

    @contextmanager
    def workers(self, *options: str) -> Iterator[tuple[int, str]]:
        """Serve the site with five workers in the block; yield the main process and the origin."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            command = [sys.executable, "-m", "gunicorn", "host_wsgi", "--bind", f"fd://{listener.fileno()}", *options]
            server = subprocess.Popen(
                [*command, "--workers", str(WORKERS)],
                cwd=self.folder,
                env=self._environment | {"HOST_DATABASE": _DATABASE},
                stderr=subprocess.DEVNULL,
                pass_fds=[listener.fileno()],
            )
            try:
                yield server.pid, f"http://127.0.0.1:{listener.getsockname()[1]}"
            finally:
                server.terminate()
                server.wait(_PATIENCE)


def _compared(
    site: _Site, command: Sequence[str], runs: int, *, before: Callable[[], object] = lambda: None, **variables: str
) -> dict[str, Any]:
    """Return the median costs of a command, after one run that is not counted, and those without the blog."""
    costs: dict[str, list[tuple[float, float]]] = {"with": [], "without": []}
    for _ in range(runs + 1):
        for name, more in (("with", {}), ("without", {"WITHOUT_BLOG": "1"})):
            before()
            costs[name].append(site.cost(*command, **variables, **more))
    return {
        f"{what} {name} the blog": round(median(one[place] for one in measured[1:]), 2)
        for name, measured in costs.items()
        for place, what in enumerate(("CPU s", "MiB"))
    }


def _new_database() -> None:
    with psycopg.connect(_SERVER, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {_DATABASE}")
        connection.execute(f"CREATE DATABASE {_DATABASE}")


def _memory(site: _Site, paths: Sequence[str]) -> dict[str, float]:
    _new_database()
    site.manage("migrate", HOST_DATABASE=_DATABASE)
    site.manage("blog_sample", HOST_DATABASE=_DATABASE)
    token = site.run(str(site.folder / "manage.py"), "create_blog_token", "NAME=speed", HOST_DATABASE=_DATABASE).stdout
    secret = re.findall(r"\S{20,}", token)[-1]
    found = {}
    for name, options in (("each worker by itself", ()), ("with preload", ("--config", "sharing.py"))):
        with site.workers(*options) as (server, origin):
            _wait_for(lambda pid=server: len(children_of(pid)) == WORKERS)  # type: ignore[misc]
            # Each worker has answered each path, since all are asked at once.
            for _ in range(12 * WORKERS):
                for path in paths:
                    _ask(origin + path, secret)
            found[name] = round(memory_of(children_of(server)))
    return found


def _ask(url: str, secret: str) -> None:
    asked = Request(url, headers={"Host": "journal.example", "Authorization": f"Bearer {secret}"})  # noqa: S310
    for _ in range(_PATIENCE):
        try:
            with urlopen(asked, timeout=_PATIENCE) as answer:  # noqa: S310
                answer.read()
            return
        except HTTPError:
            raise
        except URLError:
            time.sleep(0.5)
    raise SystemExit(f"{url} did not answer.")


def _wait_for(holds: Callable[[], bool]) -> None:
    for _ in range(_PATIENCE * 10):
        if holds():
            return
        time.sleep(0.1)
    raise SystemExit("The workers did not start.")


if __name__ == "__main__":
    main()
