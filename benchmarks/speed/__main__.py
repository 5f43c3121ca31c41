"""Measure what requests cost: processor time of Python and database, throughput and memory, beside a bare view."""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from benchmarks.speed.curves import draw
from benchmarks.speed.databases import POSTGRES, ROOT, Site
from benchmarks.speed.names import ALL, KEPT, SERVED, SHORT
from benchmarks.speed.report import Result, regressions, tables
from benchmarks.speed.served import measure_served
from benchmarks.speed.variants import CACHED, COLD, STALE, UNCACHED, WRITTEN, has_page_cache

_ROUNDS: Final = 25
_SECONDS: Final = 2
_PACKAGES: Final = ("django", "psycopg", "djangorestframework", "gunicorn")


def main() -> int:
    """Measure, print the tables, and return 1 if a ratio is worse than in the file to compare with."""
    options = _options()
    # The databases of both kinds have the same names.
    folder = options.folder / "sqlite" if options.database == "sqlite" else options.folder
    folder.mkdir(parents=True, exist_ok=True)
    site = Site(options.database, options.cache, folder, str(options.checkout), options.prepared)
    if options.drop:
        print("\n".join(site.drop_all()))
        return 0
    earlier = json.loads(options.compare.read_text("utf-8")) if options.compare else None
    result = _circumstances(options.checkout) | {"sizes": {}}
    for size in options.posts:
        result["sizes"][str(size)] = _measure(site, size, options)
        if options.json:
            options.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    if options.curves:
        draw(result, options.curves)
    print(tables(result))
    worse = regressions(result, earlier) if earlier else []
    print("".join(f"Worse: {line}\n" for line in worse), end="", file=sys.stderr)
    return 1 if worse else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("scripts/benchmark", description=__doc__, epilog=f"Cases: {', '.join(ALL)}.")
    parser.add_argument("--posts", type=int, nargs="+", default=[1_000], metavar="N", help="sizes; default: 1000")
    parser.add_argument("--cases", nargs="+", choices=ALL, metavar="NAME", help="only these; default: all")
    parser.add_argument("--short", action="store_true", help=f"only {', '.join(SHORT)}, without gunicorn")
    parser.add_argument("--no-served", action="store_true", help="leave out gunicorn and wrk")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help=f"measured blocks of each case; default: {_ROUNDS}")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="exit with 1 if a ratio grew by more than 25 %%")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument("--curves", type=Path, metavar="FOLDER", help="draw the growth over all sizes there, as SVG")
    parser.add_argument("--checkout", type=Path, default=ROOT, metavar="PATH", help="measure this checkout")
    parser.add_argument("--database", default=POSTGRES, help=f"sqlite, or a PostgreSQL server; default: {POSTGRES}")
    parser.add_argument(
        "--cache", default="redis://127.0.0.1:6379/14", help="a Redis server; default: that of 127.0.0.1"
    )
    parser.add_argument("--prepared", action="store_true", help="let connections prepare the statements they repeat")
    parser.add_argument("--drop", action="store_true", help="remove the seeded databases, and measure nothing")
    kept = Path(tempfile.gettempdir()) / "blog_engine_speed"
    parser.add_argument("--folder", type=Path, default=kept, help=f"for images and SQLite files; default: {kept}")
    options = parser.parse_args()
    options.cases = options.cases or (SHORT if options.short else ALL)
    options.checkout = options.checkout.resolve()
    return options


def _measure(site: Site, size: int, options: argparse.Namespace) -> Result:
    database = site.seeded(size)
    has_cache = has_page_cache(options.checkout)
    cases: list[Any] = []
    for variant in (CACHED, UNCACHED, WRITTEN, COLD) if has_cache else ("",):
        # What the page cache never keeps is measured once, and so is a 304, which else costs what the page costs.
        names = [name for name in options.cases if name in KEPT or variant in {CACHED, ""}]
        asked = json.dumps({"names": names, "variant": variant, "rounds": options.rounds})
        print(f"Measuring {size:,} posts {variant}…", file=sys.stderr)
        with site.measured(database) as lent:
            cases += json.loads(site.run(lent, "measure", asked, variant=variant))
    served = []
    if names := [] if options.short or options.no_served else [name for name in SERVED if name in options.cases]:
        for variant in (CACHED, STALE, UNCACHED) if has_cache else ("",):
            print(f"Serving {size:,} posts {variant}…", file=sys.stderr)
            with site.measured(database) as lent:
                served.append(measure_served(site, lent, names=names, variant=variant, seconds=_SECONDS))
    return {"cases": cases, "served": served}


def _circumstances(checkout: Path) -> Result:
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    versions = {"Python": platform.python_version()} | {name: version(name) for name in _PACKAGES}
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit,
        "machine": f"{_processor()}, {os.cpu_count()} CPUs",
        "versions": versions,
        "load": round(os.getloadavg()[0], 1),
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    sys.exit(main())
