"""Send messages to the agent endpoint, with versions of either family, without the constants of the package."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests.support.clients import assert_json

MCP = "/blog/mcp"

STATELESS = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
META: Mapping[str, Any] = {VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}}

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION, RESOURCE_NOT_FOUND = -32020, -32022, -32002

_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def request(method: str, params: object = None, *, id: object = 1) -> dict[str, Any]:
    """Return a request of a handshake version; without ``params`` it has no such key."""
    return {"jsonrpc": "2.0", "id": id, "method": method} | ({} if params is None else {"params": params})


def notification(method: str, params: object = None) -> dict[str, Any]:
    """Return a notification: a request without ``id``."""
    message = request(method, params)
    del message["id"]
    return message


def call_of(name: str, arguments: object = None) -> dict[str, Any]:
    """Return the request that calls a tool; without ``arguments`` it has no such key."""
    return request("tools/call", {"name": name} | ({} if arguments is None else {"arguments": arguments}))


def stateless(message: Mapping[str, Any], meta: Mapping[str, Any] = META) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the message as a stateless request, and its headers."""
    params = dict(message.get("params") or {})
    headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": message["method"]}
    name = params.get(_NAMED_BY.get(message["method"], "no parameter"))
    if isinstance(name, str):
        headers["Mcp-Name"] = header_value(name)
    return {**message, "params": params | {"_meta": dict(meta)}}, headers


def header_value(text: str) -> str:
    """Return a header value, which is in Base64 unless it is plain ASCII."""
    is_plain = text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?")
    return text if is_plain else f"=?base64?{b64encode(text.encode('utf-8', 'surrogatepass')).decode()}?="


def post(client: Client, message: object, headers: Mapping[str, str] | None = None, *, path: str = MCP) -> HttpResponse:
    """Send a message, bytes and text unchanged; ``post(client, *stateless(message))`` sends a stateless one."""
    body = message if isinstance(message, bytes | str) else json.dumps(message)
    return client.post(path, body, content_type="application/json", headers=dict(headers or {}))


def result_of(response: HttpResponse, *, id: object = 1) -> dict[str, Any]:
    """Return the result of a response; fail for an error."""
    body = _body(response)
    assert response.status_code == 200, body
    assert body == {"jsonrpc": "2.0", "id": id, "result": body.get("result")}
    assert type(body["id"]) is type(id)
    result: dict[str, Any] = body["result"]
    return result


def error_of(response: HttpResponse, *, id: object = 1) -> tuple[int, int, Any]:
    """Return the HTTP status, the code and the data, or ``None``, of a JSON-RPC error."""
    body = _body(response)
    assert body.keys() == {"jsonrpc", "id", "error"}, body
    assert (body["jsonrpc"], body["id"], type(body["id"])) == ("2.0", id, type(id))
    assert body["error"].keys() - {"data"} == {"code", "message"}
    assert body["error"]["message"]
    return response.status_code, body["error"]["code"], body["error"].get("data")


def ask(client: Client, method: str, params: object = None) -> dict[str, Any]:
    """Return the result of a request of a handshake version."""
    return result_of(post(client, request(method, params)))


def call_tool(client: Client, name: str, arguments: object = None) -> dict[str, Any]:
    """Return the result of a tool: ``content``, ``structuredContent``, ``isError``."""
    return result_of(post(client, call_of(name, arguments)))


def tool_answer(client: Client, name: str, arguments: object = None) -> dict[str, Any]:
    """Return the answer of a tool; fail for a refusal."""
    result = call_tool(client, name, arguments)
    assert result["isError"] is False, result["structuredContent"]
    found: dict[str, Any] = result["structuredContent"]
    return found


def tool_refusal(client: Client, name: str, arguments: object = None) -> tuple[str, list[str]]:
    """Return code and details of the refusal of a tool."""
    result = call_tool(client, name, arguments)
    assert result["isError"] is True, result["structuredContent"]
    error = result["structuredContent"]["error"]
    return error["code"], error["details"]


def _body(response: HttpResponse) -> dict[str, Any]:
    assert_json(response)
    body: dict[str, Any] = json.loads(response.content)
    return body
