"""Page views that wait in memory, and when they are stored."""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from threading import Event, Thread
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.models import PageView, Post
from blog_engine.reader import view_buffer
from blog_engine.reader.view_buffer import ENOUGH, ViewBuffer, waiting_views
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import person, total

DAY, NEXT_DAY = date(2026, 11, 22), date(2026, 11, 23)


@pytest.fixture
def posts(transactional_db: None, settings: Settings) -> Iterator[list[Post]]:
    """A public post and a draft of a blog that keeps its views in memory."""
    settings.BLOG_ENGINE = blog_settings(view_counting="buffered")
    yield [save(slug="soil", publish=True).post, save(slug="sea").post]
    waiting_views.flush()


def stored() -> list[tuple[str, date, int]]:
    return list(PageView.objects.order_by("post_id", "day").values_list("post__slug", "day", "views"))


def wait_for(views: int) -> None:
    pause = Event()
    for _ in range(1500):
        if total() == views:
            return
        pause.wait(0.02)
    assert total() == views


@requirement("page-views.buffered")
def test_a_view_waits_in_memory_until_it_is_stored(posts: list[Post]) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert person().get("/soil").status_code == 200
    assert not [query for query in queries if "pageview" in query["sql"]]
    assert total() == 0

    waiting_views.flush()

    assert total() == 1


@requirement("page-views.buffered", "page-views.concurrency")
def test_no_view_of_several_threads_is_lost(posts: list[Post]) -> None:
    buffer = ViewBuffer()

    def read() -> None:
        for number in range(300):
            buffer.add(posts[number % 2].pk, DAY if number % 3 else NEXT_DAY, within=0 if number % 50 == 0 else 60)

    readers = [Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    buffer.flush()

    assert stored() == [("soil", DAY, 400), ("soil", NEXT_DAY, 200), ("sea", DAY, 400), ("sea", NEXT_DAY, 200)]


@requirement("page-views.buffered")
def test_views_are_stored_once_they_are_due_although_nobody_else_reads(posts: list[Post]) -> None:
    buffer = ViewBuffer()

    for post in posts:
        buffer.add(post.pk, DAY, within=0.01)
        wait_for(post.pk - posts[0].pk + 1)

    assert stored() == [("soil", DAY, 1), ("sea", DAY, 1)]


@requirement("page-views.buffered")
def test_a_thousand_views_are_stored_before_they_are_due(posts: list[Post]) -> None:
    buffer = ViewBuffer()

    for _ in range(ENOUGH):
        buffer.add(posts[0].pk, DAY, within=3600)

    wait_for(ENOUGH)


def test_views_are_stored_in_one_statement_in_one_order(posts: list[Post]) -> None:
    buffer = ViewBuffer()
    for post in reversed(posts):
        for day in (NEXT_DAY, DAY):
            buffer.add(post.pk, day, within=3600)

    with CaptureQueriesContext(connection) as queries:
        buffer.flush()

    assert len(queries) == 1
    assert list(PageView.objects.order_by("pk").values_list("post_id", "day")) == [
        (post.pk, day) for post in posts for day in (DAY, NEXT_DAY)
    ]


def test_more_totals_than_a_statement_takes_are_all_stored(posts: list[Post]) -> None:
    buffer = ViewBuffer()
    for number in range(700):
        buffer.add(posts[0].pk, date.fromordinal(DAY.toordinal() + number), within=3600)

    buffer.flush()

    assert PageView.objects.count() == 700


@requirement("page-views.failures")
def test_a_post_that_is_gone_counts_nothing_and_costs_no_others(posts: list[Post]) -> None:
    buffer = ViewBuffer()
    for post in posts:
        buffer.add(post.pk, DAY, within=3600)
    posts[1].discard()

    buffer.flush()

    assert stored() == [("soil", DAY, 1)]


def refusing(fault: Exception, *, only: int | None = None) -> Any:
    """Make the statements that count views fail; ``only`` those with this post id."""

    def refuse(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        # Each total has three values. A post whose id is 1 must not be mistaken for a number of views.
        if "pageview" in sql and (only is None or only in params[::3]):
            raise fault
        return execute(sql, params, *rest)

    return connection.execute_wrapper(refuse)


@requirement("page-views.failures")
def test_a_total_that_the_database_refuses_costs_no_others(posts: list[Post], caplog: pytest.LogCaptureFixture) -> None:
    buffer = ViewBuffer()
    for post in posts:
        buffer.add(post.pk, DAY, within=3600)

    with refusing(IntegrityError("no such post"), only=posts[0].pk):
        buffer.flush()
    buffer.flush()

    assert stored() == [("sea", DAY, 1)]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


@requirement("page-views.buffered")
def test_views_wait_for_a_database_that_is_gone(posts: list[Post], caplog: pytest.LogCaptureFixture) -> None:
    buffer = ViewBuffer()
    for post in posts:
        buffer.add(post.pk, DAY, within=3600)

    with refusing(OperationalError("the connection was closed")):
        buffer.flush()
    buffer.add(posts[0].pk, DAY, within=3600)
    buffer.flush()

    assert stored() == [("soil", DAY, 2), ("sea", DAY, 1)]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@requirement("page-views.buffered")
def test_no_more_totals_wait_than_fit(
    posts: list[Post], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(view_buffer, "MOST_TOTALS", 10)
    buffer = ViewBuffer()
    for day in [*range(1, 16), 1]:
        buffer.add(posts[0].pk, date(2026, 11, day), within=3600)

    buffer.flush()

    assert (PageView.objects.count(), total()) == (10, 11)
    assert "5 page views were not counted" in caplog.text


@requirement("page-views.buffered")
@pytest.mark.sqlite
def test_views_wait_for_a_database_that_is_locked(posts: list[Post]) -> None:
    buffer = ViewBuffer()
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        buffer.add(posts[0].pk, DAY, within=3600)
        buffer.flush()
        assert total() == 0
        writer.execute("ROLLBACK")
    connection.close()

    wait_for(1)


@requirement("page-views.immediate")
@pytest.mark.django_db
def test_a_view_inside_a_transaction_is_counted_at_once(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(view_counting="buffered")
    save(slug="soil", publish=True)

    person().get("/soil")

    assert total() == 1


def test_views_of_a_database_that_was_left_are_dropped(
    posts: list[Post], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    buffer = ViewBuffer()
    with monkeypatch.context() as elsewhere:
        elsewhere.setitem(connection.settings_dict, "NAME", "another")
        buffer.add(posts[0].pk, DAY, within=3600)
    buffer.flush()
    with monkeypatch.context() as elsewhere:
        elsewhere.setitem(connection.settings_dict, "NAME", "another")
        buffer.add(posts[0].pk, DAY, within=3600)
    buffer.add(posts[1].pk, DAY, within=3600)
    buffer.flush()

    assert stored() == [("sea", DAY, 1)]
    assert not caplog.records


def test_a_pattern_that_the_host_changes_counts_at_once(posts: list[Post], settings: Settings) -> None:
    person("Reader/1").get("/soil")
    settings.BLOG_ENGINE = blog_settings(page_view_bot_pattern="Reader")
    person("Reader/1").get("/soil")
    waiting_views.flush()

    assert total() == 1
