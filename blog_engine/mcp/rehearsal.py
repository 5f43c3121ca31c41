"""What a client of the endpoint would see, tried over the endpoint's own code (decisions.md 9.16)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import timezone

from blog_engine.actor import Actor, Call
from blog_engine.mcp.conversation import reply_to
from blog_engine.mcp.eras import (
    CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_KEY,
)
from blog_engine.mcp.jsonrpc import encoded
from blog_engine.mcp.toolbox import TOOLS
from blog_engine.report.base import Rehearsal

_NOBODY = Actor("blog_doctor", scopes=())
_SAFE_TOOL = next(iter(TOOLS))
_HANDSHAKE = ("initialize", "tools/list", "tools/call")
_STATELESS = ("server/discover", "tools/list", "tools/call")
_SHOWN = 200


def rehearse() -> Rehearsal:
    """Say hello, list the tools and call one in both eras, as a caller who may do nothing: the tool must refuse."""
    faults = tuple(_faults())
    return Rehearsal(f"{len(TOOLS)} tools, protocol {', '.join(SUPPORTED_VERSIONS)}", faults)


def _faults() -> Iterator[str]:
    call = Call(actor=_NOBODY, now=timezone.now(), base_url="http://localhost")
    for version, methods in ((HANDSHAKE_VERSIONS[0], _HANDSHAKE), (STATELESS_VERSIONS[0], _STATELESS)):
        for method in methods:
            body, headers = _request(method, version=version)
            reply = reply_to(body, headers, call)
            answered = json.loads(reply.body)
            if reply.status != 200 or not _is_right(answered.get("result"), method):
                yield f"{method} ({version}) gets {reply.status} {reply.body[:_SHOWN].decode(errors='replace')}"


def _request(method: str, *, version: str) -> tuple[bytes, Mapping[str, str]]:
    params: dict[str, Any] = {"name": _SAFE_TOOL} if method == "tools/call" else {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": _SAFE_TOOL}
    if version in STATELESS_VERSIONS:
        params["_meta"] = {VERSION_KEY: version, CAPABILITIES_KEY: {}}
    else:
        params["protocolVersion"] = version
    return encoded({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), headers


def _is_right(result: Any, method: str) -> bool:
    match method, result:
        case "tools/list", {"tools": tools}:
            return [tool["name"] for tool in tools] == list(TOOLS)
        case "tools/call", {"isError": True, "structuredContent": {"error": {"code": "scope_required"}}}:
            return True
        case "initialize" | "server/discover", {"capabilities": {"tools": _}}:
            return True
        case _:
            return False
