"""The tools as the Python SDKs of models convert them; run as: convert.py URL TOKEN, by a Python without the engine.

It prints, for each SDK, the number of tools and the properties that have no type, as JSON.
"""

import asyncio
import copy
import json
import sys
from collections.abc import Iterator
from typing import Any

from agents.strict_schema import ensure_strict_json_schema
from anthropic.lib.tools.mcp import async_mcp_tool
from google.genai._mcp_utils import mcp_to_gemini_tool
from langchain_google_genai._function_utils import convert_to_genai_function_declarations
from langchain_mcp_adapters.tools import load_mcp_tools
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

SAYS_A_TYPE = {"type", "anyOf", "any_of", "$ref", "enum", "const", "allOf", "oneOf"}


def untyped(schema: Any, path: str) -> Iterator[str]:
    """Yield the properties of a schema that say no type."""
    if isinstance(schema, list):
        for part in schema:
            yield from untyped(part, path)
    elif isinstance(schema, dict):
        for name, part in (schema.get("properties") or {}).items():
            if not SAYS_A_TYPE & {key for key, value in part.items() if value is not None}:
                yield f"{path}.{name}"
            yield from untyped(part, f"{path}.{name}")
        for key in ("items", "anyOf", "any_of", "$defs"):
            part = schema.get(key)
            yield from untyped(list(part.values()) if key == "$defs" and part else part, path)


def gemini(declarations: Any) -> list[dict[str, Any]]:
    """Return the schemas of what Gemini is sent."""
    shown = [one.model_dump(mode="json", exclude_none=True) for one in declarations]
    return [{"name": one["name"], "schema": schema_of(one)} for one in shown]


def schema_of(declaration: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = declaration.get("parameters") or declaration.get("parameters_json_schema") or {}
    return found


async def convert(url: str, token: str) -> dict[str, list[dict[str, Any]]]:
    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(url, headers=headers) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        langchain = await load_mcp_tools(session)
        called = await session.call_tool("blog_list_posts", {})
        assert not called.isError, called
        claude = [async_mcp_tool(tool, session).to_dict() for tool in tools]
    return {
        "mcp": [{"name": tool.name, "schema": tool.inputSchema} for tool in tools],
        "google-genai": gemini(one for tool in tools for one in mcp_to_gemini_tool(tool).function_declarations or ()),
        "langchain-google-genai": gemini(
            one
            for tool in convert_to_genai_function_declarations(langchain)
            for one in tool.function_declarations or ()
        ),
        "openai-agents, strict": [
            {"name": tool.name, "schema": ensure_strict_json_schema(copy.deepcopy(tool.inputSchema))} for tool in tools
        ],
        "anthropic": [{"name": one["name"], "schema": one["input_schema"]} for one in claude],
    }


converted = asyncio.run(convert(*sys.argv[1:]))
report = {
    sdk: {"tools": len(tools), "untyped": [name for tool in tools for name in untyped(tool["schema"], tool["name"])]}
    for sdk, tools in converted.items()
}
sys.stdout.write(json.dumps(report))
