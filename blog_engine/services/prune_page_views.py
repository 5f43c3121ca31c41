"""Forgetting how often posts were read long ago."""

from datetime import date, datetime
from typing import Final

from blog_engine.conf import get_settings
from blog_engine.models import PageView
from blog_engine.queries.views import counted_day

_AT_ONCE: Final = 10_000
"""Rows of one statement. On SQLite it keeps other writers waiting for some 20 ms; a million rows would for seconds."""


def prune_page_views(*, now: datetime) -> int:
    """Delete the daily totals from before the last ``page_view_retention_days`` days; gives their number.

    The day exactly that long ago stays (reader.md 18). Without the setting nothing is deleted.
    """
    kept = get_settings().page_view_retention_days
    if kept is None:
        return 0
    first = date.fromordinal(max(counted_day(now).toordinal() - kept, 1))
    total = 0
    while deleted := _delete_some(before=first):
        total += deleted
    return total


def _delete_some(*, before: date) -> int:
    some = PageView.objects.filter(day__lt=before).values("pk")[:_AT_ONCE]
    deleted, _ = PageView.objects.filter(pk__in=some).delete()
    return deleted
