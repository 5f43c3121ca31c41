"""The methods of the Model Context Protocol."""

from collections.abc import Mapping
from typing import Any

from blog_engine import __version__
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.errors import InternalError, Refusal
from blog_engine.http.responses import report_bug
from blog_engine.mcp.house_style import with_house_style
from blog_engine.mcp.instructions import instructions_at
from blog_engine.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    SERVER_INFO_KEY,
    SUPPORTED_VERSIONS,
    Exchange,
    Message,
    Method,
    Params,
    ProtocolError,
    Result,
    VersionFamily,
    refuse_cursor,
    string_param,
    unknown_name,
)
from blog_engine.mcp.registry import TOOLS
from blog_engine.mcp.resources import complete, list_resource_templates, list_resources, read_resource
from blog_engine.mcp.tool_names import meant_tool
from blog_engine.mcp.tools import PREFIX, Tool
from blog_engine.mcp.values import object_of
from blog_engine.mcp.workflows import get_prompt, get_skill, list_prompts, list_skills


def run_method(message: Message, exchange: Exchange) -> Result:
    """Return the result of a request; a refused tool call has one as well.

    Raises ``ProtocolError``, and the database's own error when a method other than ``tools/call`` cannot reach it.
    """
    methods = _METHODS[exchange.family]
    if message.method not in methods:
        raise ProtocolError(METHOD_NOT_FOUND, f"Unknown method. The methods are {', '.join(methods)}.")
    return _complete(exchange.family, message.method, methods[message.method](message.params, exchange))


def tool_call_refusal(message: Message, family: VersionFamily, refusal: Refusal) -> Result | None:
    """Return the refusal as the result of a tool call; ``None`` for other messages.

    Raises ``ProtocolError`` for a faulty call.
    """
    if message.is_notification or message.method != _CALL_TOOL:
        return None
    _tool_and_arguments(message.params)
    return _complete(family, _CALL_TOOL, _tool_result(dict(refusal.envelope())))


def _complete(family: VersionFamily, method: str, result: Result) -> Result:
    """Add what only stateless results have (``agents.stateless.results``)."""
    if family is VersionFamily.HANDSHAKE:
        return result
    lifetime = _LIFETIMES.get(method)
    caching = {} if lifetime is None else {"ttlMs": lifetime, "cacheScope": "private"}
    return {"resultType": "complete", **result, **caching}


def _initialize(params: Params, exchange: Exchange) -> Result:
    requested = params.get("protocolVersion", HANDSHAKE_VERSIONS[0])
    if not isinstance(requested, str):
        raise ProtocolError(INVALID_PARAMS, "protocolVersion must be a string such as 2025-11-25.")
    version = requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0]
    return {"protocolVersion": version, "serverInfo": _server_info(), **_introduction(exchange)}


def _discover(params: Params, exchange: Exchange) -> Result:
    return {
        "supportedVersions": list(SUPPORTED_VERSIONS),
        **_introduction(exchange),
        "_meta": {SERVER_INFO_KEY: _server_info()},
    }


def _server_info() -> Result:
    return {"name": "blog_engine", "title": get_settings().site_name, "version": __version__}


def _ping(params: Params, exchange: Exchange) -> Result:
    return {}


def _list_tools(params: Params, exchange: Exchange) -> Result:
    refuse_cursor(params)
    return {"tools": [tool.definition for tool in TOOLS.values()]}


def _call_tool(params: Params, exchange: Exchange) -> Result:
    tool, arguments = _tool_and_arguments(params)
    try:
        answer = tool.answer(arguments, exchange.call)
    except Exception as bug:
        report_bug(bug, exchange.request)
        answer = dict(InternalError().envelope())
    return _tool_result(answer)


def _tool_and_arguments(params: Params) -> tuple[Tool, dict[str, Any]]:
    name, arguments = string_param(params, "name", must_be="the name of a tool"), object_of(params.get("arguments"))
    if name not in TOOLS:
        meant = meant_tool(name, known=TOOLS, prefix=PREFIX)
        raise unknown_name("tool", name, known=TOOLS, meant=meant)
    if not isinstance(arguments, dict):
        raise ProtocolError(INVALID_PARAMS, "arguments must be an object.", data={"name": name})
    return TOOLS[name], arguments


def _tool_result(answer: Result) -> Result:
    return {
        "content": [{"type": "text", "text": compact_json(answer)}],
        "structuredContent": answer,
        "isError": "error" in answer,
    }


_CALL_TOOL = "tools/call"

_CAPABILITIES: Result = {
    "tools": {},
    "prompts": {},
    "resources": {},
    "completions": {},
    "extensions": {"io.modelcontextprotocol/skills": {}},
}


def _introduction(exchange: Exchange) -> Result:
    return {"capabilities": _CAPABILITIES, "instructions": with_house_style(instructions_at(exchange.call.now))}


_COMMON_METHODS: Mapping[str, Method] = {
    "tools/list": _list_tools,
    _CALL_TOOL: _call_tool,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "resources/list": list_resources,
    "resources/templates/list": list_resource_templates,
    "resources/read": read_resource,
    "completion/complete": complete,
    "skills/list": list_skills,
    "skills/get": get_skill,
}
_METHODS: Mapping[VersionFamily, Mapping[str, Method]] = {
    VersionFamily.HANDSHAKE: {"initialize": _initialize, "ping": _ping, **_COMMON_METHODS},
    VersionFamily.STATELESS: {"server/discover": _discover, **_COMMON_METHODS},
}

_AN_HOUR = 3_600_000
_LIFETIMES = {
    "server/discover": _AN_HOUR,
    "tools/list": _AN_HOUR,
    "prompts/list": _AN_HOUR,
    "resources/list": _AN_HOUR,
    "resources/templates/list": _AN_HOUR,
    "resources/read": 0,  # a post can change at any time
    "skills/list": _AN_HOUR,
    "skills/get": _AN_HOUR,
}
"""Milliseconds for which a stateless client can keep a result."""
