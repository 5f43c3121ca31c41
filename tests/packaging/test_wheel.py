"""The wheel, installed into a new environment and served by a new host."""

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from blog_engine.mcp import definitions
from tests.requirements import requirement
from tests.support.programs import ROOT, Environment, environment, output_of, start

pytestmark = pytest.mark.xdist_group("packaging")

_SERVE = """
from wsgiref.simple_server import make_server
from django.core.wsgi import get_wsgi_application
with make_server("127.0.0.1", 0, get_wsgi_application()) as server:
    print(server.server_port, flush=True)
    server.serve_forever()
"""


@dataclass(frozen=True)
class Host:
    """A directory with a project, and the Python that has the wheel."""

    folder: Path
    python: Path

    def command(self, *arguments: str) -> list[str]:
        return [str(self.python), "-m", *arguments]

    @property
    def environment(self) -> Environment:
        # Nothing of this test run is used, neither the checkout nor its settings.
        ours = ("PYTHONPATH", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CACHE_URL", "VIRTUAL_ENV")
        return environment({"DJANGO_SETTINGS_MODULE": "host.settings"}, without=ours)

    def run(self, *arguments: str) -> str:
        return output_of(self.command(*arguments), env=self.environment, cwd=self.folder, timeout=300)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True, timeout=300)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def host(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Host:
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(Path(__file__).with_name("host"), folder / "host", ignore=shutil.ignore_patterns("__pycache__"))
    venv.create(folder / ".venv", with_pip=True)
    host = Host(folder=folder, python=folder / ".venv" / "bin" / "python")
    host.run("pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))
    host.run("django", "migrate", "--verbosity", "0")
    return host


@pytest.fixture(scope="module")
def port(host: Host) -> Iterator[int]:
    with start(
        [str(host.python), "-c", _SERVE], env=host.environment, cwd=host.folder, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.terminate()


def get(port: int, path: str, *, token: str = "") -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
    return connection.getresponse()


def ask(port: int, method: str, *, token: str) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method})
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/blog/mcp", body=message, headers=headers)
    answer: dict[str, Any] = json.load(connection.getresponse())
    return answer


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    package = ROOT / "blog_engine"
    in_checkout = {
        str(path.relative_to(ROOT)) for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }

    in_wheel = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert in_wheel == in_checkout
    assert {"blog_engine/py.typed", "blog_engine/templates/blog_engine/layout.html"} <= in_wheel
    assert any(name.startswith("blog_engine/static/blog_engine/") for name in in_wheel)
    assert "blog_engine/migrations/0001_initial.py" in in_wheel


@requirement("host.installation")
def test_a_host_with_three_apps_passes_djangos_checks(host: Host) -> None:
    outcome = host.run("django", "check", "--fail-level", "WARNING")

    assert "no issues" in outcome


def test_a_host_needs_no_migration_of_its_own_for_the_blog(host: Host) -> None:
    outcome = host.run("django", "makemigrations", "--check", "--dry-run")

    assert "No changes detected" in outcome


@requirement("host.installation")
def test_a_new_host_serves_the_index(port: int) -> None:
    answer = get(port, "/blog/")

    assert (answer.status, answer.headers.get_content_type()) == (200, "text/html")
    assert "My Journal" in answer.read().decode()


def test_a_new_host_asks_api_callers_for_a_token(port: int) -> None:
    answer = get(port, "/blog/api/v1/posts")

    assert (answer.status, answer.headers.get_content_type()) == (401, "application/json")
    assert json.load(answer)["error"]["code"] == "unauthenticated"


@requirement("host.installation")
def test_a_token_made_by_the_command_opens_the_api(host: Host, port: int) -> None:
    token = host.run("django", "create_blog_token", "NAME=first", "SCOPES=read").removesuffix("\n")

    answer = get(port, "/blog/api/v1/posts", token=token)

    assert answer.status == 200
    assert json.load(answer) == {"posts": [], "page": 1, "per_page": 25, "total": 0, "next_cursor": None}


def test_a_new_host_gives_an_agent_its_tools_and_workflows(host: Host, port: int) -> None:
    token = host.run("django", "create_blog_token", "NAME=agent", "SCOPES=read").removesuffix("\n")

    tools, prompts = (ask(port, method, token=token)["result"] for method in ("tools/list", "prompts/list"))

    assert [tool["name"] for tool in tools["tools"]] == [tool.name for tool in definitions()]
    assert len(prompts["prompts"]) == 6
