"""The time zone of a person at the desk, which a cookie of the browser remembers, and planned times in it."""

from datetime import datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from blog_engine.rules.dates import date_and_time

ZONE_COOKIE: Final = "blog_engine_zone"
"""A script stores the zone of the browser there, and the form of a schedule the one that was chosen."""
_A_YEAR: Final = 365 * 24 * 60 * 60


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones())


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of time zones that a form suggests."""
    regions = ("Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/", "Australia/", "Europe/")
    return (
        "UTC",
        *sorted(name for name in known_zones() if name.startswith((*regions, "Indian/", "Pacific/"))),
    )


def zone_of(request: HttpRequest) -> str:
    """Return the name of the time zone in which the person plans; that of the site until one is known."""
    stored = request.COOKIES.get(ZONE_COOKIE, "")
    return stored if stored in known_zones() else timezone.get_default_timezone_name()


def remember_zone(response: HttpResponse, zone: str, *, request: HttpRequest) -> None:
    """Let the browser remember a time zone."""
    response.set_cookie(ZONE_COOKIE, zone, max_age=_A_YEAR, secure=request.is_secure(), samesite="Lax")


def planned_moment(moment: datetime | None, zone: str) -> str:
    """Return a time that is to come, in a time zone and with its name."""
    if moment is None:
        return _("an unknown time")
    return _("%(time)s (%(zone)s)") % {"time": date_and_time(moment, ZoneInfo(zone)), "zone": zone}


def moment_in_words(moment: datetime, zone: str) -> str:
    """Return a time in a zone, and in that of the site if it is another one."""
    site = timezone.get_default_timezone_name()
    if zone == site:
        return planned_moment(moment, zone)
    there = date_and_time(moment, ZoneInfo(zone))
    here = date_and_time(moment, timezone.get_default_timezone())
    both = {"time": there, "zone": zone, "here": here, "site": site}
    return _("%(time)s (%(zone)s), which is %(here)s in the time zone of the site (%(site)s)") % both
