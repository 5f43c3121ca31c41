"""Sending the outbox: to receivers that accept, fail, time out and come back."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

import pytest
import time_machine
from django.test import override_settings
from pytest_django import Settings

from blog_engine.models import Delivery, Post
from blog_engine.services import DeliveryRun, deliver_webhooks, deliveries
from blog_engine.services.deliveries import BACKOFF, LEASE, Attempt, deliver_due, prune_deliveries, retry_dead
from tests.requirements import requirement
from tests.support.factories import save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.web import SECRET, Got, Mailbox, mailbox, telling

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def box(settings: Settings) -> Iterator[Mailbox]:
    """The only receiver."""
    with mailbox() as opened:
        settings.BLOG_ENGINE = telling(opened)
        yield opened


def publish(slug: str = "p", **fields: Any) -> Post:
    return save(slug=slug, publish=True, now=datetime.now(UTC), **fields).post


def event_ids() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("event_id", flat=True))


def run() -> list[Attempt]:
    return list(deliver_due())


@requirement("webhooks.request", "webhooks.signature", "webhooks.accepted")
@pytest.mark.parametrize("status", [200, 202, 204])
def test_an_event_arrives_signed_and_once(box: Mailbox, clock: time_machine.Traveller, status: int) -> None:
    box.status = status
    publish(title="Lauch, “überwintert”")

    first, second = run(), run()

    [got], row = box.got, Delivery.objects.get()
    assert (len(first), second) == (1, [])
    assert got.is_signed
    assert got.headers["webhook-signature"].count("v1,") == 1
    assert got.path == "/hook?token=very-secret"
    assert got.headers["content-type"] == "application/json"
    assert (got.id, got.headers["webhook-timestamp"]) == (row.event_id, str(int(START.timestamp())))
    assert got.body.decode() == row.payload
    assert json.loads(got.body)["data"]["title"] == "Lauch, “überwintert”"
    assert (row.delivered_at, row.next_attempt_at, row.attempts, row.last_status) == (START, None, 1, status)


@requirement("webhooks.signature")
def test_a_receiver_with_the_previous_secret_accepts_the_event(box: Mailbox) -> None:
    hook = {"url": box.url, "secret": f"whsec_{'A' * 44}", "previous_secret": SECRET}
    with override_settings(BLOG_ENGINE=blog_settings(notify={"webhooks": [hook], "private_receivers": True})):
        publish()
        run()

    [got] = box.got
    assert got.is_signed
    assert got.headers["webhook-signature"].count("v1,") == 2


@requirement("webhooks.accepted", "webhooks.retries", "webhooks.at-least-once")
@pytest.mark.parametrize("status", [0, 301, 400, 404, 429, 500, 503])
def test_a_failure_is_repeated_until_the_receiver_comes_back(
    box: Mailbox, clock: time_machine.Traveller, status: int
) -> None:
    box.status = status
    publish()

    [failed] = run()
    at_once = run()
    clock.shift(BACKOFF[0])
    box.status = 200
    [accepted] = run()

    assert failed.status == (status or None)
    assert failed.error.startswith(f"HTTP {status}" if status else "No answer")
    assert (at_once, accepted.error) == ([], "")
    assert box.ids == event_ids() * 2
    assert [got.headers["webhook-timestamp"] for got in box.got] == [
        str(int(START.timestamp())),
        str(int(START.timestamp()) + 5),
    ]
    assert all(got.is_signed for got in box.got)


@requirement("webhooks.request")
def test_a_redirect_is_not_followed(box: Mailbox) -> None:
    box.status = 307
    box.answer_headers = {"Location": box.url}
    publish()

    [failed] = run()

    assert (failed.error, len(box.got)) == ("HTTP 307", 1)


@requirement("webhooks.request", "webhooks.at-least-once")
def test_a_receiver_that_does_not_answer_in_time_gets_the_event_again(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch, clock: time_machine.Traveller
) -> None:
    monkeypatch.setattr(deliveries, "ATTEMPT_SECONDS", 0.2)
    box.holds = True
    publish()

    [failed] = run()
    box.holds = False
    box.released.set()
    clock.shift(BACKOFF[0])
    [accepted] = run()

    assert (failed.status, accepted.error) == (None, "")
    assert failed.error.startswith("No answer: ")
    assert box.ids == event_ids() * 2


@requirement("webhooks.request")
def test_a_private_ip_address_gets_nothing_unless_the_host_permits_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mailbox() as box:
        settings.BLOG_ENGINE = blog_settings(
            notify={"webhooks": [{"url": box.url.replace("http", "https"), "secret": SECRET}]}
        )
        publish()

        [failed] = run()

    assert (failed.status, box.got) == (None, [])


@requirement("webhooks.retries")
def test_the_tenth_failure_gives_up(box: Mailbox, clock: time_machine.Traveller) -> None:
    box.status = 500
    publish()
    waits = []

    for _ in range(len(BACKOFF)):
        [attempt] = run()
        row = Delivery.objects.get()
        assert not attempt.is_dead
        assert row.next_attempt_at is not None
        waits.append(row.next_attempt_at - datetime.now(UTC))
        clock.move_to(row.next_attempt_at - timedelta(seconds=1))
        assert run() == []
        clock.shift(1)
    [last] = run()

    row = Delivery.objects.get()
    assert [wait.total_seconds() for wait in waits] == [
        *(5, 5 * 60, 30 * 60),
        *(hours * 3600 for hours in (2, 5, 10, 14, 20, 24)),
    ]
    assert last.is_dead
    assert (row.attempts, row.next_attempt_at, row.last_status, row.last_error) == (10, None, 500, "HTTP 500")
    assert (row.dead_at, len(box.got)) == (datetime.now(UTC), 10)


@requirement("webhooks.retries")
@pytest.mark.parametrize(
    ("asked", "wait"), [("120", 120), ("1", 5), ("9999999", 86_400), ("tomorrow", 5), ("-1", 5), ("9" * 5000, 5)]
)
def test_a_receiver_can_ask_for_a_later_attempt(
    box: Mailbox, clock: time_machine.Traveller, asked: str, wait: int
) -> None:
    box.status = 429
    box.answer_headers = {"Retry-After": asked}
    publish()

    run()

    assert Delivery.objects.get().next_attempt_at == START + timedelta(seconds=wait)


@requirement("webhooks.accepted", "webhooks.retry-dead")
def test_a_receiver_that_is_gone_ends_the_attempts_until_a_person_asks_for_more(
    box: Mailbox, clock: time_machine.Traveller
) -> None:
    box.status = 410
    publish("p")
    publish("q")

    gone = run()
    clock.shift(timedelta(days=3))
    assert run() == []
    box.status = 200
    number = retry_dead(now=datetime.now(UTC))
    sent = run()

    assert [attempt.is_dead for attempt in gone] == [True, True]
    assert (number, [attempt.error for attempt in sent]) == (2, ["", ""])
    assert Delivery.objects.filter(attempts=1, dead_at=None).count() == 2


@requirement("webhooks.order")
def test_an_event_does_not_overtake_an_earlier_one_of_its_post(box: Mailbox, clock: time_machine.Traveller) -> None:
    first = publish("p")
    unpublish(first, now=START)
    publish("q")
    published, withdrawn, other = event_ids()
    box.status = lambda got: 500 if got.id == published else 200

    run()
    blocked = box.ids[:]
    run()
    others = box.ids[len(blocked) :]
    clock.shift(BACKOFF[0])
    box.status = 200
    run()

    assert (blocked, others) == ([published], [other])
    assert box.ids[2:] == [published, withdrawn]


@requirement("webhooks.order")
def test_an_event_that_was_given_up_is_not_waited_for(box: Mailbox, clock: time_machine.Traveller) -> None:
    unpublish(publish("p"), now=START)
    published, withdrawn = event_ids()
    box.status = lambda got: 410 if got.id == published else 200

    run()

    assert box.ids == [published, withdrawn]


@requirement("webhooks.down")
def test_a_receiver_that_is_down_costs_a_run_one_attempt_and_delays_no_other(
    settings: Settings, clock: time_machine.Traveller
) -> None:
    with mailbox() as down, mailbox() as up:
        down.status = 503
        settings.BLOG_ENGINE = telling(down, up)
        for slug in "abc":
            publish(slug)

        run()
        attempts = len(down.got)
        down.status = 200
        clock.shift(BACKOFF[0])
        run()

    assert (attempts, sorted(up.ids)) == (1, sorted(set(event_ids())))
    assert sorted(set(down.ids)) == sorted(set(event_ids()))
    assert len(down.ids) == 4


@requirement("webhooks.workers")
def test_an_event_of_a_killed_worker_is_due_after_its_lease(box: Mailbox, clock: time_machine.Traveller) -> None:
    publish()
    box.status = 200
    worker = deliver_due()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deliveries, "post", _killed)
        with pytest.raises(KeyboardInterrupt):
            next(worker)

    meanwhile = run()
    clock.shift(LEASE - timedelta(seconds=1))
    too_early = run()
    clock.shift(1)
    afterwards = run()

    assert (meanwhile, too_early, [attempt.error for attempt in afterwards]) == ([], [], [""])
    assert box.ids == event_ids()


def _killed(*args: object, **kwargs: object) -> None:
    raise KeyboardInterrupt


@requirement("webhooks.workers")
def test_a_slow_worker_that_lost_its_lease_does_not_undo_what_another_did(
    box: Mailbox, clock: time_machine.Traveller
) -> None:
    publish()
    slow = True

    def answer(got: Got) -> int:
        nonlocal slow
        if not slow:
            return 200
        slow = False
        clock.shift(LEASE + timedelta(seconds=1))
        return 500

    box.status = answer
    first = deliver_due()
    # The other worker delivers between the answer to the first one and its note.
    with pytest.MonkeyPatch.context() as patch:
        real = deliveries._note

        def note_late(*args: Any, **kwargs: Any) -> bool:
            patch.undo()
            assert [attempt.error for attempt in run()] == [""]
            return real(*args, **kwargs)

        patch.setattr(deliveries, "_note", note_late)
        failed = next(first)

    row = Delivery.objects.get()
    assert failed.error == "HTTP 500"
    assert (row.delivered_at is not None, row.next_attempt_at, row.last_status) == (True, None, 200)


@requirement("webhooks.kept")
def test_what_was_sent_or_given_up_is_deleted_after_some_days(box: Mailbox, clock: time_machine.Traveller) -> None:
    publish("sent")
    run()
    box.status = 410
    publish("gone")
    run()
    box.status = 500
    publish("waits")
    run()

    clock.shift(timedelta(days=30))
    assert prune_deliveries(now=datetime.now(UTC)) == 0
    clock.shift(1)
    assert prune_deliveries(now=datetime.now(UTC)) == 2
    assert [json.loads(row.payload)["data"]["slug"] for row in Delivery.objects.all()] == ["waits"]


@requirement("webhooks.kept")
def test_what_waits_for_a_receiver_that_was_removed_is_kept_as_long(
    box: Mailbox, settings: Settings, clock: time_machine.Traveller
) -> None:
    publish()
    settings.BLOG_ENGINE = blog_settings(notify=...)

    assert run() == []
    clock.shift(timedelta(days=30))
    assert prune_deliveries(now=datetime.now(UTC)) == 0
    clock.shift(1)
    assert prune_deliveries(now=datetime.now(UTC)) == 1


@requirement("webhooks.websub", "webhooks.together")
def test_a_hub_is_told_of_each_feed_once_for_many_posts(settings: Settings) -> None:
    with mailbox() as hub:
        settings.BLOG_ENGINE = telling(websub_hub=hub.url)
        unpublish(publish("a"), now=datetime.now(UTC))
        publish("b")

        run()

    assert [got.headers["content-type"] for got in hub.got] == ["application/x-www-form-urlencoded"] * 2
    assert sorted(parse_qs(got.body.decode())["hub.url"][0] for got in hub.got) == [
        "https://example.com/blog/feed.json",
        "https://example.com/blog/feed.xml",
    ]
    assert {parse_qs(got.body.decode())["hub.mode"][0] for got in hub.got} == {"publish"}
    assert not Delivery.objects.filter(delivered_at=None).exists()


@requirement("webhooks.indexnow", "webhooks.together")
def test_search_engines_get_each_changed_url_once(settings: Settings) -> None:
    with mailbox() as engine:
        settings.BLOG_ENGINE = telling(indexnow_key="abcdef12-34", indexnow_url=engine.url)
        moved = publish("a")
        update(moved, slug="c", now=datetime.now(UTC))
        publish("b")

        [attempt] = run()

    [got] = engine.got
    assert got.headers["content-type"] == "application/json; charset=utf-8"
    assert json.loads(got.body) == {
        "host": "example.com",
        "key": "abcdef12-34",
        "keyLocation": "https://example.com/blog/abcdef12-34.txt",
        "urlList": ["https://example.com/blog/a", "https://example.com/blog/c", "https://example.com/blog/b"],
    }
    assert len(attempt.events) == 3


@requirement("webhooks.together")
def test_one_request_tells_of_a_limited_number_of_events(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "MOST_TOGETHER", 2)
    with mailbox() as engine:
        settings.BLOG_ENGINE = telling(indexnow_key="abcdef12", indexnow_url=engine.url)
        for slug in "abc":
            publish(slug)

        run()

    assert [len(json.loads(got.body)["urlList"]) for got in engine.got] == [2, 1]


@requirement("webhooks.together", "webhooks.retries")
def test_a_failure_is_repeated_for_all_that_were_told_together(
    settings: Settings, clock: time_machine.Traveller
) -> None:
    with mailbox() as engine:
        engine.status = 422
        settings.BLOG_ENGINE = telling(indexnow_key="abcdef12", indexnow_url=engine.url)
        publish("a")
        run()
        publish("b")
        clock.shift(BACKOFF[0])
        run()
        waits = dict(Delivery.objects.values_list("attempts", "next_attempt_at"))
        engine.status = 202
        clock.shift(BACKOFF[1])
        run()

    now = START + BACKOFF[0]
    assert waits == {2: now + BACKOFF[1], 1: now + BACKOFF[0]}
    assert [len(json.loads(got.body)["urlList"]) for got in engine.got] == [1, 2, 2]


@requirement("webhooks.task")
def test_the_service_counts_what_happened(settings: Settings) -> None:
    with mailbox() as up, mailbox() as down, mailbox() as gone:
        down.status, gone.status = 500, 410
        settings.BLOG_ENGINE = telling(up, down, gone)
        publish("a")

        done = deliver_webhooks()

    assert done == DeliveryRun(delivered=1, failed=1, given_up=1)


@requirement("webhooks.secrets")
def test_no_secret_and_no_path_of_a_receiver_is_stored(box: Mailbox) -> None:
    box.status = 500
    publish()
    [attempt] = run()

    stored = repr(list(Delivery.objects.values()))
    assert "very-secret" not in stored + attempt.error + attempt.receiver.name
    assert "MfKQ9r8G" not in stored + repr(attempt.receiver)
