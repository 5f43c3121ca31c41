from datetime import UTC, date, datetime

import pytest

from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.formats import Day, PublishAt, Timestamp
from blog_engine.inputs.types import Omittable
from tests.inputs.values import parameter_id, refusal_of_input
from tests.requirements import requirement


class Times(Input):
    day: Omittable[Day] = None
    publish_at: PublishAt = None
    timestamp: Omittable[Timestamp] = None


def read(field: str, value: object) -> object:
    return getattr(parse(Times, {field: value}), field)


def naive(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC).replace(tzinfo=None)


@pytest.mark.parametrize(
    ("sent", "day"), [("2026-02-28", date(2026, 2, 28)), (date(2024, 2, 29), date(2024, 2, 29))], ids=parameter_id
)
def test_a_real_day_is_read(sent: object, day: date) -> None:
    assert read("day", sent) == day


@pytest.mark.parametrize(
    "value",
    [
        "2026-02-30",
        "2026-2-3",
        "20260203",
        "2026-W05-2",
        "2026-02-03T00:00:00Z",
        " 2026-02-03",
        "2026-02-03\n",
        "0000-01-01",
        "٢٠٢٦-٠٢-٠٣",
        "",
        None,
        False,
        20260203,
        naive(2026, 2, 3),
    ],
    ids=parameter_id,
)
def test_anything_but_a_real_day_is_refused(value: object) -> None:
    assert refusal_of_input(Times, {"day": value}) == ("validation_failed", ["day"])


@pytest.mark.parametrize(
    ("sent", "time"),
    [
        ("2030-01-31T09:00:00Z", datetime(2030, 1, 31, 9, tzinfo=UTC)),
        ("2030-01-31t09:00:00z", datetime(2030, 1, 31, 9, tzinfo=UTC)),
        ("2030-01-31T09:00+02:00", datetime(2030, 1, 31, 7, tzinfo=UTC)),
        ("2030-01-31 09:00:00-0530", datetime(2030, 1, 31, 14, 30, tzinfo=UTC)),
        ("2030-01-31T09:00:00+02", datetime(2030, 1, 31, 7, tzinfo=UTC)),
        ("2030-01-31T09:00:00.1234567Z", datetime(2030, 1, 31, 9, 0, 0, 123456, tzinfo=UTC)),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
    ids=parameter_id,
)
def test_a_time_with_offset_becomes_utc(sent: str, time: datetime) -> None:
    both = [read("publish_at", sent), read("timestamp", sent)]

    assert both == [time, time]
    assert [str(one) for one in both] == [str(time), str(time)]


@pytest.mark.parametrize(
    ("sent", "time"),
    [
        ("2030-01-31T09:00", naive(2030, 1, 31, 9)),
        ("2030-01-31 09:00:00.5", naive(2030, 1, 31, 9, 0, 0, 500_000)),
        ("0001-01-02T00:00:00", naive(1, 1, 2)),
        ("9999-12-30T23:59:59", naive(9999, 12, 30, 23, 59, 59)),
    ],
    ids=parameter_id,
)
def test_a_time_without_offset_stays_naive_where_it_may(sent: str, time: datetime) -> None:
    assert read("publish_at", sent) == time
    assert refusal_of_input(Times, {"timestamp": sent}) == ("validation_failed", ["timestamp"])


def test_null_is_a_publication_time_but_no_timestamp() -> None:
    assert read("publish_at", None) is None
    assert refusal_of_input(Times, {"timestamp": None}) == ("validation_failed", ["timestamp"])


@requirement("api.input.unstorable")
@pytest.mark.parametrize("field", ["publish_at", "timestamp"], ids=parameter_id)
@pytest.mark.parametrize(
    "value",
    [
        "",
        "soon",
        "2030-01-31",
        "09:00",
        "09:00:00Z",
        "20300131T090000Z",
        "2030-W05-4T09:00:00Z",
        "2030-01-31T09Z",
        "2030-01-31T24:00:00Z",
        "2030-01-31T09:60:00Z",
        "2030-01-31T09:00:60Z",
        "2030-02-30T09:00:00Z",
        "2030-01-31T09:00:00+05:99",
        "2030-01-31T09:00:00+24:00",
        "2030-01-31T09:00:00,5Z",
        "2030-01-31T09:00:00 Z",
        "2030-01-31T09:00:00Z\n",
        "2030-01-31_09:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "0001-01-01T12:00:00",
        "9999-12-31T00:00:00",
        1893488400,
        1.5,
        True,
        [],
        {},
        date(2030, 1, 31),
    ],
    ids=parameter_id,
)
def test_anything_but_a_time_in_range_is_refused(field: str, value: object) -> None:
    assert refusal_of_input(Times, {field: value}) == ("validation_failed", [field])
