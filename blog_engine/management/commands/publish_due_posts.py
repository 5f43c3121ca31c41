"""``publish_due_posts`` (decisions.md 2 and 3.7)."""

from typing import Any

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.utils import timezone

from blog_engine.management.key_value import Key, KeyValueCommand, database_away
from blog_engine.management.stopping import StopRequest
from blog_engine.services.publish_due import DueRelease, due_releases


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
