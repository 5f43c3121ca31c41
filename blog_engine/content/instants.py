"""Moments as they are written in answers (decisions.md 4)."""

from datetime import UTC, datetime
from typing import Literal


def in_utc(time: datetime, timespec: Literal["seconds", "milliseconds"]) -> str:
    """The moment in UTC with ``Z``, such as ``2026-10-03T20:59:05.711Z``."""
    # strftime's %Y has fewer than four digits before the year 1000 on some systems.
    return time.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")
