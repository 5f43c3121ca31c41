"""Days and times as texts of ISO 8601; strict mode would refuse them (design.md 1.1)."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OFFSET = "[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?"
_TIME = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt ][0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?({_OFFSET})?"
)

_EARLIEST_LOCAL = date.min + timedelta(days=1)
_LATEST_LOCAL = date.max - timedelta(days=1)


def _read_day(value: object) -> object:
    if isinstance(value, str):
        if not _DAY.fullmatch(value):
            raise PydanticCustomError("expected", "a date written YYYY-MM-DD")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise PydanticCustomError("expected", "a date that exists, written YYYY-MM-DD") from None
    return value


def _read_time(value: object) -> object:
    if isinstance(value, str):
        if not _TIME.fullmatch(value):
            raise PydanticCustomError("expected", "a date and time such as 2030-01-31T09:00:00Z")
        try:
            return datetime.fromisoformat(value.upper())
        except ValueError:
            raise PydanticCustomError("expected", "a time that exists, such as 2030-01-31T09:00:00Z") from None
    return value


def _in_range(time: datetime) -> datetime:
    if time.tzinfo is None:
        # The zone that the service adds shifts it by less than a day.
        if _EARLIEST_LOCAL <= time.date() <= _LATEST_LOCAL:
            return time
    else:
        with suppress(OverflowError):
            return time.astimezone(UTC)
    raise PydanticCustomError("expected", "a time in the years 1 to 9999 of UTC")


def _with_offset(time: datetime) -> datetime:
    if time.tzinfo is None:
        raise PydanticCustomError("expected", "a date and time with an offset, such as 2030-01-31T09:00:00Z")
    return time


Day = Annotated[date, BeforeValidator(_read_day, json_schema_input_type=date)]
"""Exactly ``YYYY-MM-DD`` and a real date."""

LocalTime = Annotated[datetime, AfterValidator(_in_range), BeforeValidator(_read_time, json_schema_input_type=datetime)]
"""A date-time whose offset may be missing: aware ones come as UTC, others naive, for the service to localise."""

Timestamp = Annotated[
    datetime,
    AfterValidator(_with_offset),
    AfterValidator(_in_range),
    BeforeValidator(_read_time, json_schema_input_type=datetime),
]
"""A date-time with offset, as UTC."""

PublishAt = LocalTime | None
"""When a post is to appear; null cancels a schedule (decisions.md 9.17)."""
