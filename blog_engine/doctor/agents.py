"""Check of the agent endpoint: what its clients see, and whether it asks for a token."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import unquote

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.urls import resolve, reverse
from django.utils import timezone

from blog_engine.actor import Actor, Call
from blog_engine.blog_urls import script_name
from blog_engine.conf import authenticate_hook, get_settings

_ACTOR = Actor("blog_doctor", scopes=())
_EXCERPT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class ProbedEndpoint:
    """The agent endpoint, as its view describes it."""

    reply_to: Callable[[bytes, Mapping[str, str], Call], HttpResponse]
    """Returns the response to a message of an authenticated caller, with the headers of its request."""
    tools: tuple[str, ...]
    versions: tuple[str, ...]
    """The versions of the protocol, newest first."""
    handshake_version: str
    """The newest version that begins with ``initialize``."""
    stateless_version: str
    """The newest version without a session."""


class AgentFindings(NamedTuple):
    """The faults of the agent endpoint and what its clients see, as sentences."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seen: str = ""


def inspect_agent_endpoint() -> AgentFindings:
    """Call the endpoint whose view Django finds at its path."""
    path = reverse("blog_engine:mcp")
    try:
        is_enabled, hook = get_settings().mcp.enabled, authenticate_hook()
    except ImproperlyConfigured:
        return AgentFindings(
            warnings=("What agents see is unknown, because the settings have faults. See Configuration.",)
        )
    if not is_enabled:
        return AgentFindings(seen=f"The agent endpoint {path} is switched off (mcp.enabled): clients see 404.")
    view = resolve(unquote(path.removeprefix(script_name()))).func
    endpoint: ProbedEndpoint | None = getattr(view, "agent_endpoint", None)
    if endpoint is None:
        return AgentFindings(
            (f"Another view of the host has the path {path} of the agent endpoint. Move that view to another path.",)
        )
    errors = [f"A call of the agent endpoint {path} fails: {fault}." for fault in _failed_calls(endpoint)]
    # An authenticate hook may have side effects, so it is not called.
    if hook is None and (status := _status_without_token(view, path)) != 401:
        errors.append(f"A call of the agent endpoint {path} without a token gets {status} instead of 401.")
    seen = f"Agents at {path} see {len(endpoint.tools)} tools, protocol {', '.join(endpoint.versions)}."
    return AgentFindings(tuple(errors), seen=seen)


def _failed_calls(endpoint: ProbedEndpoint) -> Iterator[str]:
    """Introduce a client, list the tools and call one, with a version of each family; yield the failures.

    The caller has no scopes, so that the tool must refuse.
    """
    call = Call(actor=_ACTOR, now=timezone.now(), base_url="http://localhost")
    for version, hello in ((endpoint.handshake_version, "initialize"), (endpoint.stateless_version, "server/discover")):
        for method in (hello, "tools/list", "tools/call"):
            response = endpoint.reply_to(*_request(endpoint, method, version=version), call)
            result = json.loads(response.content).get("result")
            if response.status_code != 200 or not _is_expected(result, method, endpoint.tools):
                excerpt = response.content[:_EXCERPT_LENGTH].decode(errors="replace")
                yield f"{method} ({version}) gets {response.status_code} {excerpt}"


def _request(endpoint: ProbedEndpoint, method: str, *, version: str) -> tuple[bytes, Mapping[str, str]]:
    """Return the body and the headers of a request without arguments."""
    tool = endpoint.tools[0]
    params: dict[str, Any] = {"name": tool} if method == "tools/call" else {}
    if version == endpoint.stateless_version:
        protocol = "io.modelcontextprotocol"
        params["_meta"] = {f"{protocol}/protocolVersion": version, f"{protocol}/clientCapabilities": {}}
    else:
        params["protocolVersion"] = version
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": tool}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode(), headers


def _is_expected(result: Any, method: str, tools: tuple[str, ...]) -> bool:
    match method, result:
        case "tools/list", {"tools": listed}:
            return tuple(tool["name"] for tool in listed) == tools
        case "tools/call", {"isError": True, "structuredContent": {"error": {"code": "scope_required"}}}:
            return True
        case "initialize" | "server/discover", {"capabilities": {"tools": _}}:
            return True
        case _:
            return False


def _status_without_token(view: Callable[[HttpRequest], object], path: str) -> int | None:
    request = HttpRequest()
    request.method, request.path = "POST", path
    return getattr(view(request), "status_code", None)
