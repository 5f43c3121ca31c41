"""How times and days are written (decisions.md 4: UTC with ``Z``)."""

from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import WithJsonSchema

Instant = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
Day = Annotated[str, WithJsonSchema({"type": "string", "format": "date"})]


def to_seconds(time: datetime) -> str:
    """``2026-10-03T20:59:05Z``: the form of post objects (records.md 7)."""
    return _written(time, "seconds")


def seconds_or_none(time: datetime | None) -> str | None:
    return to_seconds(time) if time else None


def to_milliseconds(time: datetime) -> str:
    """``2026-10-03T20:59:05.711Z``: the form of history objects (records.md 7)."""
    return _written(time, "milliseconds")


def milliseconds_or_none(time: datetime | None) -> str | None:
    return to_milliseconds(time) if time else None


def day_or_none(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _written(time: datetime, timespec: str) -> str:
    # strftime's %Y has fewer than four digits before the year 1000 on some systems.
    return time.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")
