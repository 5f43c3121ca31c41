"""How times are written."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from blog_engine.outputs.base import Output, UTCMilliseconds, UTCSeconds

MOMENT = datetime(2026, 10, 3, 20, 59, 5, 711_999, tzinfo=UTC)


class Times(Output):
    seconds: UTCSeconds
    milliseconds: UTCMilliseconds


def test_moments_are_written_in_utc_and_cut_not_rounded() -> None:
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))
    written = Times(seconds=elsewhere, milliseconds=elsewhere).model_dump(mode="json")
    assert written == {"seconds": "2026-10-03T20:59:05Z", "milliseconds": "2026-10-03T20:59:05.711Z"}


@pytest.mark.parametrize(("year", "start"), [(752, "0752-10-03T"), (1, "0001-10-03T")])
def test_years_have_four_digits(year: int, start: str) -> None:
    moment = MOMENT.replace(year=year)
    written = Times(seconds=moment, milliseconds=moment).model_dump(mode="json")
    assert written["seconds"].startswith(start)
    assert written["milliseconds"].startswith(start)
