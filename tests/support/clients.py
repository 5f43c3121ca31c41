"""Tokens, clients that call with them, and what an answer says."""

import json
from collections.abc import Iterable
from datetime import datetime
from http.client import HTTPConnection
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from blog_engine.actor import Call, Scope
from blog_engine.operations.base import Operation, execute
from blog_engine.services.tokens import create_token
from tests.support.factories import EDITOR, NOW


def make_secret(*, name: str = "Ada", scopes: Iterable[str] = tuple(Scope), expires_at: datetime | None = None) -> str:
    """The secret of a new token."""
    return create_token(name, scopes=scopes, expires_at=expires_at, now=timezone.now()).secret


def client_with(*scopes: str) -> Client:
    """A client whose token has these scopes."""
    return Client(headers={"Authorization": f"Bearer {make_secret(scopes=scopes)}"})


def refusal_in(response: HttpResponse) -> tuple[int, str, list[str]]:
    """Return status, code and details of a refusal, whose envelope must have exactly its keys."""
    assert_json(response)
    body: dict[str, Any] = response.json()  # type: ignore[attr-defined]  # added by the test client
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"code", "message", "details"}
    assert body["error"]["message"]
    return response.status_code, body["error"]["code"], body["error"]["details"]


def assert_json(response: HttpResponse) -> None:
    """Check that a response is JSON, not cached, and sets no cookie."""
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


def send_head(server: HTTPConnection, path: str, headers: dict[str, str]) -> None:
    """Send the head of a POST request; the length of its body stands there only if ``headers`` name it."""
    server.putrequest("POST", path)
    for name, value in headers.items():
        server.putheader(name, value)
    server.endheaders()


def answer_on(server: HTTPConnection) -> tuple[int, Any]:
    """The status and the JSON of the answer."""
    response = server.getresponse()
    return response.status, json.loads(response.read())


def refusal_on(server: HTTPConnection) -> tuple[int, str, list[str]]:
    """Status, code and details of a refusal."""
    status, body = answer_on(server)
    return status, body["error"]["code"], body["error"]["details"]


CALL = Call(actor=EDITOR, now=NOW, base_url="https://example.com")


def call_operation(
    op: Operation[Any, Any], raw: dict[str, Any] | None = None, *, call: Call = CALL, **fixed: Any
) -> Any:
    """Return the answer to an editor, or ``None``; ``fixed`` are the values from the path."""
    answer = execute(op, raw or {}, call, fixed=fixed)
    return answer.model_dump(mode="json") if answer else None
