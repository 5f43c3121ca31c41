"""What tests compare of an answer."""

from typing import Any

from django.http import HttpResponse


def refused(response: HttpResponse) -> tuple[int, str, list[str]]:
    """Status, code and details of a refusal whose envelope has exactly the keys of service.md section 7."""
    assert_json(response)
    body: dict[str, Any] = response.json()  # type: ignore[attr-defined]  # added by the test client
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"code", "message", "details"}
    assert body["error"]["message"]
    return response.status_code, body["error"]["code"], body["error"]["details"]


def assert_json(response: HttpResponse) -> None:
    """JSON, kept by no cache, and no cookie (records.md 1.1)."""
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies
