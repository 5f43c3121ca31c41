"""Many readers at once, and readers with writers, in real transactions."""

import sqlite3
from contextlib import closing
from datetime import date
from threading import Event

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.models import PageView, Post
from blog_engine.services import count_view
from blog_engine.services._transaction import lock_post, write_transaction
from tests.concurrency.races import Held, queued_behind, race, together
from tests.requirements import requirement
from tests.support.factories import NOW, save, update

pytestmark = pytest.mark.django_db(transaction=True)

READERS = 8
VIEWS = 25


@requirement("page-views.concurrency")
def test_no_view_is_lost_among_many_readers() -> None:
    posts = [save(slug=f"p{number}").post for number in range(2)]

    def read() -> None:
        for number in range(VIEWS):
            count_view(posts[number % 2].pk, now=NOW)

    together(*(read for _ in range(READERS)))

    rows = PageView.objects.order_by("post_id").values_list("post__slug", "day", "views")
    assert list(rows) == [("p0", date(2026, 11, 21), 13 * READERS), ("p1", date(2026, 11, 21), 12 * READERS)]


@requirement("page-views.concurrency")
def test_no_request_is_lost_among_many_readers() -> None:
    save(slug="p", publish=True)

    def read() -> set[int]:
        reader = Client(headers={"User-Agent": "Mozilla/5.0"})
        return {reader.get("/blog/p").status_code for _ in range(5)}

    assert together(*(read for _ in range(4))) == [{200}] * 4
    assert_counted(20)


@requirement("page-views.concurrency", "page-views.immediate")
@pytest.mark.sqlite
def test_a_view_of_a_locked_database_is_counted_later() -> None:
    post = save(slug="p", publish=True).post
    reader = Client(headers={"User-Agent": "Mozilla/5.0"})
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with CaptureQueriesContext(connection) as queries:
            assert [reader.get("/blog/p").status_code for _ in range(3)] == [200] * 3
        tries = [query["sql"] for query in queries if "blog_engine_pageview" in query["sql"]]
        with connection.cursor() as cursor:
            (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        assert (len(tries), patience, PageView.objects.count()) == (3, 5000, 0)
        writer.execute("ROLLBACK")

    assert_counted(3)
    assert PageView.objects.get().post == post


@pytest.mark.sqlite
def test_a_view_that_must_not_wait_fails_at_once() -> None:
    post = save().post
    with connection.cursor() as cursor:
        # A request that waits would take longer than the test allows.
        cursor.execute("PRAGMA busy_timeout = 3600000")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")

        with pytest.raises(OperationalError):
            count_view(post.pk, now=NOW, waits=False)

        writer.execute("ROLLBACK")
    connection.close()


def assert_counted(views: int) -> None:
    """Wait until this many views are counted; a view that finds the database locked is retried a second later."""
    pause = Event()
    for _ in range(200):
        if sum(PageView.objects.values_list("views", flat=True)) == views:
            return
        pause.wait(0.1)
    assert sum(PageView.objects.values_list("views", flat=True)) == views


@requirement("page-views.concurrency")
@pytest.mark.postgres
@pytest.mark.parametrize("had_views", [False, True])
def test_a_view_does_not_wait_for_an_editor(had_views: bool) -> None:
    post = save(publish=True).post
    if had_views:
        count_view(post.pk, now=NOW)

    def view() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        count_view(post.pk, now=NOW)

    with write_transaction():
        edited = lock_post(post.pk)
        assert edited is not None
        edited.title = "New"
        edited.store(update_fields=["title"])
        # On another connection, while this one has changed and locked the post.
        together(view)
        assert PageView.objects.get().views == 1 + had_views

    assert Post.objects.get().title == "New"


@pytest.mark.postgres
def test_the_first_view_of_a_day_and_a_new_slug_are_both_kept(held: Held) -> None:
    post = save(publish=True, slug="old").post

    edited, _ = race(held, lambda: update(post, slug="new"), lambda: count_view(post.pk, now=NOW))

    assert (edited.post.slug, PageView.objects.get().views) == ("new", 1)


@requirement("page-views.failures")
@pytest.mark.postgres
def test_a_view_that_meets_the_deletion_of_its_post_is_not_counted() -> None:
    post = save().post

    def view() -> str:
        try:
            count_view(post.pk, now=NOW)
        except IntegrityError:
            return "refused"
        return "counted"

    gone = post.pk
    with queued_behind(lambda: view()) as late:
        with write_transaction():
            lock_post(gone)
            Post.objects.get().discard()
            post.pk = gone
            late.start()
        outcomes = late.all()

    assert outcomes == ["refused"]
    assert (Post.objects.exists(), PageView.objects.exists()) == (False, False)
