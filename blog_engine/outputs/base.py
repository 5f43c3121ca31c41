"""The base class of outputs, their types of time, and the context that some are built with."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from blog_engine.actor import Call
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.text import in_utc
from blog_engine.enums import PolicyKind
from blog_engine.queries.policies import find_policy_url


class _Overlay:
    """The attributes of an object, with `values` in front of them."""

    def __init__(self, source: object, values: dict[str, Any]) -> None:
        self._source = source
        self._values = values

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__["_values"]
        return values[name] if name in values else getattr(self._source, name)


class Output(BaseModel):
    """An answer: its keys are its fields, in their order."""

    # By alias: "class" and "from" are keys of answers, but no names of attributes.
    model_config = ConfigDict(
        frozen=True, from_attributes=True, serialize_by_alias=True, json_schema_serialization_defaults_required=True
    )

    @classmethod
    def from_attributes(cls, source: object, /, **values: Any) -> Self:
        """Return the output whose fields are attributes of `source`; `values` are the fields that it lacks."""
        return cls.model_validate(_Overlay(source, values) if values else source)


_DATE_TIME = WithJsonSchema({"type": "string", "format": "date-time"})

UTCSeconds = Annotated[datetime, PlainSerializer(partial(in_utc, timespec="seconds"), return_type=str), _DATE_TIME]
"""A time of posts and other current state: ``2026-10-03T20:59:05Z``."""

UTCMilliseconds = Annotated[
    datetime, PlainSerializer(partial(in_utc, timespec="milliseconds"), return_type=str), _DATE_TIME
]
"""A time of the history: ``2026-10-03T20:59:05.711Z``."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What an answer about posts depends on besides the posts."""

    urls: BlogURLs
    now: datetime
    has_responsible_party: bool
    """Whether the blog names a responsible party."""

    @classmethod
    def of(cls, call: Call) -> "AnswerContext":
        """Return the context of the answer to a call; at most one query."""
        return cls(
            urls=BlogURLs.on(call.base_url),
            now=call.now,
            has_responsible_party=find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None,
        )
