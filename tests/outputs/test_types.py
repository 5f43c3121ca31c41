"""How times are written (decisions.md 4)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from blog_engine.outputs.base import to_milliseconds, to_seconds

MOMENT = datetime(2026, 10, 3, 20, 59, 5, 711_999, tzinfo=UTC)


def test_moments_are_written_in_utc_and_cut_not_rounded() -> None:
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert to_seconds(elsewhere) == "2026-10-03T20:59:05Z"
    assert to_milliseconds(elsewhere) == "2026-10-03T20:59:05.711Z"


@pytest.mark.parametrize("write", [to_seconds, to_milliseconds])
def test_years_have_four_digits(write) -> None:
    assert write(MOMENT.replace(year=752)).startswith("0752-10-03T")
    assert write(MOMENT.replace(year=1)).startswith("0001-10-03T")
