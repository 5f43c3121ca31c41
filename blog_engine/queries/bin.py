"""The removed drafts that wait in the bin."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from blog_engine.models import RemovedDraft
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.pagination import page_count

BIN_DAYS: Final = 30
"""For how many days a removed draft waits."""
_PER_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class BinPage(DeskListPage):
    """A page of removed drafts, the last removed first."""

    drafts: list[RemovedDraft]


def binned_since(*, now: datetime) -> datetime:
    """Return the time of the oldest removal that the bin still has."""
    return now - timedelta(days=BIN_DAYS)


def removed_drafts(*, number: int, now: datetime) -> BinPage:
    """Return a page of the bin without the texts, or the last page; two queries."""
    waiting = RemovedDraft.objects.filter(removed_at__gte=binned_since(now=now)).defer("fields")
    pages = page_count(waiting.order_by()[:MOST_LISTED].count(), per_page=_PER_PAGE)
    number = min(number, pages)
    start = (number - 1) * _PER_PAGE
    return BinPage(number, pages, list(waiting.order_by("-removed_at", "-pk")[start : start + _PER_PAGE]))
