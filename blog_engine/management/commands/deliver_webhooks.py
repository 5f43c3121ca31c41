"""``deliver_webhooks``: send the events that are due, once or continuously."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.management.base import Key, RepeatingCommand
from blog_engine.services.deliveries import Attempt, deliver_due, prune_deliveries, retry_dead


class Command(RepeatingCommand):
    help = (
        "Send the events that are due to the receivers of the setting notify. Failed attempts are reported and "
        "repeated later; the exit status is 1 when an event was given up."
    )
    keys = (
        Key("EVERY", "keep running, and send what is due at intervals of this many seconds"),
        Key("RETRY", "dead: first make the events due again that were given up"),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if given.get("RETRY", "dead") != "dead":
            raise CommandError("RETRY takes only the value dead.")
        if "RETRY" in given:
            self.stdout.write(f"Due again: {retry_dead(now=timezone.now())}")
        super().run(given, options)

    def run_once(self, given: dict[str, str]) -> None:
        given_up = [self._report(attempt).is_dead for attempt in deliver_due()]
        prune_deliveries(now=timezone.now())
        if any(given_up):
            raise CommandError("Some events were given up. RETRY=dead makes them due again.")

    def steps(self) -> Iterator[None]:
        for attempt in deliver_due():
            self._report(attempt)
            yield
        prune_deliveries(now=timezone.now())

    def _report(self, attempt: Attempt) -> Attempt:
        if len(attempt.events) == 1:
            what = f"{attempt.types[0]} {attempt.events[0]}"
        else:
            what = ", ".join(f"{number} {event}" for event, number in sorted(Counter(attempt.types).items()))
        if attempt.error:
            outcome = "Gave up" if attempt.is_dead else "Failed"
            self.stderr.write(f"{outcome} {what} to {attempt.receiver.name}: {attempt.error}")
        else:
            self.stdout.write(f"Delivered {what} to {attempt.receiver.name}")
        return attempt
