"""A bug is answered with the error envelope without its message: logged, reported and rolled back."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.signals import got_request_exception
from django.db import connection
from django.test import Client
from pytest_django import Settings

from blog_engine.actor import Actor, Scope
from blog_engine.mcp import definitions
from tests.requirements import requirement
from tests.support.clients import call_of, make_secret, post, refusal_in, request, result_of, stateless
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db(transaction=True)

API = "/blog/api/v1"
SECRET_WORDS = "a password in an exception"
INTERNAL = (500, "internal_error", [])


class Bug(Exception):
    """An unexpected exception."""


@contextmanager
def bug_at(*, statement: str) -> Iterator[None]:
    """Raise a bug in every statement that contains these words."""

    def fail(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if statement in sql:
            raise Bug(SECRET_WORDS)
        return execute(sql, *rest)

    with connection.execute_wrapper(fail):
        yield


@pytest.fixture
def editor() -> Client:
    """Return a client with all scopes that gets a response instead of the exception."""
    return Client(headers={"Authorization": f"Bearer {make_secret(scopes=Scope)}"}, raise_request_exception=False)


@pytest.fixture
def reported() -> Iterator[list[Any]]:
    """The requests whose exceptions were signalled to error reporters."""
    heard: list[Any] = []

    def hear(request: Any = None, **_: Any) -> None:
        heard.append(request.path)

    got_request_exception.connect(hear)
    yield heard
    got_request_exception.disconnect(hear)


def bugs_in(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, type[BaseException] | None]]:
    """Return logger, message and exception of each logged error, except the lines of writes."""
    return [
        (record.name, record.getMessage(), record.exc_info[0] if record.exc_info else None)
        for record in caplog.records
        if record.levelno >= logging.ERROR and record.name != "blog_engine.writes"
    ]


LATE = 'INSERT INTO "blog_engine_publication"'
"""The last but one row that a publication stores."""


@requirement("refusals.internal", "refusals.nothing-written")
def test_a_bug_of_the_api_is_internal_and_rolled_back(
    editor: Client, reported: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    save(slug="frost", title="Frost")
    before = stored_beside_tokens()

    with bug_at(statement=LATE):
        answer = editor.post(f"{API}/posts/frost/publish", {"title": "Ice"}, content_type="application/json")

    assert refusal_in(answer) == INTERNAL
    assert SECRET_WORDS not in answer.content.decode()
    assert answer.headers["RateLimit-Limit"]
    assert stored_beside_tokens() == before
    assert reported == [f"{API}/posts/frost/publish"]
    assert bugs_in(caplog) == [("django.request", f"Internal Server Error: {API}/posts/frost/publish", Bug)]


@requirement("refusals.internal", "refusals.nothing-written")
@pytest.mark.parametrize("described", [False, True])
def test_a_bug_of_a_tool_is_a_result_and_rolled_back(
    editor: Client, reported: list[Any], caplog: pytest.LogCaptureFixture, described: bool
) -> None:
    save(slug="frost", title="Frost")
    before = stored_beside_tokens()
    message = call_of("blog_publish_post", {"id": "frost", "title": "Ice"})

    with bug_at(statement=LATE):
        answer = post(editor, *stateless(message)) if described else post(editor, message)

    result = result_of(answer)
    error = result["structuredContent"]["error"]
    assert (result["isError"], error["code"], error["details"]) == (True, "internal_error", [])
    assert SECRET_WORDS not in answer.content.decode()
    assert stored_beside_tokens() == before
    assert reported == ["/blog/mcp"]
    assert bugs_in(caplog) == [("django.request", "Internal Server Error: /blog/mcp", Bug)]


@requirement("refusals.internal")
def test_a_bug_of_another_method_is_a_500_of_the_transport(editor: Client, caplog: pytest.LogCaptureFixture) -> None:
    with bug_at(statement="blog_engine_post"):
        answer = post(editor, request("resources/read", {"uri": "blog://posts/frost.md"}))

    assert refusal_in(answer) == INTERNAL
    assert bugs_in(caplog) == [("django.request", "Internal Server Error: /blog/mcp", Bug)]


def broken(*_: Any) -> Any:
    """A hook with a bug."""
    raise Bug(SECRET_WORDS)


@requirement("refusals.internal")
def test_a_bug_of_a_hosts_check_is_internal(settings: Settings, editor: Client) -> None:
    settings.BLOG_ENGINE = blog_settings(before_publish=broken)
    before = stored_beside_tokens()

    answer = editor.post(f"{API}/posts", {"title": "Frost", "publish": True}, content_type="application/json")

    assert refusal_in(answer) == INTERNAL
    assert stored_beside_tokens() == before


@requirement("refusals.internal")
def test_a_bug_while_the_api_is_described_is_internal(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=5)

    answer = Client(raise_request_exception=False).get(f"{API}/schema")

    assert refusal_in(answer) == INTERNAL
    assert len(bugs_in(caplog)) == 1


@requirement("refusals.internal")
def test_a_test_of_a_host_still_sees_its_bug(settings: Settings, editor: Client) -> None:
    settings.BLOG_ENGINE = blog_settings(before_publish=broken)
    editor.raise_request_exception = True

    with pytest.raises(Bug):
        editor.post(f"{API}/posts", {"title": "Frost", "publish": True}, content_type="application/json")
    with pytest.raises(Bug):
        post(editor, call_of("blog_publish_post", {"title": "Frost"}))


def test_a_server_of_the_host_gets_the_bug_itself() -> None:
    [tool] = [tool for tool in definitions() if tool.name == "blog_list_posts"]

    with bug_at(statement="blog_engine_post"), pytest.raises(Bug):
        tool.call({}, Actor("Ada"))
