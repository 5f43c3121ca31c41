"""Dates as pages write them."""

from datetime import UTC, date, datetime

import pytest
from django.test import override_settings

from blog_engine.surface_report.page_facts import PageDate, day_of, is_after, is_same, read_date

DAY = date(2026, 11, 21)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-11-21", DAY),
        (" 20261121\n", DAY),
        ("2026-11-21T12:00:00Z", NOON),
        ("2026-11-21T12:00", NOON),
        ("2026-11-21 21:00:00+09:00", NOON),
    ],
)
def test_a_day_or_a_moment_is_read(text: str, written: PageDate) -> None:
    found = read_date(text)

    assert (type(found), found) == (type(written), written)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026", "2026-11", "2026-13-01", "21.11.2026", "2026-11-21T25:00Z", "٢٠٢٦-11-21", "9" * 5000, "\ud800"),
        *("0001-01-01T00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-21T12:00:00+99:00"),
    ],
)
def test_anything_else_is_no_date(text: str) -> None:
    assert read_date(text) is None


@override_settings(TIME_ZONE="Pacific/Kiritimati")
def test_a_time_without_offset_is_that_of_the_site() -> None:
    moment = read_date("2026-11-22T02:00")

    assert moment == NOON
    assert day_of(NOON) == date(2026, 11, 22)
    assert is_same(date(2026, 11, 22), NOON)
    assert is_after(NOON, DAY)


@pytest.mark.parametrize(
    ("one", "other", "same", "after"),
    [
        (NOON, NOON.replace(microsecond=999_999), True, False),
        (NOON.replace(second=1), NOON, False, True),
        (NOON, NOON.replace(second=1), False, False),
        (DAY, NOON, True, False),
        (date(2026, 11, 22), NOON, False, True),
        (NOON, date(2026, 11, 20), False, True),
        (DAY, DAY, True, False),
    ],
)
def test_days_are_compared_by_day_and_moments_to_the_second(
    one: PageDate, other: PageDate, same: bool, after: bool
) -> None:
    assert (is_same(one, other), is_after(one, other)) == (same, after)
