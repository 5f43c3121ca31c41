"""The server of docs/how-to/agent-server.md, with the official client connected to it in memory."""

import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from blog_engine.mcp import definitions
from blog_engine.models import Post
from tests.mcp.conftest import answered, refused, run
from tests.requirements import requirement
from tests.support.tables import everything_stored

# The tools run in threads with their own connections.
pytestmark = pytest.mark.django_db(transaction=True)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "agent-server.md"

either_era = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@pytest.fixture
def server() -> Any:
    """The server of the example."""
    section = PAGE.read_text("utf-8")
    [code] = re.findall(r"```python\n(.+?)```", section, re.DOTALL)
    module: dict[str, Any] = {"__name__": "agents"}
    exec(compile(code, PAGE.name, "exec"), module)  # noqa: S102 - our own page
    return module["server"]


@requirement("agents.definitions")
@either_era
def test_a_server_of_the_host_lists_every_tool_as_it_is_defined(server: Any, mode: str) -> None:
    async def story() -> None:
        async with Client(server, mode=mode) as client:
            listed = (await client.list_tools()).tools

        assert [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed] == [
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "inputSchema": tool.input_schema,
                "outputSchema": tool.output_schema,
                "annotations": tool.annotations,
            }
            for tool in definitions()
        ]

    run(story)


@requirement("agents.definitions")
@either_era
def test_a_server_of_the_host_saves_a_draft(server: Any, mode: str) -> None:
    async def story() -> None:
        async with Client(server, mode=mode) as client:
            saved = await answered(client, "blog_save_draft", title="From the newsroom", body="Text.\n")

        assert saved["created"] is True
        assert saved["post"]["url"] == "https://example.com/blog/from-the-newsroom"

    run(story)

    assert Post.objects.get().title == "From the newsroom"


@requirement("agents.definitions")
@either_era
@pytest.mark.parametrize(
    ("tool", "arguments", "refusal"),
    [
        ("blog_save_draft", {"titel": "From the newsroom"}, ("unknown_field", ["titel"])),
        ("blog_get_post", {}, ("validation_failed", ["id"])),
        ("blog_publish_post", {"title": "Too soon", "body": "Text.\n"}, ("scope_required", ["publish"])),
    ],
)
def test_a_server_of_the_host_refuses_as_the_endpoint_does(
    server: Any, mode: str, tool: str, arguments: dict[str, Any], refusal: tuple[str, list[str]]
) -> None:
    before = everything_stored()
    errors: list[dict[str, Any]] = []

    async def story() -> None:
        async with Client(server, mode=mode) as client:
            errors.append(await refused(client, tool, **arguments))

    run(story)

    assert [(error["code"], error["details"]) for error in errors] == [refusal]
    assert everything_stored() == before


@requirement("agents.definitions")
@either_era
def test_a_server_of_the_host_knows_no_other_tools(server: Any, mode: str) -> None:
    async def story() -> None:
        async with Client(server, mode=mode) as client:
            await client.call_tool("blog_burn_everything", {})

    with pytest.raises(MCPError) as raised:
        run(story)

    assert raised.value.error.code == -32602
