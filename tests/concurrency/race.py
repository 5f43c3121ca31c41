"""Races with real transactions: one writer is stopped while another one arrives."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any, TypeVar

from django.db import connection, connections

from blog_engine.errors import Refusal

R = TypeVar("R")
_PATIENCE = 20
"""Seconds after which a race that does not happen fails its test."""


class Held:
    """A publication hook that stops the first write of a race in its transaction until it is released."""

    def __init__(self) -> None:
        self.armed = False
        self.arrived = Event()
        self.go = Event()

    def __call__(self, post: Any, context: Any) -> None:
        if self.armed and not self.arrived.is_set():
            self.arrived.set()
            assert self.go.wait(_PATIENCE), "the first writer was not released"


def outcome(future: Future[R]) -> R | type[Refusal]:
    """What a writer got: its result, or the class of its refusal."""
    try:
        return future.result(_PATIENCE)
    except Refusal as refusal:
        return type(refusal)


def race(held: Held, first: Callable[[], R], second: Callable[[], R]) -> tuple[R | type[Refusal], R | type[Refusal]]:
    """Run ``first`` up to the hook, start ``second``, wait until it waits for a lock, then continue both."""
    held.armed = True
    with ThreadPoolExecutor(max_workers=2) as pool:
        one = pool.submit(_with_own_connection, first)
        try:
            assert held.arrived.wait(_PATIENCE), "the first writer never came to the hook"
            two = pool.submit(_with_own_connection, second)
            _wait_until_blocked(two)
        finally:
            held.go.set()
        return outcome(one), outcome(two)


def together(*calls: Callable[[], R]) -> list[R | type[Refusal]]:
    """Run all calls at the same time, each on its own connection."""
    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        return [outcome(future) for future in [pool.submit(_with_own_connection, call) for call in calls]]


class Queue:
    """Calls that wait for a lock of the test, in the order of their start."""

    def __init__(self, pool: ThreadPoolExecutor, calls: tuple[Callable[[], Any], ...]) -> None:
        self._pool = pool
        self._calls = calls
        self._started: list[Future[Any]] = []

    def start(self) -> None:
        """Start each call when the one before it waits for a lock."""
        for number, call in enumerate(self._calls, start=1):
            self._started.append(self._pool.submit(_with_own_connection, call))
            _wait_until_blocked(self._started[-1], blocked=number)

    def all(self) -> list[Any]:
        """Return the outcome of each call after the lock was released."""
        return [outcome(future) for future in self._started]


@contextmanager
def queued_behind(*calls: Callable[[], Any]) -> Iterator[Queue]:
    """Return a queue of calls, to be started while the test holds their lock."""
    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        yield Queue(pool, calls)


def _with_own_connection(call: Callable[[], R]) -> R:
    try:
        return call()
    finally:
        connections.close_all()


def _wait_until_blocked(writer: Future[Any], *, blocked: int = 1) -> None:
    pause = Event()
    for _ in range(_PATIENCE * 100):
        if writer.done() or _blocked_backends() >= blocked:
            return
        pause.wait(0.01)
    raise AssertionError("the second writer neither waited nor finished")


def _blocked_backends() -> int:
    with connection.cursor() as cursor:
        # In a transaction the view would always show its first result.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])
