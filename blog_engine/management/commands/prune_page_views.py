"""``prune_page_views``: delete old totals of page views, and old drafts."""

from typing import Any

from django.utils import timezone

from blog_engine.management.base import KeyValueCommand
from blog_engine.services import prune_drafts, prune_idempotency_keys, prune_page_views


class Command(KeyValueCommand):
    help = (
        "Delete the daily view totals that are older than the setting page_view_retention_days, versions of drafts "
        "that are older than versions.days, drafts that were removed more than 30 days ago, and answers that were kept "
        "for repeated calls for a day."
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        now = timezone.now()
        self.stdout.write(f"Pruned {prune_page_views(now=now)} daily view totals")
        drafts = prune_drafts(now=now)
        self.stdout.write(f"Pruned {drafts.versions} versions of drafts and {drafts.removed} removed drafts")
        self.stdout.write(f"Pruned {prune_idempotency_keys(now=now)} answers to repeated calls")
