"""How times and days are written (decisions.md 4: UTC with ``Z``)."""

from datetime import date, datetime
from typing import Annotated

from pydantic import WithJsonSchema

from blog_engine.content.text import in_utc

Instant = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
Day = Annotated[str, WithJsonSchema({"type": "string", "format": "date"})]


def to_seconds(time: datetime) -> str:
    """``2026-10-03T20:59:05Z``: the form of post objects (records.md 7)."""
    return in_utc(time, "seconds")


def seconds_or_none(time: datetime | None) -> str | None:
    return to_seconds(time) if time else None


def to_milliseconds(time: datetime) -> str:
    """``2026-10-03T20:59:05.711Z``: the form of history objects (records.md 7)."""
    return in_utc(time, "milliseconds")


def milliseconds_or_none(time: datetime | None) -> str | None:
    return to_milliseconds(time) if time else None


def day_or_none(day: date | None) -> str | None:
    return day.isoformat() if day else None
