"""``publish_due_posts`` (decisions.md 2 and 3.7)."""

import signal
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final, Self

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.utils import timezone

from blog_engine.management.key_value import Key, KeyValueCommand, database_away
from blog_engine.services.publish_due import DueRelease, due_releases

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class StopRequest:
    """While it is entered, SIGTERM and SIGINT only ask to stop; the second one acts as it did before.

    Only the main thread of a program can be asked: elsewhere nothing changes.
    """

    def __init__(self) -> None:
        self.came = False
        """Whether somebody asked."""
        # Unlike a threading.Event, it may be told by a signal in the middle of waiting for it.
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            self._before = {each: signal.signal(each, self._ask) for each in _SIGNALS}
        return self

    def __exit__(self, *fault: object) -> None:
        self._restore()

    def wait(self, seconds: float) -> None:
        """Pause, but not longer than until somebody asks."""
        with suppress(Empty):
            self._asked.get(timeout=seconds)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        self._asked.put(None)
        self._restore()

    def _restore(self) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)


class Command(KeyValueCommand):
    help = "Release the scheduled posts whose time has come. Others stay scheduled and are reported (exit 1)."
    keys = (Key("EVERY", "keep running, and look again every so many seconds"),)
    # What keeps running begins without a database, too: with Django 6.1 some of the checks ask SQLite.
    requires_system_checks = ()

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if "EVERY" in given:
            self._keep_running(pause=_seconds(given["EVERY"]))
            return
        is_left = [not self._tell(release) for release in due_releases(now=timezone.now())]
        if any(is_left):
            raise CommandError("Some due posts were not released.")

    def _keep_running(self, *, pause: int) -> None:
        """Look again and again until SIGTERM or SIGINT comes; the release that is under way is finished first."""
        with StopRequest() as stop:
            while not stop.came:
                self._look(stop)
                stop.wait(pause)

    def _look(self, stop: StopRequest) -> None:
        """Outlive a database that is busy or away for a while; the next look comes anyway."""
        close_old_connections()
        try:
            for release in due_releases(now=timezone.now()):
                self._tell(release)
                if stop.came:
                    return
        except (OperationalError, InterfaceError) as fault:
            self.stderr.write(database_away(fault))
            connections.close_all()

    def _tell(self, release: DueRelease) -> bool:
        """Say what became of a post; tells whether it is public."""
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
        raise CommandError("EVERY is a whole number of seconds, from 1 to 999999.")
    return int(text)
