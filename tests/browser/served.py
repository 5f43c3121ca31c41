"""Sites in processes of their own: contents made by one, pages served by gunicorn in another."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.programs import Environment
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at, run_python


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
    manage(environment, "migrate", "--verbosity", "0")
    # Nobody opens the admin here, and compressing its files takes seconds.
    manage(environment, "collectstatic", "--no-input", "--verbosity", "0", "--ignore", "admin")
    return Prepared(folder, json.loads(run_python(environment, "-m", "tests.browser.make_contents", contents)))


@contextmanager
def serve(prepared: Prepared, *, settings: str) -> Iterator[Site]:
    """Serve what was prepared, on a free port."""
    with free_port() as listener:
        origin = origin_at(listener)
        with gunicorn(listener, _environment(prepared.folder, settings=settings, origin=origin)):
            yield Site(origin, prepared.told)


def _environment(folder: Path, *, settings: str, origin: str) -> Environment:
    own = environment_of(folder, settings=settings, origin=origin)
    return own | {"DEBUG": "false", "STATIC_ROOT": str(folder / "static")}
