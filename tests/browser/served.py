"""Sites in processes of their own, served by gunicorn."""

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
    """A running site: its origin and what ``make`` returned, such as the paths of pages."""

    origin: str
    told: Mapping[str, Any]

    def url(self, name: str) -> str:
        """Return the URL of the page of this name."""
        return f"{self.origin}{self.told[name]}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A folder with database, images and static files, and what ``make`` returned."""

    folder: Path
    told: Mapping[str, Any]


def prepare(folder: Path, *, settings: str, contents: str) -> Prepared:
    """Call ``make`` of a module in a new SQLite database."""
    environment = _environment(folder, settings=settings, origin="http://127.0.0.1")
    manage(environment, "migrate", "--verbosity", "0")
    # No test opens the admin, and compressing its files takes seconds.
    manage(environment, "collectstatic", "--no-input", "--verbosity", "0", "--ignore", "admin")
    return Prepared(folder, json.loads(run_python(environment, "-m", "tests.browser.make_contents", contents)))


@contextmanager
def serve(prepared: Prepared, *, settings: str) -> Iterator[Site]:
    """Serve the prepared site on a free port."""
    with free_port() as listener:
        origin = origin_at(listener)
        with gunicorn(listener, _environment(prepared.folder, settings=settings, origin=origin)):
            yield Site(origin, prepared.told)


def _environment(folder: Path, *, settings: str, origin: str) -> Environment:
    own = environment_of(folder, settings=settings, origin=origin)
    return own | {"DEBUG": "false", "STATIC_ROOT": str(folder / "static")}
