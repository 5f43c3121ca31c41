"""A read-only database, such as a standby after a failover: reads work, writes are unavailable."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from blog_engine.models import ApiToken
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in, tool_answer, tool_refusal
from tests.support.factories import save
from tests.support.integrity import assert_nothing_is_half, rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("storage")]

POSTS = "/blog/api/v1/posts"


@contextmanager
def read_only() -> Iterator[None]:
    """Make the database read-only while the block runs."""
    on, off = (
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF")
        if connection.vendor == "sqlite"
        else ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off")
    )
    with connection.cursor() as cursor:
        cursor.execute(on)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(off)


def edit(client: Client) -> Any:
    return client.patch(f"{POSTS}/frost", {"title": "Ice", "change": "maintenance"}, content_type="application/json")


@requirement("host.faults.disk", "api.answers.unavailable")
def test_a_read_only_database_is_read_and_writes_are_unavailable() -> None:
    save(slug="frost", title="Frost", publish=True)
    editor = client_with("read", "write", "publish")
    before = rows()

    with read_only():
        written = edit(editor)
        by_tool = tool_refusal(editor, "blog_update_post", {"id": "frost", "title": "Ice"})
        listed = editor.get(POSTS)
        title = tool_answer(editor, "blog_get_post", {"id": "frost"})["title"]
        pages = [Client().get(f"/blog/{path}").status_code for path in ("", "frost", "search?q=frost", "feed.xml")]

    assert refusal_in(written) == (503, "unavailable", [])
    assert written.headers["Retry-After"] == "1"
    assert by_tool == ("unavailable", [])
    assert [post["slug"] for post in listed.json()["posts"]] == ["frost"]
    assert (title, pages) == ("Frost", [200] * 4)
    assert (rows(), ApiToken.objects.get().last_used_at) == (before, None)
    assert edit(editor).status_code == 200
    assert_nothing_is_half()
