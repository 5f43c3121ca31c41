"""What a test client cannot send: requests over a socket, to a server that runs."""

import json
from http.client import HTTPConnection
from typing import Any


def send_head(server: HTTPConnection, path: str, headers: dict[str, str]) -> None:
    """Send the head of a POST request; the length of its body stands there only if ``headers`` name it."""
    server.putrequest("POST", path)
    for name, value in headers.items():
        server.putheader(name, value)
    server.endheaders()


def answered(server: HTTPConnection) -> tuple[int, Any]:
    """The status and the JSON of the answer."""
    response = server.getresponse()
    return response.status, json.loads(response.read())


def refused(server: HTTPConnection) -> tuple[int, str, list[str]]:
    """Status, code and details of a refusal."""
    status, body = answered(server)
    return status, body["error"]["code"], body["error"]["details"]
