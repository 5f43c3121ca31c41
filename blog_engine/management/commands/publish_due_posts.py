"""``publish_due_posts`` (decisions.md 2 and 3.7)."""

import time
from typing import Any

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone

from blog_engine.management.key_value import Key, KeyValueCommand
from blog_engine.services import publish_due


class Command(KeyValueCommand):
    help = "Release the scheduled posts whose time has come. Others stay scheduled and are reported (exit 1)."
    keys = (Key("EVERY", "keep running, and look again every so many seconds"),)

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if "EVERY" not in given:
            if self._release():
                raise CommandError("Some due posts were not released.")
            return
        pause = _seconds(given["EVERY"])
        while True:
            self._try_to_release()
            time.sleep(pause)

    def _try_to_release(self) -> None:
        """Outlive a database that is busy or away for a while; the next look comes anyway."""
        try:
            self._release()
        except (OperationalError, InterfaceError) as fault:
            self.stderr.write(f"The database did not answer: {fault}".rstrip())
            connections.close_all()

    def _release(self) -> bool:
        """Release what is due and say so; tells whether a post was left."""
        done = publish_due(now=timezone.now())
        for written in done.released:
            self.stdout.write(f"Published {written.post.slug}")
        for slug, refusal in done.refused.items():
            reason = ", ".join([refusal.code, *refusal.details])
            self.stderr.write(f"Refused {slug}: {reason}")
        for slug, failure in done.failed.items():
            self.stderr.write(f"Failed {slug}: {type(failure).__name__}: {failure}")
        return bool(done.refused or done.failed)


def _seconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 6 or int(text) == 0:
        raise CommandError("EVERY is a whole number of seconds, from 1 to 999999.")
    return int(text)
