#!/usr/bin/env python3
"""Call a tool of the blog: TASK=<number> python3 call.py TOOL '{"name": "value"}'

The arguments are a JSON object, or @file.json with one; without them the tool is called with none. The answer is
printed as a model gets it.

  python3 call.py --list                                     the instructions of the server and all tools
  TASK=<number> python3 call.py --put FILE URL [HEADER ...]  send a file to a URL that an answer named
"""

import json
import mimetypes
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

HERE = Path(__file__).resolve().parent
VERSION = "2025-11-25"
TASKS = [str(number) for number in range(1, 11)]
WRITER_TASKS = {"9"}
"""Tasks with the token that can only write."""


def main() -> int:
    """Run the command, log what it cost, and print the answer."""
    if len(sys.argv) < 2 or sys.argv[1] in {"-h", "--help"}:
        print(__doc__)
        return 2
    access = json.loads((HERE / "access.json").read_text("utf-8"))
    task = os.environ.get("TASK", "")
    if sys.argv[1] == "--list":
        tool, sent, answer, is_error = "tools/list", "", _listed(access, _token(access, task)), False
    elif task not in TASKS:
        print("Set TASK to the number of the task, such as: TASK=1 python3 call.py ...")
        return 2
    elif sys.argv[1] == "--put":
        tool, sent = "PUT", f"curl -T {' '.join(sys.argv[2:])}"
        answer, is_error = _put(Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
    else:
        tool, arguments = sys.argv[1], _arguments(sys.argv[2] if len(sys.argv) > 2 else "{}")
        sent = json.dumps(arguments, ensure_ascii=False)
        answer, is_error = _call(access, _token(access, task), tool, arguments)
    line = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "task": task,
        "tool": tool,
        "is_error": is_error,
        "characters": [len(sent), len(answer)],
        "sent": sent,
        "answer": answer,
    }
    with (HERE / "calls.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    print(answer)
    return 1 if is_error else 0


def _token(access: dict[str, Any], task: str) -> str:
    return os.environ.get("BLOG_TOKEN") or access["tokens"]["writer" if task in WRITER_TASKS else "editor"]


def _arguments(text: str) -> Any:
    return json.loads(Path(text[1:]).read_text("utf-8") if text.startswith("@") else text)


def _listed(access: dict[str, Any], token: str) -> str:
    """Return what a client shows its model once: the instructions, and each tool with description and input schema."""
    client = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "call.py", "version": "1"}}
    instructions = _send(access, token, "initialize", client)["result"]["instructions"]
    tools = _send(access, token, "tools/list", {})["result"]["tools"]
    shown = [
        {"name": tool["name"], "description": tool["description"], "input_schema": tool["inputSchema"]}
        for tool in tools
    ]
    return "\n".join([instructions, "", *(json.dumps(tool, ensure_ascii=False) for tool in shown)])


def _call(access: dict[str, Any], token: str, tool: str, arguments: Any) -> tuple[str, bool]:
    reply = _send(access, token, "tools/call", {"name": tool, "arguments": arguments})
    if "error" in reply:
        return json.dumps(reply["error"], ensure_ascii=False), True
    result = reply["result"]
    return "\n".join(block["text"] for block in result["content"] if "text" in block), result.get("isError", False)


def _send(access: dict[str, Any], token: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
    }
    status, answer = _request("POST", f"{access['url']}/blog/mcp", json.dumps(message).encode(), headers)
    try:
        reply: dict[str, Any] = json.loads(answer)
    except ValueError:
        return {"error": f"{status}: {answer[:500]}"}
    return reply if {"result", "error"} & reply.keys() else {"error": reply}


def _put(file: Path, url: str, headers: list[str]) -> tuple[str, bool]:
    named = dict(header.split(": ", 1) for header in headers)
    named.setdefault("Content-Type", mimetypes.guess_type(file.name)[0] or "application/octet-stream")
    status, answer = _request("PUT", url, file.read_bytes(), named)
    return answer, status >= 400


def _request(method: str, url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    if not url.startswith(("http://", "https://")):
        return 400, "Send only to a URL that begins with http."
    request = Request(url, body, headers, method=method)  # noqa: S310 - the scheme is checked
    try:
        # A proxy of the machine cannot reach the blog.
        with build_opener(ProxyHandler({})).open(request, timeout=120) as response:
            return response.status, response.read().decode()
    except HTTPError as refused:
        return refused.code, refused.read().decode()
    except URLError as fault:
        raise SystemExit(f"Nothing answers at {url}: {fault.reason}. The site has to be served first.") from fault


if __name__ == "__main__":
    sys.exit(main())
