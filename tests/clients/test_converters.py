"""The SDKs of models and of the protocol take every tool, and know the type of every argument."""

import shutil
from pathlib import Path

import pytest

from tests.clients.conftest import PROGRAMS, Tools, found_in
from tests.mcp.conftest import Site
from tests.requirements import requirement

pytestmark = [pytest.mark.clients, pytest.mark.xdist_group("served")]

WHOLE = {"tools": 31, "untyped": []}


@requirement("agents.tools.input-schemas")
def test_the_python_sdks_convert_every_tool(tools: Tools, site: Site, tmp_path: Path) -> None:
    found = found_in(tools.python("converters", str(PROGRAMS / "convert.py"), site.endpoint, site.editor, cwd=tmp_path))

    sdks = ("mcp", "google-genai", "langchain-google-genai", "openai-agents, strict", "anthropic")
    assert found == dict.fromkeys(sdks, WHOLE)


@requirement("agents.tools.input-schemas")
def test_the_typescript_sdks_convert_every_tool(tools: Tools, site: Site, tmp_path: Path) -> None:
    shutil.copy(PROGRAMS / "convert.mjs", tmp_path)
    (tmp_path / "node_modules").symlink_to(tools.node_modules)

    found = found_in(tools.node("convert.mjs", site.endpoint, site.editor, cwd=tmp_path))

    assert found == dict.fromkeys(("@modelcontextprotocol/sdk", "ai, @ai-sdk/google"), WHOLE)
