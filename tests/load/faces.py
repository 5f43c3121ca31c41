"""The two interfaces for writers; each call is one request, whose answer the ledger keeps."""

import time
from base64 import b64encode
from typing import Any, Protocol

import httpx

from tests.load.ledger import Ledger

_PATIENCE = 60
_ROUTES = {
    "save_draft": ("POST", "/posts"),
    "publish_post": ("POST", "/posts/{id}/publish"),
    "update_post": ("PATCH", "/posts/{id}"),
    "correct_post": ("PATCH", "/posts/{id}"),
    "approve_revision": ("POST", "/posts/{id}/approvals"),
    "declare_connections": ("POST", "/posts/{id}/connections"),
    "unpublish_post": ("POST", "/posts/{id}/unpublish"),
    "remove_post": ("DELETE", "/posts/{id}"),
    "get_post": ("GET", "/posts/{id}"),
    "get_post_records": ("GET", "/posts/{id}/records"),
}


class Face(Protocol):
    """Runs the operation of a tool; returns the answer, with ``error`` after a refusal."""

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]: ...

    def upload(self, data: bytes, *, filename: str) -> dict[str, Any]: ...


class Api:
    """The JSON API."""

    def __init__(self, http: httpx.Client, ledger: Ledger) -> None:
        self._http = http
        self._ledger = ledger

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        method, path = _ROUTES[tool]
        if tool == "correct_post":
            arguments["change"] = "correction"
        id = arguments.pop("id", "")
        return self._send(method, path, id=id, **({"json": arguments} if arguments else {}))

    def upload(self, data: bytes, *, filename: str) -> dict[str, Any]:
        return self._send("POST", "/images", files={"file": (filename, data, "image/png")})

    def _send(self, method: str, path: str, *, id: str = "", **sent: Any) -> dict[str, Any]:
        start = time.monotonic()
        answer = self._http.request(method, f"/blog/api/v1{path.format(id=id)}", **sent)
        found: dict[str, Any] = answer.json() if answer.content else {}
        kind = f"{method} {path}"
        self._ledger.note(kind, answer.status_code, time.monotonic() - start, code=_code_in(found))
        return found


class Agent:
    """The agent endpoint, with a handshake version, which works without ``initialize``."""

    def __init__(self, http: httpx.Client, ledger: Ledger) -> None:
        self._http = http
        self._ledger = ledger

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        start = time.monotonic()
        params = {"name": f"blog_{tool}", "arguments": arguments}
        answer = self._http.post(
            "/blog/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
            headers={"MCP-Protocol-Version": "2025-11-25", "Accept": "application/json, text/event-stream"},
        )
        found: dict[str, Any] = answer.json()
        told: dict[str, Any] = found["result"]["structuredContent"] if "result" in found else found
        self._ledger.note(f"tool {tool}", answer.status_code, time.monotonic() - start, code=_code_in(told))
        return told

    def upload(self, data: bytes, *, filename: str) -> dict[str, Any]:
        return self.call("upload_image", base64=b64encode(data).decode(), filename=filename, content_type="image/png")


def client_of(origin: str, secret: str, *, address: str) -> httpx.Client:
    """Return a client with a token, behind one proxy that sends its IP address."""
    headers = {"Authorization": f"Bearer {secret}", "X-Forwarded-For": address}
    return httpx.Client(base_url=origin, headers=headers, timeout=_PATIENCE)


def _code_in(found: dict[str, Any]) -> str:
    error = found.get("error")
    return str(error["code"]) if error else ""
