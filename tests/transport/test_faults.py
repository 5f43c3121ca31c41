"""A database out of reach is 503 with a time to wait, a bug is 500 without its message."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import Interface, refusal_in
from tests.support.tables import Locked, failing

pytestmark = pytest.mark.django_db

FAULTS = pytest.mark.parametrize(
    ("cause", "code"), [(None, "unavailable"), (Locked("database is locked"), "busy")], ids=["gone", "locked"]
)
SECRET_WORDS = "a password in an exception"


class Bug(Exception):
    """An unexpected exception."""


def broken(*_: Any) -> Any:
    """A hook with a bug."""
    raise Bug(SECRET_WORDS)


@requirement("api.answers.unavailable", "api.answers.busy")
@FAULTS
@pytest.mark.parametrize("body", [b"{", b"[]", None], ids=["not JSON", "list", "valid"])
def test_without_a_database_no_caller_is_authenticated(
    interface: Interface, writer: Client, body: bytes | None, cause: Exception | None, code: str
) -> None:
    sent = {} if body is None else {"data": body}

    with failing(table="blog_engine_apitoken", cause=cause):
        response = interface.save(writer, **sent)

    assert refusal_in(response) == (503, code, [])
    assert response.headers["Retry-After"] == "1"
    assert "WWW-Authenticate" not in response.headers


@requirement("api.answers.unavailable", "api.answers.busy")
@FAULTS
def test_an_operation_reports_a_failing_database(
    interface: Interface, writer: Client, cause: Exception | None, code: str
) -> None:
    with failing(table="blog_engine_post", cause=cause):
        response = interface.save(writer)

    interface.assert_refused(response, (503, code, []))
    assert not Post.objects.exists()


@requirement("refusals.internal")
@pytest.mark.parametrize("debug", [False, True])
def test_a_bug_of_a_hosts_authentication_is_internal(
    interface: Interface, settings: Settings, with_settings: Callable[..., None], debug: bool
) -> None:
    settings.DEBUG = debug
    with_settings(authenticate=broken)

    response = interface.read(Client(raise_request_exception=False))

    assert refusal_in(response) == (500, "internal_error", [])
    assert SECRET_WORDS not in response.content.decode()
    assert "Bug" not in response.content.decode()
