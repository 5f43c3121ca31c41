"""From the outcome of an operation to the response."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.api.conftest import BASE
from tests.requirements import requirement
from tests.support.clients import assert_json, client_with, refusal_in
from tests.support.tables import undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plumbing")]

NOTES = f"{BASE}/notes"


@requirement("api.answers.no-store", "api.input.accept")
def test_an_answer_is_plain_json() -> None:
    response = client_with("read").get(f"{NOTES}?text=%C3%89t%C3%A9", headers={"Accept": "text/html"})

    assert_json(response)
    assert response.content.decode() == (
        '{"actor":"Ada","base_url":"https://example.com","input":{"text":"Été"},"in_transaction":true}'
    )
    assert "Allow" not in response.headers
    assert "Accept" not in response.headers.get("Vary", "").split(", ")


@requirement("api.answers.no-store")
def test_an_operation_without_an_answer_gives_204() -> None:
    response = client_with("publish").delete(f"{NOTES}/1")

    assert (response.status_code, response.content) == (204, b"")
    assert "Content-Type" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    assert "RateLimit-Limit" in response.headers


@requirement("api.paths.head")
def test_head_answers_like_get_without_the_body() -> None:
    response = client_with("read").head(NOTES)

    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["Content-Type"] == "application/json"


@requirement("api.paths.unknown", "api.paths.unauthenticated")
def test_an_unknown_path_is_not_found_before_anybody_is_asked_who_they_are(subtests: pytest.Subtests) -> None:
    for path in ["", "/", "/v1", "/v1/", "/v1/other", "/v1/notes/1/other", "/v1/notes/1/2/3", "/v2/notes"]:
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "FOO"]:
            with subtests.test(method=method, path=path), undone():
                response = Client().generic(method, f"/journal/api{path}")

                if method == "HEAD":
                    assert (response.status_code, response.headers["Content-Type"]) == (404, "application/json")
                else:
                    assert refusal_in(response) == (404, "not_found", [])


@requirement("api.paths.unknown", "api.paths.unauthenticated")
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/notes", "GET, HEAD, POST"),
        ("DELETE", "/notes", "GET, HEAD, POST"),
        ("OPTIONS", "/notes", "GET, HEAD, POST"),
        ("FOO", "/notes/", "GET, HEAD, POST"),
        ("PUT", "/notes/1", "DELETE, GET, HEAD"),
        ("POST", "/notes/1", "DELETE, GET, HEAD"),
        ("OPTIONS", "/notes/1/seal", "POST"),
        ("GET", "/notes/1/seal/", "POST"),
        ("HEAD", "/notes/1/seal", "POST"),
    ],
)
def test_another_method_is_refused_before_anybody_is_asked_who_they_are(method: str, path: str, allowed: str) -> None:
    response = Client().generic(method, BASE + path)

    assert (response.status_code, response.headers["Allow"]) == (405, allowed)
    assert method == "HEAD" or refusal_in(response) == (405, "method_not_allowed", [])
    assert "WWW-Authenticate" not in response.headers


@requirement("api.paths.slash")
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/notes", 200), ("POST", "/notes", 201), ("GET", "/notes/1", 200), ("POST", "/notes/1/seal", 409)],
)
def test_a_trailing_slash_changes_nothing(method: str, path: str, status: int) -> None:
    client = client_with("read", "write")

    answers = [
        client.generic(method, BASE + path + slash, "{}", content_type="application/json") for slash in ("", "/")
    ]

    assert [answer.status_code for answer in answers] == [status, status]
    assert answers[0].content == answers[1].content


@requirement("api.answers.unavailable")
def test_a_database_out_of_reach_is_503_with_a_time_to_wait() -> None:
    response = client_with("read").get(f"{NOTES}/1/gone")

    assert refusal_in(response) == (503, "unavailable", [])
    assert response.headers["Retry-After"] == "1"


def test_a_bug_reaches_the_host() -> None:
    with pytest.raises(KeyError, match="seven"):
        client_with("read").get(f"{NOTES}/seven/broken")


@requirement("refusals.internal")
@pytest.mark.parametrize("debug", [False, True])
def test_a_bug_is_answered_in_the_envelope_without_a_word_of_it(
    settings: Settings, debug: bool, caplog: pytest.LogCaptureFixture
) -> None:
    settings.DEBUG = debug
    client = client_with("read")
    client.raise_request_exception = False

    response = client.get(f"{NOTES}/seven/broken")

    assert refusal_in(response) == (500, "internal_error", [])
    assert b"seven" not in response.content
    assert b"KeyError" not in response.content
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert (record.name, record.getMessage()) == (
        "django.request",
        f"Internal Server Error: {NOTES}/seven/broken",
    )
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], KeyError)
