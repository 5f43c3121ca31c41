"""``deliver_webhooks`` in processes of its own, which are stopped, killed and run at once."""

import json
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from threading import Lock

import pytest
from django.utils import timezone
from pytest_django import Settings

from blog_engine.models import Delivery, Post
from tests.requirements import requirement
from tests.support.factories import save, unpublish, update
from tests.support.programs import running_command, wait_until
from tests.support.web import Got, Mailbox, mailbox, telling

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.heavy]

_PATIENCE = 60


@contextmanager
def worker(*boxes: Mailbox, arguments: tuple[str, ...] = ("EVERY=1",)) -> Iterator[subprocess.Popen[str]]:
    """Run the command with these receivers."""
    told = {"WEBHOOK_SITE": json.dumps(telling(*boxes)["notify"])}
    command = ("deliver_webhooks", *arguments)
    with running_command(*command, settings="tests.management.site_settings", told=told) as process:
        yield process


def publish(slug: str) -> Post:
    return save(slug=slug, publish=True, now=timezone.now()).post


def end_leases() -> None:
    """Let all leases and waits end now."""
    Delivery.objects.filter(next_attempt_at__isnull=False).update(next_attempt_at=timezone.now())


@pytest.fixture
def box(settings: Settings) -> Iterator[Mailbox]:
    with mailbox() as opened:
        settings.BLOG_ENGINE = telling(opened)
        yield opened


@requirement("webhooks.at-least-once", "webhooks.workers")
def test_an_event_of_a_worker_that_is_killed_while_it_sends_arrives_by_another_one(box: Mailbox) -> None:
    publish("p")
    [event] = Delivery.objects.all()
    box.holds = True

    with worker(box) as killed:
        assert box.arrived.wait(_PATIENCE)
        killed.send_signal(signal.SIGKILL)
        killed.wait(_PATIENCE)
    leased = Delivery.objects.get()
    box.holds = False
    box.released.set()
    with worker(box, arguments=()) as too_early:
        said, _ = too_early.communicate(timeout=_PATIENCE)
    end_leases()
    with worker(box, arguments=()) as later:
        said_later, _ = later.communicate(timeout=_PATIENCE)

    assert leased.next_attempt_at is not None
    assert (leased.attempts, leased.delivered_at, leased.next_attempt_at > timezone.now()) == (1, None, True)
    assert (said, said_later) == ("", f"Delivered post.published {event.event_id} to 127.0.0.1\n")
    assert box.ids == [event.event_id] * 2


@requirement("webhooks.command")
def test_it_finishes_the_request_that_is_under_way_when_it_is_asked_to_stop(box: Mailbox) -> None:
    publish("p")
    publish("q")
    box.holds = True

    with worker(box) as process:
        assert box.arrived.wait(_PATIENCE)
        process.terminate()
        time.sleep(0.2)
        box.released.set()
        said, _ = process.communicate(timeout=_PATIENCE)

    assert (len(said.splitlines()), process.returncode) == (1, 0)
    assert Delivery.objects.filter(delivered_at__isnull=False).count() == 1


@pytest.mark.postgres
@requirement("webhooks.workers")
def test_workers_that_run_at_once_send_each_event_once(box: Mailbox) -> None:
    for number in range(30):
        publish(f"p{number}")

    with worker(box, arguments=()) as one, worker(box, arguments=()) as two, worker(box, arguments=()) as three:
        said = [process.communicate(timeout=_PATIENCE)[0].splitlines() for process in (one, two, three)]

    assert sorted(box.ids) == sorted(Delivery.objects.values_list("event_id", flat=True))
    assert sum(map(len, said)) == 30
    assert set(Delivery.objects.values_list("attempts", flat=True)) == {1}


@requirement("webhooks.at-least-once", "webhooks.order", "webhooks.outbox")
def test_in_a_storm_each_event_arrives_and_none_is_invented(box: Mailbox) -> None:
    """The receiver fails, hangs up, times out and comes back, while workers are killed and posts are written."""
    chance = random.Random(7)  # noqa: S311  # no secret, but the same storm each time
    lock = Lock()
    accepted: list[str] = []
    is_over = False

    def answer(got: Got) -> int:
        with lock:
            lot = 0.0 if is_over else chance.random()
            if lot < 0.5:
                accepted.append(got.id)
                return 200
        if lot < 0.6:
            time.sleep(0.5)
        return 0 if lot < 0.8 else 503

    box.status = answer
    writes = _writes()
    for _ in range(3):
        with worker(box) as one, worker(box) as two:
            arrived = len(box.got)
            for _ in range(6):
                next(writes)()
            # mypy cannot infer the default of a lambda.
            _end_waits(until=lambda arrived=arrived: len(box.got) >= arrived + 4 or not _waiting())  # type: ignore[misc]
            for process in (one, two):
                process.send_signal(signal.SIGKILL)
    is_over = True
    with worker(box):
        _end_waits(until=lambda: not _waiting())

    written = list(Delivery.objects.order_by("pk").values_list("event_id", flat=True))
    assert len(written) == 3 * 6
    assert set(written) == set(accepted) == set(box.ids)
    assert all(got.is_signed for got in box.got)
    assert not Delivery.objects.filter(dead_at__isnull=False).exists()
    for post in Post.objects.all():
        own = list(Delivery.objects.filter(post=post.pk).order_by("pk").values_list("event_id", flat=True))
        firsts = list(dict.fromkeys(event for event in accepted if event in own))
        assert firsts == own


def _writes() -> Iterator[Callable[[], object]]:
    """Yield writes that each make one event: a post is published, changed and withdrawn, then the next one."""
    for number in count(1):
        made: list[Post] = []
        yield partial(_publish_into, made, f"p{number}")
        yield partial(_retag, made)
        yield partial(_withdraw, made)


def _publish_into(made: list[Post], slug: str) -> None:
    made.append(publish(slug))


def _retag(made: list[Post]) -> None:
    update(made[0], tags=["soil"], now=timezone.now())


def _withdraw(made: list[Post]) -> None:
    unpublish(made[0], now=timezone.now())


def _waiting() -> int:
    return Delivery.objects.filter(next_attempt_at__isnull=False).count()


def _end_waits(*, until: Callable[[], bool]) -> None:
    """Make what waits for a lease or an attempt due now and again, as if time passed, with few attempts used up."""

    def happened() -> bool:
        time.sleep(0.3)
        waiting = Delivery.objects.filter(next_attempt_at__gt=timezone.now())
        waiting.update(next_attempt_at=timezone.now(), attempts=1)
        return until()

    wait_until(happened)
