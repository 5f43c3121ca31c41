"""Reading over the API or as an agent writes only, once a minute, when the token was used."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.actor import Scope
from blog_engine.mcp import definitions
from blog_engine.models import ApiToken
from tests.mcp.parity import SUCCESSES, corresponding
from tests.requirements import requirement
from tests.support.blogs import TODAY, named
from tests.support.blogs import small as small
from tests.support.clients import ask, client_with, refusal_in, tool_answer

_WRITES = re.compile(
    r"\s*(INSERT|UPDATE|DELETE|REPLACE|MERGE|CREATE|ALTER|DROP|TRUNCATE)\b|.*\bFOR UPDATE\b", re.DOTALL
)

READERS = {tool.name for tool in definitions() if tool.scope is Scope.READ}
READING = [case for case in SUCCESSES if case.tool in READERS]


@contextmanager
def counted_writes() -> Iterator[list[str]]:
    """Collect the statements of the block that write or lock rows."""
    written: list[str] = []
    with CaptureQueriesContext(connection) as queries:
        yield written
    written += [query["sql"] for query in queries if _WRITES.match(query["sql"])]


def read_everything(client: Client) -> int:
    """Make every call that reads, over the API and as a tool; return their number."""
    for case in READING:
        arguments = named(case.arguments)
        tool_answer(client, case.tool, arguments)
        assert corresponding(case.tool, arguments).by(client).status_code == 200
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list", "skills/list"):
        ask(client, method)
    ask(client, "resources/read", {"uri": "blog://posts/harbour.md"})
    posts = {"type": "ref/resource", "uri": "blog://posts/{slug}.md"}
    ask(client, "completion/complete", {"ref": posts, "argument": {"name": "slug", "value": "h"}})
    return 2 * len(READING)


@requirement("access.tokens.last-use")
@pytest.mark.usefixtures("small")
def test_reading_for_a_minute_notes_the_use_of_the_token_once() -> None:
    client = client_with(*Scope)

    with counted_writes() as first:
        calls = read_everything(client)
    with time_machine.travel(TODAY + timedelta(seconds=59), tick=False), counted_writes() as second:
        tool_answer(client, "blog_list_posts")
        client.get("/blog/api/v1/posts")
    with time_machine.travel(TODAY + timedelta(seconds=60), tick=False), counted_writes() as third:
        tool_answer(client, "blog_list_posts")
        client.get("/blog/api/v1/posts")

    assert calls >= 60
    assert {case.tool for case in READING} == READERS
    assert [statement.startswith('UPDATE "blog_engine_apitoken" SET "last_used_at"') for statement in first] == [True]
    assert second == []
    assert [statement.startswith('UPDATE "blog_engine_apitoken" SET "last_used_at"') for statement in third] == [True]


@requirement("access.tokens.last-use", "access.tokens.revoke")
@pytest.mark.usefixtures("small")
def test_a_token_whose_use_is_not_noted_again_is_refused_as_soon_as_it_is_revoked() -> None:
    client = client_with("read")
    tool_answer(client, "blog_list_posts")
    ApiToken.objects.update(revoked_at=TODAY)

    with counted_writes() as written:
        answers = [client.get("/blog/api/v1/posts"), client.post("/blog/mcp", {}, content_type="application/json")]

    assert [refusal_in(answer) for answer in answers] == [(401, "unauthenticated", [])] * 2
    assert written == []
