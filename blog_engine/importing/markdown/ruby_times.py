"""Times as Ruby's ``Time.parse`` reads them, with which Jekyll reads dates: in many forms, 31 April is 1 May."""

import re
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Final

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]{{0,9}}\.?"
_CLOCK: Final = re.compile(
    r"(?<!\d)(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:[.,](?P<part>\d{1,9}))?)?"
    r"|h(?P<minute2>\d{2})?(?![a-z]))\s{0,4}(?P<half>[ap]\.?m\b\.?)?|(?P<hour2>\d{1,2})\s{0,4}(?P<half2>[ap]\.?m\b\.?))"
    r"\s{0,4}(?P<zone>[-+]\d{2}:?\d{2}(?!\d)|[-+]\d{2}(?!\d)|[a-z]{1,4}\b(?![-+/]))?"
)
_DATES: Final = tuple(
    re.compile(form)
    for form in (
        rf"(?<!\d)(?P<day>\d{{1,4}})(?:st|nd|rd|th)?[ -]{{0,4}}\b{_MONTH},?[ -]{{0,4}}'?(?P<year>\d{{1,4}})?(?!\d)",
        rf"\b{_MONTH}\s{{0,4}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s{{0,4}}'?(?P<year>\d{{2,4}})(?!\d))?",
        r"(?<!\d)(?P<year>\d{2,4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>\d{1,4})[/.] {0,4}(?P<number>\d{1,2})[/.] {0,4}(?P<day>\d{1,4})(?!\d)",
    )
)
_ZONES: Final = {
    **dict.fromkeys(("utc", "z", "ut", "gmt"), 0),
    **{"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7},
}
"""Hours; Ruby takes times with other names for local ones."""
_CENTURY: Final = 100
_TURN: Final = 69
"""From here on, two digits are a year of the 20th century."""
_MOST_DAYS: Final = 31


def ruby_time(text: str, zone: tzinfo, *, now: datetime) -> datetime | None:
    """Return the time that a short text spells; ``None`` if Ruby would refuse it.

    A time without offset is in ``zone``, and a day without year in the year of ``now``.
    """
    lower = text.lower()
    clock = _CLOCK.search(lower)
    dated = lower[: clock.start()] + " " + lower[clock.end() :] if clock else lower
    found = next(filter(None, (form.search(dated) for form in _DATES)), None)
    if found is None:
        return None
    parts = found.groupdict()
    year, day = parts.get("year"), parts["day"]
    # The one that is longer than two digits is the year.
    if len(day) > len("31") and len(year or "1") <= len("31"):
        year, day = day, year or "1"
    month = int(parts["number"]) if parts.get("number") else _MONTHS.index(parts["month"]) + 1
    moment = _day(_whole_year(year, now), month, int(day))
    if moment is None or clock is None:
        return moment and moment.replace(tzinfo=zone)
    return _at(moment, clock.groupdict(), zone)


def ruby_day(year: int, month: int, day: int, zone: tzinfo) -> datetime | None:
    """Return the beginning of a day, which may be past the end of its month; ``None`` if there is none."""
    found = _day(year, month, day)
    return found and found.replace(tzinfo=zone)


def _day(year: int, month: int, day: int) -> datetime | None:
    if not 1 <= day <= _MOST_DAYS:
        return None
    try:
        return datetime(year, month, 1) + timedelta(days=day - 1)  # noqa: DTZ001  callers add the time zone
    except (ValueError, OverflowError):
        return None


def _whole_year(year: str | None, now: datetime) -> int:
    if not year:
        return now.year
    if len(year) > len("99"):
        return int(year)
    return int(year) + (19 if int(year) >= _TURN else 20) * _CENTURY


def _at(day: datetime, parts: dict[str, str | None], zone: tzinfo) -> datetime | None:
    hour = int(parts["hour"] or parts["hour2"] or 0)
    half = (parts["half"] or parts["half2"] or "")[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return day.replace(
            hour=hour,
            minute=int(parts["minute"] or parts["minute2"] or 0),
            second=int(parts["second"] or 0),
            microsecond=int((parts["part"] or "0").ljust(6, "0")[:6]),
            tzinfo=_offset(parts["zone"]) or zone,
        )
    except ValueError:
        return None


def _offset(name: str | None) -> tzinfo | None:
    if not name:
        return None
    if name in _ZONES:
        return timezone(timedelta(hours=_ZONES[name]))
    if name[0] not in "+-":
        return None
    digits = name[1:].replace(":", "").ljust(4, "0")
    return timezone((-1 if name[0] == "-" else 1) * timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))
