"""Dates with the time of day, as the desk writes them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from pytest_django import Settings

from blog_engine.rules.dates import date_and_time

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
