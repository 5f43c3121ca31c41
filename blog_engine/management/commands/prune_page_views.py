"""``prune_page_views``: delete old totals of page views."""

from typing import Any

from django.utils import timezone

from blog_engine.management.base import KeyValueCommand
from blog_engine.services import prune_page_views


class Command(KeyValueCommand):
    help = "Delete the daily view totals that are older than the setting page_view_retention_days."

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        self.stdout.write(f"Pruned {prune_page_views(now=timezone.now())} daily view totals")
