"""The dates of a post: derived from its history, known to readers, and in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from datetime import timezone as fixed_zone
from typing import Final

from django.utils import timezone
from django.utils.dates import MONTHS, MONTHS_3
from django.utils.formats import date_format, get_format
from django.utils.translation import get_language

from blog_engine.enums import EntryType
from blog_engine.models import UNDATED, Baseline, Post, Publication
from blog_engine.models.reading import page_changes_at

_MINUTE: Final = timedelta(minutes=1)
_FIRST: Final = {"fr": "1er"}
_WRITTEN: Final = {
    ("fr", "j F Y"): "{day} {month} {year}",
    ("it", "d F Y"): "{day} {month} {year}",
    ("pt", r"j \d\e F \d\e Y"): "{day} de {month} de {year}",
    ("fr", "j F"): "{day} {month}",
    ("it", "j F"): "{day} {month}",
    ("pt", r"j \d\e F"): "{day} de {month}",
}
"""How languages write a day for which Django has another format. A host's own formats stay."""


@dataclass(frozen=True, slots=True)
class PublicDates:
    """The two dates that readers see, derived from the history alone."""

    published_at: datetime | None
    modified_at: datetime | None

    @property
    def listed_at(self) -> datetime:
        """The date by which lists are ordered: a post without a known date comes last."""
        return self.published_at or UNDATED


def dates_of(publications: Iterable[Publication], baseline: Baseline | None) -> PublicDates:
    """Return the dates that follow from publications in insertion order and a baseline (``history.dates.source``).

    A change is never earlier than the first publication, although the clock of its host was.
    """
    first = changed = None
    for entry in publications:
        if entry.entry_type == EntryType.FIRST:
            first = first or entry.occurred_at
        elif entry.entry_type in (EntryType.SUBSTANTIVE, EntryType.CORRECTION):
            changed = max(entry.occurred_at, first or entry.occurred_at)
    published = first or (baseline and (baseline.first_published_at or baseline.declared_first_published_at)) or None
    modified = changed or (baseline and baseline.last_modified_at) or published
    return PublicDates(published_at=published, modified_at=modified)


@dataclass(frozen=True, slots=True)
class KnownDates:
    """The dates of a post that are known and not in the future."""

    published: datetime | None
    modified: datetime | None

    @property
    def updated(self) -> datetime | None:
        """The modification date, unless it is not later than the publication date."""
        if self.modified and (self.published is None or self.modified > self.published):
            return self.modified
        return None


def known_dates(post: Post, *, now: datetime) -> KnownDates:
    """Return the dates of a post that pages can show at ``now``."""
    return KnownDates(published=known_date(post.published_at, now=now), modified=known_date(post.modified_at, now=now))


def known_date(moment: datetime | None, *, now: datetime) -> datetime | None:
    """Return the moment unless it is in the future; the page that is read is noted to change then."""
    if moment is None or moment <= now:
        return moment
    page_changes_at(moment)
    return None


def long_date(moment: datetime) -> str:
    """Return the day in words, in the active language and the site's time zone; English as ``October 3, 2026``."""
    day = timezone.localtime(moment)
    if (get_language() or "").startswith("en"):
        # What ``date_format`` takes ten times as long for.
        return f"{MONTHS[day.month]} {day.day}, {day.year:04}"
    return day_in_words(day)


def day_in_words(day: date, format_name: str = "DATE_FORMAT") -> str:
    """Return a day in a format of the active language, such as ``MONTH_DAY_FORMAT``; English as ``Oct. 3, 2026``."""
    language = (get_language() or "").partition("-")[0]
    written = _WRITTEN.get((language, get_format(format_name)))
    if written is None:
        return date_format(day, format_name)
    first = _FIRST.get(language, "1")
    return written.format(
        day=first if day.day == 1 else day.day, month=str(MONTHS[day.month]).lower(), year=f"{day.year:04}"
    )


def short_date(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return the day as on cards, in the active language and a time zone (default: the site's); ``Oct 3, 2026``."""
    day = timezone.localtime(moment, zone)
    if (get_language() or "").startswith("en"):
        # Django's short format has digits alone, whose order differs between English-speaking countries.
        return f"{MONTHS_3[day.month].title()} {day.day}, {day.year:04}"
    return date_format(day, "SHORT_DATE_FORMAT")


def iso_date(moment: datetime) -> str:
    """Return the moment for machines, in the site's time zone, to the second (pages.dates.offset)."""
    return with_whole_minutes(timezone.localtime(moment)).isoformat(timespec="seconds")


def with_whole_minutes(local: datetime) -> datetime:
    """Return a local time with an offset of whole minutes: before standard time, offsets had seconds.

    ISO 8601, RFC 3339 and HTML have no form for these.
    """
    offset = local.utcoffset()
    if offset is None or not offset % _MINUTE:
        return local
    return local.astimezone(fixed_zone(round(offset / _MINUTE) * _MINUTE))


def date_and_time(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return a date and the time of day, such as ``Nov. 24, 2026, 09:05``; default: in the current time zone.

    It does not end with a full stop, as English times with "a.m." do, so that it can end a sentence.
    """
    local = timezone.localtime(moment, zone)
    return f"{day_in_words(local)}, {date_format(local, 'H:i')}"
