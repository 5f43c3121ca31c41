"""The official SDKs connect with the URL alone, over a real socket."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.mcp.conftest import answered, refused, run
from tests.oauth.browser import Site, connect_in_browser, served_site
from tests.oauth.canned import CALLBACK, CLIENT
from tests.requirements import requirement
from tests.support.programs import environment, start, typescript_sdk

pytestmark = pytest.mark.xdist_group("served-oauth")


@pytest.fixture(autouse=True)
def _issues_tokens() -> None:
    """Leave the settings of this process alone: the site has its own."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for the tests of this module."""
    with served_site(tmp_path_factory.mktemp("oauth")) as served:
        yield served


class Memory:
    """Where a client keeps its tokens and its registration."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def provider_of(
    site: Site, memory: Memory, *scopes: str, document: str | None = None, callback: str = CALLBACK
) -> OAuthClientProvider:
    """The client's side of OAuth, with a person behind the browser that it opens."""
    answers: list[dict[str, str]] = []

    async def open_browser(url: str) -> None:
        answers.append(connect_in_browser(url, *scopes))

    async def wait_for_answer() -> AuthorizationCodeResult:
        sent = answers.pop()
        return AuthorizationCodeResult(code=sent["code"], state=sent["state"], iss=sent["iss"])

    return OAuthClientProvider(
        site.endpoint,
        OAuthClientMetadata(client_name="The Python SDK", redirect_uris=[callback]),
        memory,
        open_browser,
        wait_for_answer,
        client_metadata_url=document,
    )  # fmt: skip


@requirement("oauth.clients")
@pytest.mark.parametrize("document", [None, CLIENT], ids=["registered", "document"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_python_client_connects_with_the_url_alone(site: Site, document: str | None, mode: str) -> None:
    async def story() -> None:
        memory = Memory()
        provider = provider_of(site, memory, "read", "write", document=document)
        async with (
            httpx2.AsyncClient(auth=provider, timeout=120) as http,
            Client(streamable_http_client(site.endpoint, http_client=http), mode=mode) as client,
        ):
            assert len((await client.list_tools()).tools) == 31
            saved = await answered(client, "blog_save_draft", title=f"From an agent: {mode}, {document}", body="Text.")
            refusal = await refused(client, "blog_publish_post", id=str(saved["post"]["id"]))

        assert (refusal["code"], refusal["details"]) == ("scope_required", ["publish"])
        assert memory.tokens is not None
        assert memory.tokens.scope == "read write"
        assert memory.client is not None
        assert (memory.client.client_id == CLIENT) is (document is not None)

    run(story)


@requirement("oauth.clients", "oauth.refresh")
def test_the_python_client_refreshes_its_token(site: Site) -> None:
    async def story() -> None:
        memory = Memory()
        provider = provider_of(site, memory, "read")
        await _list_tools(site, provider)
        first = memory.tokens
        assert first is not None
        # As if an hour had passed.
        provider.context.token_expiry_time = 1.0
        await _list_tools(site, provider)

        assert memory.tokens is not None
        assert memory.tokens.access_token != first.access_token

    run(story)


@requirement("oauth.clients", "oauth.refresh")
@pytest.mark.typescript
@pytest.mark.parametrize("document", [None, CLIENT], ids=["registered", "document"])
def test_the_typescript_client_connects_with_the_url_alone(site: Site, document: str | None, tmp_path: Path) -> None:
    script = tmp_path / "connect.mjs"
    script.write_text((Path(__file__).parent / "connect.mjs").read_text("utf-8"), "utf-8")
    (tmp_path / "node_modules").symlink_to(typescript_sdk() / "node_modules")
    command = ["node", str(script), site.endpoint, *([document] if document else [])]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with start(command, env=environment(), **pipes) as program:
        asked = json.loads(program.stdout.readline())
        answer = connect_in_browser(asked["open"], "read", "write")
        said, _ = program.communicate(json.dumps(answer) + "\n", timeout=120)

    done = json.loads(said)
    assert (done["tools"], done["scope"], done["refreshed"]) == (31, "read write", True)
    assert (done["client"] == CLIENT) is (document is not None)


async def _list_tools(site: Site, provider: OAuthClientProvider) -> None:
    async with (
        httpx2.AsyncClient(auth=provider, timeout=120) as http,
        Client(streamable_http_client(site.endpoint, http_client=http)) as client,
    ):
        assert len((await client.list_tools()).tools) == 31
