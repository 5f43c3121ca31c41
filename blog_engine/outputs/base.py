"""Base class, types and context of outputs."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, WithJsonSchema

from blog_engine.actor import Call
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.text import in_utc
from blog_engine.enums import PolicyKind
from blog_engine.queries.policies import policy_url


class Output(BaseModel):
    """An answer; its keys are exactly its fields, in their order."""

    # By alias: class and from are keys of answers, but can be no attributes.
    model_config = ConfigDict(frozen=True, serialize_by_alias=True, json_schema_serialization_defaults_required=True)


Instant = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
Day = Annotated[str, WithJsonSchema({"type": "string", "format": "date"})]


def to_seconds(time: datetime) -> str:
    """``2026-10-03T20:59:05Z``: the form of post objects (records.md 7)."""
    return in_utc(time, "seconds")


def seconds_or_none(time: datetime | None) -> str | None:
    return to_seconds(time) if time else None


def to_milliseconds(time: datetime) -> str:
    """``2026-10-03T20:59:05.711Z``: the form of history objects (records.md 7)."""
    return in_utc(time, "milliseconds")


def milliseconds_or_none(time: datetime | None) -> str | None:
    return to_milliseconds(time) if time else None


def day_or_none(day: date | None) -> str | None:
    return day.isoformat() if day else None


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The addresses and the time of an answer, and whether the blog names a responsible party."""

    addresses: BlogURLs
    now: datetime
    has_responsible_party: bool

    @classmethod
    def of(cls, call: Call) -> "AnswerContext":
        """Costs at most one query."""
        return cls(
            addresses=BlogURLs.on(call.base_url),
            now=call.now,
            has_responsible_party=policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None,
        )
