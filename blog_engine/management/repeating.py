"""Commands that run once, or with ``EVERY=seconds`` until they are asked to stop."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final, Self

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, close_old_connections, connections

from blog_engine.management.key_value import KeyValueCommand, database_message

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class StopRequest:
    """A context in which the first SIGTERM or SIGINT only requests a stop.

    The second one acts as before. Outside the main thread, where Python handles no signals, nothing changes.
    """

    def __init__(self) -> None:
        self.is_requested = False
        """Whether a stop was requested."""
        # Unlike a threading.Event, a SimpleQueue is safe to use in a signal handler that interrupts its wait.
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            self._before = {each: signal.signal(each, self._ask) for each in _SIGNALS}
        return self

    def __exit__(self, *fault: object) -> None:
        self._restore()

    def wait(self, seconds: float) -> None:
        """Wait for ``seconds`` or until a stop is requested."""
        with suppress(Empty):
            self._asked.get(timeout=seconds)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.is_requested = True
        self._asked.put(None)
        self._restore()

    def _restore(self) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)


class RepeatingCommand(KeyValueCommand):
    """The base class of commands with the key ``EVERY``: subclasses implement ``run_once`` and ``steps``."""

    # The continuous form starts without a database: with Django 6.1 some system checks query SQLite.
    requires_system_checks = ()

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if "EVERY" in given:
            self._keep_running(pause=_seconds(given["EVERY"]))
        else:
            self.run_once(given)

    def run_once(self, given: dict[str, str]) -> None:
        """Do and report what is due; raise ``CommandError`` for what was left."""
        raise NotImplementedError

    def steps(self) -> Iterator[None]:
        """Do and report what is due, and yield after each part that must not be interrupted."""
        raise NotImplementedError

    def _keep_running(self, *, pause: int) -> None:
        """Do what is due at intervals until SIGTERM or SIGINT; finish a step first."""
        with StopRequest() as stop:
            while not stop.is_requested:
                self._do_due(stop)
                stop.wait(pause)

    def _do_due(self, stop: StopRequest) -> None:
        """Do what is due; report an unreachable database and continue."""
        close_old_connections()
        try:
            for _ in self.steps():
                if stop.is_requested:
                    return
        except (OperationalError, InterfaceError) as fault:
            self.stderr.write(database_message(fault))
            connections.close_all()


def _seconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 6 or int(text) == 0:
        raise CommandError("EVERY must be a whole number of seconds from 1 to 999999.")
    return int(text)
