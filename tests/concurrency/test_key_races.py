"""Calls with one ``Idempotency-Key`` at the same time, and lists that are read on while others write, on PostgreSQL."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import connections
from django.db.models import F
from django.test import Client
from pytest_django import Settings

from blog_engine.errors import RefusedByHost
from blog_engine.models import Category, IdempotencyKey, Post, Publication
from tests.concurrency.races import Held, together
from tests.requirements import requirement
from tests.support.clients import make_secret, refusal_in
from tests.support.factories import save
from tests.support.hosts import blog_settings

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

POSTS = "/blog/api/v1/posts"
FROST = {"title": "Frost", "body": "Frost is a word.", "publish": True}
_PATIENCE = 20


def call(secret: str, sent: dict[str, Any] = FROST, *, key: str = "k1", to: str = "posts") -> Any:
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": key}
    client = Client(raise_request_exception=False)
    return client.post(f"/blog/api/v1/{to}", json.dumps(sent), content_type="application/json", headers=headers)


def with_own_connection(secret: str, sent: dict[str, Any] = FROST) -> Any:
    try:
        return call(secret, sent)
    finally:
        connections.close_all()


@requirement("api.idempotency.other", "api.idempotency.once")
def test_while_the_first_call_is_at_work_the_second_is_refused(held: Held) -> None:
    secret, held.armed = make_secret(), True
    with ThreadPoolExecutor(max_workers=1) as pool:
        first = pool.submit(with_own_connection, secret)
        try:
            assert held.arrived.wait(_PATIENCE)
            same, other = call(secret), call(secret, {**FROST, "title": "Ice"})
            assert not (Post.objects.exists() or IdempotencyKey.objects.exists())
        finally:
            held.go.set()
        answered = first.result(_PATIENCE)

    assert refusal_in(same) == refusal_in(other) == (409, "idempotency_conflict", [])
    assert answered.status_code == 201
    again = call(secret)
    assert (again.status_code, again.content, again.headers["Idempotent-Replayed"]) == (201, answered.content, "true")
    assert refusal_in(call(secret, {**FROST, "title": "Ice"})) == (422, "idempotency_key_reused", [])
    assert (Post.objects.count(), Publication.objects.count()) == (1, 1)


@requirement("api.idempotency")
def test_of_many_calls_at_once_one_writes() -> None:
    secret = make_secret()

    answers = together(*[lambda: call(secret)] * 6)

    assert {answer.status_code for answer in answers} <= {201, 409}
    done = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in done}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in done) == 1
    assert (Post.objects.count(), Publication.objects.count(), IdempotencyKey.objects.count()) == (1, 1, 1)


@requirement("api.idempotency.other")
def test_a_held_key_holds_up_no_other(held: Held) -> None:
    secret, held.armed = make_secret(), True
    with ThreadPoolExecutor(max_workers=1) as pool:
        first = pool.submit(with_own_connection, secret)
        try:
            assert held.arrived.wait(_PATIENCE)
            other = call(secret, {"name": "Ice"}, key="k2", to="categories")
            own = call(make_secret(name="Bea"), {"name": "Snow"}, to="categories")
        finally:
            held.go.set()
        first.result(_PATIENCE)

    assert (other.status_code, own.status_code) == (201, 201)


@requirement("api.idempotency.once")
def test_a_call_that_dies_leaves_neither_write_nor_answer(held: Held) -> None:
    secret, held.armed = make_secret(), True

    def killed() -> int:
        client = Client(headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": "k1"})
        client.raise_request_exception = False
        try:
            return client.post(POSTS, FROST, content_type="application/json").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=1) as pool:
        first = pool.submit(killed)
        assert held.arrived.wait(_PATIENCE)
        with connections["default"].cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND state = 'idle in transaction' AND pid <> pg_backend_pid()"
            )
        held.go.set()
        status = first.result(_PATIENCE)

    assert status >= 500
    assert not (Post.objects.exists() or IdempotencyKey.objects.exists())
    assert call(secret).status_code == 201


@requirement("api.idempotency.kept", "api.idempotency.other")
@pytest.mark.parametrize(("fault", "status"), [(RefusedByHost(["No."]), 422), (KeyError("crash"), 500)])
def test_a_first_call_that_fails_leaves_the_key_to_the_next(settings: Settings, fault: Exception, status: int) -> None:
    arrived, go = Event(), Event()

    def fail(post: object, context: object) -> None:
        arrived.set()
        assert go.wait(_PATIENCE)
        raise fault

    secret = make_secret()
    settings.BLOG_ENGINE = blog_settings(before_publish=fail)
    with ThreadPoolExecutor(max_workers=1) as pool:
        first = pool.submit(with_own_connection, secret)
        try:
            assert arrived.wait(_PATIENCE)
            meanwhile = call(secret)
        finally:
            go.set()
        failed = first.result(_PATIENCE)

    assert refusal_in(meanwhile) == (409, "idempotency_conflict", [])
    assert failed.status_code == status
    assert not (Post.objects.exists() or IdempotencyKey.objects.exists())
    settings.BLOG_ENGINE = blog_settings(before_publish=None)
    assert call(secret, {**FROST, "title": "Ice"}).status_code == 201


@requirement("api.idempotency")
def test_a_day_later_one_of_many_calls_writes_again() -> None:
    secret = make_secret()
    call(secret, {"name": "Food"}, to="categories")
    IdempotencyKey.objects.update(created_at=F("created_at") - timedelta(hours=24, seconds=1))

    answers = together(*[lambda: call(secret, {"name": "Tides"}, to="categories")] * 4)

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert sum(answer.status_code == 201 and "Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert (Category.objects.count(), IdempotencyKey.objects.count()) == (2, 1)


@requirement("api.idempotency.other")
def test_the_same_key_of_two_tokens_writes_twice_at_once() -> None:
    secrets = [make_secret(name="Ada"), make_secret(name="Bea")]

    one, two = together(
        lambda: call(secrets[0], {"name": "Food"}, to="categories"),
        lambda: call(secrets[1], {"name": "Tides"}, to="categories"),
    )

    assert (one.status_code, two.status_code) == (201, 201)
    assert (Category.objects.count(), IdempotencyKey.objects.count()) == (2, 2)


@requirement("api.lists.cursor")
def test_a_list_that_is_read_while_others_write_has_every_row_once() -> None:
    client = Client(headers={"Authorization": f"Bearer {make_secret()}"})
    for number in range(20):
        save(title=f"Frost {number}", slug=f"frost-{number}")
    there, done = set(Post.objects.values_list("pk", flat=True)), Event()

    def write() -> int:
        made = 0
        try:
            while not done.is_set() and made < 200:
                made += 1
                save(title=f"Ice {made}", slug=f"ice-{made}")
        finally:
            connections.close_all()
        return made

    read, cursor = list[int](), ""
    with ThreadPoolExecutor(max_workers=2) as pool:
        writer = pool.submit(write)
        while cursor is not None:
            answer = client.get(POSTS, {"per_page": 3, "cursor": cursor}).json()
            read += [post["id"] for post in answer["posts"]]
            cursor = answer["next_cursor"]
        done.set()
        made = writer.result(_PATIENCE)

    assert made > 0
    assert len(set(read)) == len(read)
    assert there <= set(read)
