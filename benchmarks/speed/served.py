"""The throughput of five processes of gunicorn, measured with wrk in turn with the bare view, and their memory."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.error import URLError
from urllib.request import Request, urlopen

from benchmarks.speed.databases import ROOT, Site
from benchmarks.speed.names import NOT_MODIFIED
from benchmarks.speed.processes import Backends, children_of, cpu_of, memory_of
from benchmarks.speed.variants import UNCACHED

WORKERS: Final = 5
_CONNECTIONS: Final = 8
_ROUNDS: Final = 3
_WARM_UP: Final = 3
"""Seconds until every worker has answered."""
_PATIENCE: Final = 30
_ALLOCATOR: Final = {"MALLOC_MMAP_THRESHOLD_": "16384"}
"""As in docs/how-to/one-server.md: kept pages do not leave holes in the memory of a process."""
_CONFIGURATION: Final = Path(__file__).with_name("gunicorn_conf.py")
_SCRIPT: Final = """
local asks = {}
for line in io.lines("%s") do
  local path, tag = line:match("^(%%S+) ?(.*)$")
  local headers = {["Host"] = "blog.example", ["User-Agent"] = "%s"}
  if tag ~= "" then headers["If-None-Match"] = tag end
  asks[#asks + 1] = wrk.format("GET", path, headers)
end
local place = 0
request = function()
  place = place %% #asks + 1
  return asks[place]
end
"""
_BROWSER: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@dataclass(frozen=True)
class _Run:
    """What one run of wrk measured."""

    per_second: float
    worker: float
    """Milliseconds of the workers for each request."""
    database: float


def measure_served(site: Site, database: str, *, names: Sequence[str], variant: str, seconds: int) -> dict[str, Any]:
    """Return throughput and processor time of the cases, and the memory of the workers afterwards."""
    if shutil.which("wrk") is None:
        raise SystemExit("wrk was not found. On Debian and Ubuntu, install the package wrk.")
    asked = json.dumps({"names": names, "variant": variant})
    paths = json.loads(site.run(database, "paths", asked, variant=variant))
    environment = site.environment(database, variant=variant)
    with _gunicorn(environment, site.folder / "gunicorn.log") as (master, origin):
        load = _Load(origin, master, Backends(environment["DATABASE_URL"], name=environment["SPEED_NAME"]), site.folder)
        load.run(["/bare"], seconds=_WARM_UP)
        cases = [_measure_case(load, name, lines, seconds=seconds) for name, lines in paths.items()]
        memory = round(memory_of(children_of(master)), 1)
    return {"variant": variant or UNCACHED, "cases": cases, "workers": WORKERS, "memory": memory}


def _measure_case(load: "_Load", name: str, paths: Sequence[str], *, seconds: int) -> dict[str, Any]:
    lines = [f"{path} {load.tag_of(path)}" for path in paths] if name.endswith(NOT_MODIFIED) else list(paths)
    load.run(lines, seconds=_WARM_UP)
    pairs = [(load.run(["/bare"], seconds=seconds), load.run(lines, seconds=seconds)) for _ in range(_ROUNDS)]
    return {
        "name": name,
        "bare_per_second": round(median(bare.per_second for bare, _ in pairs)),
        "per_second": round(median(own.per_second for _, own in pairs)),
        "throughput": round(median(own.per_second / bare.per_second for bare, own in pairs), 3),
        "bare_worker": round(median(bare.worker for bare, _ in pairs), 3),
        "worker": round(median(own.worker for _, own in pairs), 3),
        "database": round(median(own.database for _, own in pairs), 3),
    }


class _Load:
    def __init__(self, origin: str, master: int, backends: Backends, folder: Path) -> None:
        self._origin, self._master, self._backends, self._folder = origin, master, backends, folder

    def run(self, lines: Sequence[str], *, seconds: int) -> _Run:
        """Send requests for the paths, each followed by the entity tag that a client has, as fast as possible."""
        paths, script = self._folder / "paths.txt", self._folder / "paths.lua"
        paths.write_text("\n".join(lines) + "\n")
        script.write_text(_SCRIPT % (paths, _BROWSER))
        command = ["wrk", "-t", "2", "-c", str(_CONNECTIONS), "-d", f"{seconds}s", "-s", str(script), self._origin]
        before = self._read()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        after = self._read()
        # A request that waited for two seconds on a busy machine is no failure.
        if failed := re.search(
            r"Non-2xx or 3xx responses: \d+|Socket errors: (?!connect 0, read 0, write 0).*", done.stdout
        ):
            raise SystemExit(f"{lines[0]}: {failed[0]}")
        found = re.search(r"(\d+) requests in ([\d.]+)(m?s)", done.stdout)
        if found is None:
            raise SystemExit(f"wrk wrote: {done.stdout}")
        number = int(found[1])
        worker, database = ((later - sooner) / number / 1_000_000 for sooner, later in zip(before, after, strict=True))
        return _Run(float(re.findall(r"Requests/sec: +([\d.]+)", done.stdout)[0]), worker, database)

    def tag_of(self, path: str) -> str:
        """Return the entity tag of a page."""
        asked = Request(self._origin + path, headers={"Host": "blog.example", "User-Agent": _BROWSER})  # noqa: S310
        with urlopen(asked, timeout=_PATIENCE) as answer:  # noqa: S310
            return str(answer.headers["ETag"])

    def _read(self) -> tuple[int, int]:
        self._backends.look()
        return sum(map(cpu_of, children_of(self._master))), self._backends.cpu()


@contextmanager
def _gunicorn(environment: dict[str, str], log: Path) -> Iterator[tuple[int, str]]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        command = [sys.executable, "-m", "gunicorn", "benchmarks.speed.wsgi", "--config", str(_CONFIGURATION)]
        command += ["--bind", f"fd://{listener.fileno()}", "--workers", str(WORKERS)]
        with log.open("wb") as file:
            server = subprocess.Popen(
                command, cwd=ROOT, env=environment | _ALLOCATOR, stdout=file, stderr=file, pass_fds=[listener.fileno()]
            )
    try:
        _wait_for(f"{origin}/bare")
        yield server.pid, origin
    finally:
        server.terminate()
        server.wait(_PATIENCE)


def _wait_for(url: str) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            with urlopen(url, timeout=_PATIENCE):  # noqa: S310
                return
        except URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
