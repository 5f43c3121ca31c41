"""``disclosure_report``: write a report on AI and reviews in the posts of a period (dossier.command)."""

from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.errors import ValidationFailed
from blog_engine.exporting.disclosure import NothingDisclosed, period_of, write_disclosure_report
from blog_engine.exporting.targets import TargetRefused
from blog_engine.management.base import Key, KeyValueCommand

_LINE_EVERY: Final = 100


class Command(KeyValueCommand):
    help = (
        "Write what an auditor or a lawyer needs to know about AI and reviews in the posts that were public in a "
        "period: a page to read and print, a table, the evidence of each post and the program that checks it. It also "
        "has reviewed drafts and proposals, which readers never saw."
    )
    keys = (
        Key("FROM", "first day, such as 2026-01-01, in the time zone of the site"),
        Key("TO", "last day, which is part of the period"),
        Key("OUTPUT", "a new folder, or a new file that ends in .zip or .tar.gz"),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        for name in ("FROM", "TO", "OUTPUT"):
            if not given.get(name):
                raise CommandError(
                    f"{name} is missing: FROM and TO are days such as 2026-01-31, OUTPUT is a new folder."
                )
        target = Path(given["OUTPUT"])
        try:
            period = period_of({"from": given["FROM"], "to": given["TO"]})
        except ValidationFailed as refusal:
            # A hint begins with the name of the field, which is in capitals here.
            [name] = refusal.details
            raise CommandError(name.upper() + refusal.hint.removeprefix(name)) from refusal
        try:
            for totals in write_disclosure_report(target, period=period, now=timezone.now()):
                if totals.posts % _LINE_EVERY == 0:
                    self.stdout.write(f"{totals.posts} of {totals.of_posts} posts")
        except TargetRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        except NothingDisclosed:
            raise CommandError(
                f"No post was public from {given['FROM']} to {given['TO']}; nothing was written."
            ) from None
        self.stdout.write(f"Wrote a report on {totals.posts} posts to {target}")
        if totals.uncovered:
            self.stderr.write(
                f"{totals.uncovered} posts have records that no checkpoint covers: run make_checkpoint, and make the "
                "report again."
            )
