"""Dates as pages and sitemaps write them for machines: ISO 8601, with or without a time."""

from datetime import date, datetime

from django.utils import timezone

Written = date | datetime
"""A day, or a moment with its time zone."""


def read_date(text: str) -> Written | None:
    """What a text says: a day, or else a moment; one without offset is meant in the time zone of the site."""
    stripped = text.strip()
    try:
        return date.fromisoformat(stripped)
    except ValueError:
        return _read_moment(stripped)


def day_of(written: Written) -> date:
    """The day in the time zone of the site."""
    if isinstance(written, datetime):
        return timezone.localtime(written, timezone.get_default_timezone()).date()
    return written


def is_same(one: Written, other: Written) -> bool:
    """Whether two dates agree: by day when one of them is only a day, else to the second (records.md 16, E6)."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one.replace(microsecond=0) == other.replace(microsecond=0)
    return day_of(one) == day_of(other)


def is_after(one: Written, other: Written) -> bool:
    """Whether one date is later than another, as exactly as ``is_same`` compares."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one.replace(microsecond=0) > other.replace(microsecond=0)
    return day_of(one) > day_of(other)


def _read_moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        aware = moment if moment.tzinfo else timezone.make_aware(moment, timezone.get_default_timezone())
        # At both ends of the calendar there are moments that have no day in another zone.
        day_of(aware)
    except (ValueError, OverflowError):
        return None
    return aware
