"""The time at which a write is to publish a post."""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.utils.timezone import get_default_timezone, get_default_timezone_name, is_naive

from blog_engine.errors import ValidationFailed

LONGEST_DELAY: Final = timedelta(hours=24)
"""A time that passed no longer ago is that of a publication that came late; an older one is a wrong date."""


def site_time(time: datetime | None) -> datetime | None:
    """Return a ``publish_at`` that was sent, in ``TIME_ZONE`` where it has no offset.

    Raises ``ValidationFailed`` for a local time that the clocks skip or show twice.
    """
    if time is None or not is_naive(time):
        return time
    zone = get_default_timezone()
    first, second = (time.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    readings = sorted(one.astimezone(UTC) for one in (first, second))
    # The clocks show neither reading of a time that they skip.
    is_shown = readings[0].astimezone(zone).replace(tzinfo=None) == time.replace(fold=0)
    what = "occurs twice" if is_shown else "does not exist"
    either = " or ".join(one.astimezone(zone).isoformat() for one in readings)
    raise ValidationFailed(
        ["publish_at"],
        hint=f"{time.isoformat()} {what} in {get_default_timezone_name()}, where the clocks change: send {either}.",
    )


def refuse_past(time: datetime | None, *, now: datetime) -> None:
    """Raise ``ValidationFailed`` for a time that has come, of a write that was not asked to publish."""
    if time is not None and time <= now:
        raise ValidationFailed(
            ["publish_at"],
            hint=f"This time has come: {_clock(now)} Leave publish_at out, or send a time in the future.",
        )


def refuse_long_past(time: datetime | None, *, now: datetime) -> None:
    """Raise ``ValidationFailed`` for a time that passed more than a day ago, of a write that publishes."""
    if time is not None and now - time > LONGEST_DELAY:
        raise ValidationFailed(
            ["publish_at"],
            hint=f"This time passed more than 24 hours ago: {_clock(now)} "
            "Leave publish_at out to publish now, or send a time in the future.",
        )


def _clock(now: datetime) -> str:
    there = now.astimezone(get_default_timezone()).isoformat(timespec="seconds")
    return f"it is {there}, and a time without offset is read in {get_default_timezone_name()}."
