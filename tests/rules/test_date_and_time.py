"""Dates with the time of day: as the desk writes them, and for machines."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from pytest_django import Settings

from blog_engine.rules.dates import date_and_time, iso_date
from tests.requirements import requirement

MOMENT = datetime(2026, 11, 23, 22, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "zone", "words"),
    [
        ("en", None, "Nov. 23, 2026, 22:05"),
        ("en", "Asia/Kolkata", "Nov. 24, 2026, 03:35"),
        ("de", "Europe/Berlin", "23. November 2026, 23:05"),
        ("it", None, "23 novembre 2026, 22:05"),
    ],
)
def test_a_date_with_the_time_of_day(language: str, zone: str | None, words: str) -> None:
    with translation.override(language):
        assert date_and_time(MOMENT, ZoneInfo(zone) if zone else None) == words


def test_the_time_zone_of_the_site_is_the_default(settings: Settings) -> None:
    settings.TIME_ZONE = "America/New_York"

    assert date_and_time(MOMENT) == "Nov. 23, 2026, 17:05"


@requirement("pages.dates.offset")
@pytest.mark.parametrize(
    ("zone", "moment", "written"),
    [
        ("Asia/Kathmandu", datetime(1899, 12, 31, 23, tzinfo=UTC), "1900-01-01T04:41:00+05:41"),
        ("America/New_York", datetime(1883, 1, 1, 12, tzinfo=UTC), "1883-01-01T07:04:00-04:56"),
        ("Europe/Paris", datetime(1890, 6, 1, 12, 0, 7, tzinfo=UTC), "1890-06-01T12:09:07+00:09"),
        ("Africa/Monrovia", datetime(1971, 5, 4, 3, 2, 1, tzinfo=UTC), "1971-05-04T02:18:01-00:44"),
        ("Asia/Kathmandu", datetime(2026, 11, 23, 22, 5, tzinfo=UTC), "2026-11-24T03:50:00+05:45"),
    ],
)
def test_an_offset_with_seconds_is_rounded_and_the_moment_stays(
    settings: Settings, zone: str, moment: datetime, written: str
) -> None:
    settings.TIME_ZONE = zone

    assert iso_date(moment) == written
    assert datetime.fromisoformat(written) == moment
