"""One seeded database for each size, which later runs use again."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.speed import CHECKOUT
from benchmarks.speed.variants import PAGE_CACHE

ROOT: Final = Path(__file__).resolve().parents[2]
POSTGRES: Final = "postgres://postgres@127.0.0.1:5432/postgres"
_ORIGIN: Final = "http://blog.example"
_PREFIX: Final = "blog_engine_speed"


@dataclass(frozen=True)
class Site:
    """What the processes of a measured site are started with."""

    server: str
    """``sqlite``, or the URL of a PostgreSQL server."""
    cache: str
    folder: Path
    checkout: str
    is_prepared: bool = False
    """Whether connections prepare statements that they repeat."""

    def environment(self, database: str, *, variant: str = "") -> dict[str, str]:
        """Return the variables of a process that uses a database."""
        unwanted = ("DEBUG", "ALLOWED_HOSTS", "DJANGO_SETTINGS_MODULE", "SECRET_KEY")
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        return kept | {
            "CACHE_URL": self.cache,
            CHECKOUT: self.checkout,
            "DATABASE_URL": self.url_of(database),
            "DEBUG": "off",
            "DJANGO_SETTINGS_MODULE": "benchmarks.speed.settings",
            "PUBLIC_BASE_URL": _ORIGIN,
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
            PAGE_CACHE: variant,
            "SPEED_FOLDER": str(self.folder / database),
            "SPEED_NAME": f"speed-{os.getpid()}",
            "SPEED_PREPARED": "1" if self.is_prepared else "",
        }

    def url_of(self, database: str) -> str:
        """Return the URL of a database."""
        if self.server == "sqlite":
            return f"sqlite:///{self.folder / database}.sqlite3"
        return urlsplit(self.server)._replace(path=f"/{database}").geturl()

    def run(self, database: str, *arguments: str, variant: str = "") -> str:
        """Return what a worker writes to standard output; raise ``SystemExit`` when it fails."""
        (self.folder / database).mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "benchmarks.speed.worker", *arguments]
        environment = self.environment(database, variant=variant)
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"benchmarks.speed.worker {' '.join(arguments)} failed ({done.returncode}).")
        return done.stdout.strip()

    def seeded(self, size: int) -> str:
        """Return the name of a database with this many posts; make it when there is none of this version.

        One that lacks only migrations is copied and migrated, which takes a fraction of the time.
        """
        version = json.loads(self.run("version", "version"))
        same_seed = f"{_PREFIX}_{size}_{version['seed']}_"
        name = same_seed + hashlib.sha256(repr(version["migrations"]).encode()).hexdigest()[:8]
        if not self._exists(name):
            earlier = self._earlier(same_seed, set(version["migrations"]))
            print(f"{'Migrating' if earlier else 'Seeding'} {size:,} posts into {name} …", file=sys.stderr)
            unfinished = f"{name}_{os.getpid()}"
            self._create(unfinished, like=earlier)
            try:
                self.run(unfinished, *(["upgrade"] if earlier else ["seed", str(size)]))
            except BaseException:
                self._drop(unfinished)
                raise
            self._rename(unfinished, name)
        self.run(name, "static")
        return name

    def _earlier(self, start: str, migrations: set[str]) -> str | None:
        """Return a database of the same seed without later migrations."""
        if self.server == "sqlite":
            return None
        names = [row[0] for row in self._ask("SELECT datname FROM pg_database WHERE datname ^@ %s", start)]
        complete = (name for name in names if len(name) == len(start) + 8)
        applied = "SELECT app || '.' || name FROM django_migrations"
        return next((name for name in complete if {row[0] for row in self._ask(applied, at=name)} <= migrations), None)

    @contextmanager
    def measured(self, name: str) -> Iterator[str]:
        """Lend a database to a measurement: PostgreSQL's own, as writes are removed again, of SQLite a copy."""
        if self.server != "sqlite":
            yield name
            return
        copy = f"{name}_{os.getpid()}"
        shutil.copy(self._file(name), self._file(copy))
        shutil.copytree(self.folder / name, self.folder / copy)
        try:
            yield copy
        finally:
            self._drop(copy)

    def drop_all(self) -> list[str]:
        """Remove every database of the benchmark, and return their names."""
        if self.server == "sqlite":
            names = [path.stem for path in self.folder.glob(f"{_PREFIX}_*.sqlite3")]
        else:
            names = [row[0] for row in self._ask("SELECT datname FROM pg_database WHERE datname ^@ %s", _PREFIX)]
        for name in names:
            self._drop(name)
        return names

    def _drop(self, name: str) -> None:
        if self.server == "sqlite":
            for path in self.folder.glob(f"{name}.sqlite3*"):
                path.unlink()
        else:
            self._ask(f'DROP DATABASE "{name}"')
        shutil.rmtree(self.folder / name, ignore_errors=True)

    def _exists(self, name: str) -> bool:
        if self.server == "sqlite":
            return self._file(name).exists()
        return bool(self._ask("SELECT 1 FROM pg_database WHERE datname = %s", name))

    def _create(self, name: str, *, like: str | None) -> None:
        if self.server != "sqlite":
            self._ask(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{like}"' if like else ""))
        if like:
            shutil.copytree(self.folder / like, self.folder / name)

    def _rename(self, name: str, new: str) -> None:
        if self.server == "sqlite":
            self._file(name).rename(self._file(new))
        else:
            self._ask(f'ALTER DATABASE "{name}" RENAME TO "{new}"')
        if (self.folder / new).exists():
            shutil.rmtree(self.folder / new)
        (self.folder / name).rename(self.folder / new)

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.sqlite3"

    def _ask(self, statement: str, *parameters: object, at: str = "postgres") -> list[tuple[Any, ...]]:
        import psycopg

        url = urlsplit(self.url_of(at))._replace(scheme="postgresql").geturl()
        with psycopg.connect(url, autocommit=True) as connection:
            found = connection.execute(statement, parameters or None)
            return found.fetchall() if found.description else []
