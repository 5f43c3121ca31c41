"""Outputs built from rows and results, without validation."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import pytest
from pydantic import Field

from blog_engine.outputs.base import Output, UTCMilliseconds, UTCSeconds


class Season(StrEnum):
    WINTER = "winter"


class Bed(Output):
    name: str


class Garden(Output):
    id: int
    kind: Season = Field(validation_alias="season")
    kinds: list[Season]
    first: Bed | None
    beds: list[Bed]
    names: list[str]
    dug_at: UTCSeconds | None
    class_: str = Field(serialization_alias="class")


@dataclass(frozen=True)
class Row:
    id: int = 7
    season: str = "winter"
    kinds: tuple[str, ...] = ("winter",)
    first: Any = None
    beds: tuple[Any, ...] = ()
    names: tuple[str, ...] = ("clay", "loam")
    dug_at: datetime | None = datetime(2026, 11, 22, 21, 13, 19, 999_999, tzinfo=UTC)
    class_: str = "kitchen"


@dataclass(frozen=True)
class BedRow:
    name: str


def test_fields_are_attributes_in_the_order_of_the_output() -> None:
    made = Garden.from_attributes(Row())

    assert made == Garden.model_validate(vars(Row()))
    assert made.model_dump_json() == (
        '{"id":7,"kind":"winter","kinds":["winter"],"first":null,"beds":[],"names":["clay","loam"],'
        '"dug_at":"2026-11-22T21:13:19Z","class":"kitchen"}'
    )


def test_values_come_before_attributes() -> None:
    made = Garden.from_attributes(Row(), dug_at=None, kind="winter", class_="herbs")

    assert (made.id, made.dug_at, made.kind, made.class_) == (7, None, Season.WINTER, "herbs")


@pytest.mark.parametrize("bed", [BedRow("clay"), {"name": "clay"}, Bed(name="clay")])
def test_objects_become_outputs(bed: object) -> None:
    made = Garden.from_attributes(Row(first=bed, beds=(bed, bed)))

    assert made.first == Bed(name="clay")
    assert made.beds == [Bed(name="clay")] * 2
    assert made.model_dump()["first"] == {"name": "clay"}


def test_an_output_cannot_be_changed() -> None:
    made = Garden.from_attributes(Row())

    with pytest.raises(ValueError, match="frozen"):
        made.id = 8  # type: ignore[misc]


@pytest.mark.parametrize("values", [{"kind": "summer"}, {"first": object()}, {"first": {}}])
def test_what_cannot_be_converted_is_an_error(values: dict[str, Any]) -> None:
    with pytest.raises((ValueError, AttributeError, KeyError)):
        Garden.from_attributes(Row(), **values)


@pytest.mark.parametrize("values", [{"id": "seven"}, {"names": ["clay", 8]}])
def test_a_value_of_another_type_is_reported_when_it_is_written(values: dict[str, Any]) -> None:
    """A warning, which is an error in every test that asks for an answer."""
    made = Garden.from_attributes(Row(), **values)

    with pytest.warns(UserWarning, match="Pydantic serializer warnings"):
        made.model_dump_json()


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
