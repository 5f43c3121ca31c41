"""The few methods of Django's test client that the crowd of ``tests/concurrency`` uses, for a served site."""

import time
from typing import Any

import httpx

from tests.load.ledger import Ledger


class RemoteClient:
    """Responses are those of ``httpx``: the crowd uses only status and JSON."""

    def __init__(self, http: httpx.Client, ledger: Ledger) -> None:
        self._http = http
        self._ledger = ledger

    def generic(self, method: str, path: str, body: str = "", *, content_type: str = "") -> httpx.Response:
        return self._send(method, path, content=body, headers={"Content-Type": content_type})

    def post(self, path: str, data: dict[str, Any]) -> httpx.Response:
        file = data["file"]
        return self._send("POST", path, files={"file": (file.name, file.read(), file.content_type)})

    def get(self, path: str) -> httpx.Response:
        return self._send("GET", path)

    def _send(self, method: str, path: str, **sent: Any) -> httpx.Response:
        start = time.monotonic()
        answer = self._http.request(method, path, **sent)
        code = answer.json()["error"]["code"] if answer.status_code >= 400 else ""
        noun = path.removeprefix("/blog/api/v1/").partition("?")[0].split("/")[0]
        self._ledger.note(f"crowd {method} {noun}", answer.status_code, time.monotonic() - start, code=code)
        return answer
