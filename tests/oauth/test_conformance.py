"""The conformance suite of the protocol accepts the authorization server, over a real socket."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.oauth.browser import Site, connect_in_browser, served_site
from tests.requirements import requirement
from tests.support.programs import client_tools, environment, start
from tests.support.servers import free_port

pytestmark = pytest.mark.xdist_group("served-oauth")


@pytest.fixture(autouse=True)
def _issues_tokens() -> None:
    """Leave the settings of this process alone: the site has its own."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for the tests of this module."""
    with served_site(tmp_path_factory.mktemp("conformance")) as served:
        yield served


@requirement("oauth.conformance")
@pytest.mark.clients
def test_the_scenarios_of_an_authorization_server_pass(site: Site, tmp_path: Path) -> None:
    with free_port() as listener:
        port = listener.getsockname()[1]
    callback = f"http://127.0.0.1:{port}/callback"
    registration = {"client_name": "Conformance", "redirect_uris": [callback]}
    client = httpx.post(f"{site.endpoint}/oauth/register", json=registration, timeout=60).json()["client_id"]

    checks = checks_of(site, client, port=port, results=tmp_path)

    assert {check["name"]: check["status"] for check in checks} == {
        "AuthorizationServerMetadata": "SUCCESS",
        "AuthorizationServerMetadataCIMD": "SUCCESS",
        "AuthorizationCodeGrant": "SUCCESS",
    }, checks


def checks_of(site: Site, client_id: str, *, port: int, results: Path) -> list[dict[str, Any]]:
    """Run the suite with a person at the browser, and return its checks."""
    folder = client_tools()
    assert folder is not None
    command = [str(folder / "node_modules/.bin/conformance"), "authorization", "--url", f"{site.origin}/blog"]
    command += ["--client-id", client_id, "--resource", site.endpoint, "--port", str(port), "-o", str(results)]
    path = f"{folder / 'node' / 'bin'}:{environment().get('PATH')}"
    with start(command, env=environment({"PATH": path}), stdout=subprocess.PIPE, text=True) as program:
        for line in program.stdout:
            if line.startswith(f"{site.origin}/blog/mcp/oauth/authorize"):
                answer = connect_in_browser(line.strip(), "read")
                httpx.get(f"http://127.0.0.1:{port}/callback", params=answer, timeout=60)
        program.wait(timeout=60)
    return [check for found in sorted(results.rglob("checks.json")) for check in json.loads(found.read_text("utf-8"))]
