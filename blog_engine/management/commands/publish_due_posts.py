"""``publish_due_posts``: release scheduled posts, once or continuously."""

import signal
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final, Self

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.utils import timezone

from blog_engine.management.key_value import Key, KeyValueCommand, database_message
from blog_engine.services.publish_due import DueRelease, due_releases

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


class Command(KeyValueCommand):
    help = "Release the scheduled posts that are due. Those that are refused are reported, and the exit status is 1."
    keys = (Key("EVERY", "keep running, and release due posts at intervals of this many seconds"),)
    # The continuous form starts without a database: with Django 6.1 some system checks query SQLite.
    requires_system_checks = ()

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if "EVERY" in given:
            self._keep_running(pause=_seconds(given["EVERY"]))
            return
        is_left = [not self._report(release) for release in due_releases(now=timezone.now())]
        if any(is_left):
            raise CommandError("Some due posts were not released.")

    def _keep_running(self, *, pause: int) -> None:
        """Release due posts at intervals until SIGTERM or SIGINT; finish a release first."""
        with StopRequest() as stop:
            while not stop.is_requested:
                self._release_due(stop)
                stop.wait(pause)

    def _release_due(self, stop: StopRequest) -> None:
        """Release due posts; report an unreachable database and continue."""
        close_old_connections()
        try:
            for release in due_releases(now=timezone.now()):
                self._report(release)
                if stop.is_requested:
                    return
        except (OperationalError, InterfaceError) as fault:
            self.stderr.write(database_message(fault))
            connections.close_all()

    def _report(self, release: DueRelease) -> bool:
        """Write the outcome for a post; return whether it is public."""
        if release.refusal is not None:
            reason = ", ".join([release.refusal.code, *release.refusal.details])
            self.stderr.write(f"Refused {release.slug}: {reason}")
        elif release.failure is not None:
            self.stderr.write(f"Failed {release.slug}: {type(release.failure).__name__}: {release.failure}")
        else:
            self.stdout.write(f"Published {release.slug}")
            return True
        return False


def _seconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 6 or int(text) == 0:
        raise CommandError("EVERY must be a whole number of seconds from 1 to 999999.")
    return int(text)
