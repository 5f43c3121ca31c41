"""``blog_doctor`` (decisions.md 2; records.md 15 and 20)."""

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.management.key_value import Key, KeyValueCommand, is_on
from blog_engine.outputs.doctor import Doctor
from blog_engine.report.base import Visit
from blog_engine.report.doctor import examine
from blog_engine.vocabulary import CheckStatus


class Command(KeyValueCommand):
    help = "Check the installation in thirteen points, and change nothing. Exit 1 when a check reports an error."
    keys = (Key("JSON", "print the same JSON object as the API", is_switch=True),)
    # What the system checks would stop it for is what it reports.
    requires_system_checks = ()

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        as_json = is_on(given, "JSON")
        results = examine(Visit(now=timezone.now(), newest_posts=None))
        if as_json:
            self.stdout.write(Doctor.of(results).model_dump_json(indent=2))
        else:
            for result in results:
                self.stdout.write(f"{result.status}: {result.name} — {result.message}")
        errors = [result.name for result in results if result.status is CheckStatus.ERROR]
        if errors:
            raise CommandError(f"Errors: {', '.join(errors)}.")
