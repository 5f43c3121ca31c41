"""A served site, and the generators and converters that ``scripts/generated-clients`` installs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.mcp.conftest import Site
from tests.support.databases import migrate_site
from tests.support.images import png
from tests.support.programs import ROOT, client_tools, environment, output_of
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at

DOCUMENT = ROOT / "docs" / "reference" / "openapi.json"
PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Tools:
    """The folder with the programs that generate clients and convert tools."""

    folder: Path

    @property
    def node_modules(self) -> Path:
        return self.folder / "node_modules"

    def python(self, environment_name: str, *arguments: str, cwd: Path) -> str:
        """Return what a program of one of the Python environments prints."""
        return self._run(str(self.folder / environment_name / "bin" / "python"), *arguments, cwd=cwd)

    def generator(self, name: str, *arguments: str, cwd: Path) -> str:
        """Return what a generator of the Python environment prints."""
        return self._run(str(self.folder / "generators" / "bin" / name), *arguments, cwd=cwd)

    def node(self, *arguments: str, cwd: Path) -> str:
        """Return what Node prints."""
        return self._run("node", *arguments, cwd=cwd)

    def npm_program(self, name: str, *arguments: str, cwd: Path) -> str:
        """Return what a program of a package of npm prints."""
        return self._run(str(self.node_modules / ".bin" / name), *arguments, cwd=cwd)

    def _run(self, *command: str, cwd: Path) -> str:
        path = f"{self.folder / 'generators' / 'bin'}:{self.folder / 'node' / 'bin'}:{environment().get('PATH')}"
        return output_of(command, env=environment({"PATH": path}), cwd=cwd, timeout=300)


@pytest.fixture(scope="session")
def tools() -> Tools:
    """What ``scripts/generated-clients`` installed."""
    folder = client_tools()
    assert folder is not None
    return Tools(folder)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose answers are held against the OpenAPI document."""
    folder = tmp_path_factory.mktemp("clients")
    with free_port() as listener:
        origin = origin_at(listener)
        own = environment_of(folder, settings="tests.served_settings", origin=origin) | {"CHECKED": "yes"}
        migrate_site(own, folder / "db.sqlite3")
        editor, reader = (manage(own, "create_blog_token", f"NAME={name}") for name in ("Ada", "Eve"))
        with gunicorn(listener, own):
            assert httpx.get(f"{origin}/blog/", timeout=120).status_code == 200
            yield Site(origin=origin, editor=editor, reader=reader)


@pytest.fixture(scope="session")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to upload."""
    path = tmp_path_factory.mktemp("picture") / "quay.png"
    path.write_bytes(png())
    return path


@pytest.fixture
def trip(site: Site, picture: Path) -> tuple[str, str, str]:
    """The arguments of a round trip."""
    return f"{site.origin}/blog/api/v1", site.editor, str(picture)


def found_in(printed: str) -> dict[str, Any]:
    """Return the JSON in the last line that a program printed."""
    found: dict[str, Any] = json.loads(printed.strip().splitlines()[-1])
    return found
