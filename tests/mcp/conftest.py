"""Fixtures of the agent endpoint: separate counters, a small blog, an agent, a served site and the official client."""

import json
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx
import httpx2
import psycopg
import pytest
from django.test import Client as TestClient
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from blog_engine.actor import Scope
from tests.api.conftest import headers, place, server
from tests.support.blogs import small
from tests.support.clients import client_with
from tests.support.databases import migrate_site
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at

__all__ = ["agent", "headers", "place", "server", "small"]


@pytest.fixture
def agent(db: None) -> TestClient:
    """A client whose token has all scopes."""
    return client_with(*Scope)


_CREATE_TOKENS = """
from django.core.management import call_command
call_command("create_blog_token", "NAME=Ada's agent")
call_command("create_blog_token", "NAME=Reader", "SCOPES=read")
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running site: its origin, a token with all scopes, and one that can only read."""

    origin: str
    editor: str
    reader: str

    @property
    def endpoint(self) -> str:
        return f"{self.origin}/blog/mcp"

    def page(self, address: str) -> httpx.Response:
        """Return what a reader gets at a path; redirects are not followed."""
        return httpx.get(address, timeout=20)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all tests of clients: mark them ``xdist_group("served")``, so that one worker serves it."""
    folder = tmp_path_factory.mktemp("served")
    with free_port() as listener, _fresh_database(folder) as database:
        origin = origin_at(listener)
        environment = environment_of(folder, settings="tests.served_settings", origin=origin, database=database)
        migrate_site(environment, folder / "db.sqlite3")
        editor, reader = manage(environment, "shell", "--verbosity=0", "--command", _CREATE_TOKENS).splitlines()
        with gunicorn(listener, environment):
            served = Site(origin=origin, editor=editor, reader=reader)
            assert served.page(f"{origin}/blog/").status_code == 200
            yield served


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run an async test; raise its exception without the exception groups of the SDK."""
    try:
        anyio.run(story)
    except ExceptionGroup as group:
        fault: Exception = group
        while isinstance(fault, ExceptionGroup) and len(fault.exceptions) == 1:
            fault = fault.exceptions[0]
        raise fault from None


@asynccontextmanager
async def connected(site: Site, *, mode: str = "auto", token: str | None = None) -> AsyncIterator[Client]:
    """Connect the official client, by default with the token of the editor.

    ``mode`` is that of the client: ``legacy`` for the handshake, a revision without one, or ``auto`` for either.
    """
    headers = {"Authorization": f"Bearer {site.editor if token is None else token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=20) as http,
        Client(streamable_http_client(site.endpoint, http_client=http), mode=mode) as client,
    ):
        yield client


async def answered(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return the answer of a tool, which text and structured content have in common; fail for a refusal."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error is False, result.structured_content
    return _told_twice(result)


async def refused(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return the error of a refusal: code, message and details."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error is True, result.structured_content
    error: dict[str, Any] = _told_twice(result)["error"]
    return error


def _told_twice(result: CallToolResult) -> dict[str, Any]:
    [text] = result.content
    found: dict[str, Any] = result.structured_content
    assert json.loads(text.text) == found
    return found


@contextmanager
def _fresh_database(folder: Path) -> Iterator[str]:
    """Return the URL of an empty database of the kind that this run tests."""
    given = os.environ.get("DATABASE_URL", "sqlite:")
    if given.startswith("sqlite:"):
        yield f"sqlite:///{folder / 'db.sqlite3'}"
        return
    name = f"served_{uuid.uuid4().hex}"
    server = urlsplit(given)
    with psycopg.connect(server._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield server._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
