"""A SQLite database that another writer has locked: writes wait and are busy, reads work."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from blog_engine.models import ApiToken
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in, tool_answer, tool_refusal
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.integrity import assert_nothing_is_half, rows

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("storage")]

POSTS = "/blog/api/v1/posts"
WAIT = 0.3
"""Seconds that a writer of this process waits."""
LONG = 30
"""The same for requests that must not wait: waiting this long fails the test, even on a slow machine."""


class Holder:
    """A writer of another process."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None

    def hold(self, *, while_others_wait: float) -> None:
        """Lock the database; writers of this process wait for this many seconds."""
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {int(while_others_wait * 1000)}")
        self._connection = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        self._connection.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        """Release the lock."""
        if self._connection is not None:
            self._connection.close()


@pytest.fixture
def editor() -> Client:
    return client_with("read", "write", "publish")


@pytest.fixture
def holder(editor: Client) -> Iterator[Holder]:
    """A writer that can lock the database, which has a public post."""
    save(slug="frost", title="Frost", body="Cold.", publish=True)
    holder = Holder()
    yield holder
    holder.let_go()
    connection.close()


@contextmanager
def no_waiting() -> Iterator[None]:
    """Check that the block takes almost no time."""
    start = time.monotonic()
    yield
    assert time.monotonic() - start < LONG / 2


def edit(client: Client) -> Any:
    sent = {"title": "Ice", "change": "maintenance"}
    return client.patch(f"{POSTS}/frost", sent, content_type="application/json")


@requirement("host.faults.locked", "api.answers.busy")
def test_writers_wait_for_the_timeout_and_get_retry_after(editor: Client, holder: Holder) -> None:
    before = rows()
    holder.hold(while_others_wait=WAIT)
    start = time.monotonic()

    response = edit(editor)

    assert WAIT <= time.monotonic() - start < LONG
    assert refusal_in(response) == (503, "busy", [])
    assert response.headers["Retry-After"] == "1"
    assert tool_refusal(editor, "blog_update_post", {"id": "frost", "title": "Ice"}) == ("busy", [])
    assert rows() == before
    holder.let_go()
    assert edit(editor).status_code == 200
    assert_nothing_is_half()


@requirement("host.faults.locked")
@pytest.mark.parametrize("last_used", [None, timedelta(0), timedelta(days=1)], ids=["never", "just now", "yesterday"])
def test_callers_read_without_waiting_whenever_their_token_was_used(
    editor: Client, holder: Holder, last_used: timedelta | None
) -> None:
    ApiToken.objects.update(last_used_at=None if last_used is None else timezone.now() - last_used)
    holder.hold(while_others_wait=LONG)

    with no_waiting():
        listed = editor.get(POSTS)
        got = tool_answer(editor, "blog_get_post", {"id": "frost"})

    assert [post["slug"] for post in listed.json()["posts"]] == ["frost"]
    assert got["title"] == "Frost"


@requirement("host.faults.locked", "access.tokens.revoke")
def test_a_revoked_token_is_refused_while_the_database_is_locked(editor: Client, holder: Holder) -> None:
    assert editor.get(POSTS).status_code == 200
    ApiToken.objects.update(revoked_at=timezone.now())
    holder.hold(while_others_wait=LONG)

    with no_waiting():
        assert refusal_in(editor.get(POSTS))[:2] == (401, "unauthenticated")


@requirement("host.faults.locked")
@pytest.mark.parametrize("path", ["", "frost", "frost.md", "search?q=frost", "search.json?q=frost", "feed.xml"])
def test_readers_notice_nothing(settings: Settings, holder: Holder, path: str) -> None:
    settings.BLOG_ENGINE = blog_settings(popular_posts={"enabled": True})
    holder.hold(while_others_wait=LONG)

    with no_waiting():
        assert Client().get(f"/blog/{path}").status_code == 200


@requirement("host.faults.locked")
def test_a_caller_known_by_the_host_reads_too(settings: Settings, holder: Holder) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate=lambda request: SimpleNamespace(name="Eve"))
    holder.hold(while_others_wait=WAIT)

    assert Client().get(POSTS).status_code == 200
    assert refusal_in(edit(Client())) == (503, "busy", [])


@requirement("host.faults.disk", "api.answers.unavailable")
def test_a_database_that_cannot_grow_is_unavailable_for_writes_and_is_read(editor: Client, settings: Settings) -> None:
    save(slug="frost", title="Frost", body="Cold.", publish=True)
    large = {"title": "Ice", "body": "cold " * 40_000}
    before = rows()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        [pages] = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")

    response = editor.post(POSTS, large, content_type="application/json")
    by_tool = tool_refusal(editor, "blog_save_draft", large)

    assert refusal_in(response) == (503, "unavailable", [])
    assert response.headers["Retry-After"] == "1"
    assert by_tool == ("unavailable", [])
    assert rows() == before
    assert [post["slug"] for post in editor.get(POSTS).json()["posts"]] == ["frost"]
    assert Client().get("/blog/frost").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1000000")
    assert editor.post(POSTS, large, content_type="application/json").status_code == 201
    assert_nothing_is_half()
