"""The base class of outputs, their types of time, and the context that some are built with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Self, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from blog_engine.actor import Call
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.text import in_utc
from blog_engine.enums import PolicyKind
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.records import Listed


class Output(BaseModel):
    """An answer: its keys are its fields, in their order."""

    # By alias: "class" and "from" are keys of answers, but no names of attributes.
    model_config = ConfigDict(
        frozen=True, serialize_by_alias=True, json_schema_serialization_defaults_required=True, defer_build=True
    )

    @classmethod
    def from_attributes(cls, source: object, /, **values: Any) -> Self:
        """Return the output whose fields are attributes of `source`; `values` are the fields that it lacks.

        Nothing is validated: the sources are rows and results of our own. Texts become the enumeration of the field,
        and objects, also those in lists, its output.
        """
        found = {}
        read = source.__getitem__ if isinstance(source, Mapping) else partial(getattr, source)
        for name, attribute, convert in _fields_of(cls):
            value = values[name] if name in values else read(attribute)
            found[name] = value if convert is None or value is None else convert(value)
        return cls.with_keys(found)

    @classmethod
    def with_keys(cls, found: Mapping[str, Any]) -> Self:
        """Return the output of these values by the names of its fields; the answer has no other keys."""
        made = cls.__new__(cls)
        # As unpickling does. ``model_construct()`` takes longer than validation.
        made.__setstate__(
            {
                "__dict__": dict(found),
                "__pydantic_fields_set__": set(found),
                "__pydantic_extra__": None,
                "__pydantic_private__": None,
            }
        )
        return made


class ListOutput(Output):
    """One page of a list: its first field has the rows, the others say which page it is."""

    @classmethod
    def of(cls, listed: Listed[Any]) -> Self:
        """Return a page of rows as queries listed them."""
        rows, *_ = cls.model_fields
        return cls.from_attributes({rows: listed.rows, **listed.place})


_Convert: TypeAlias = Callable[[Any], Any]


@cache
def _fields_of(output: type[Output]) -> tuple[tuple[str, str, _Convert | None], ...]:
    """Return the name of each field, the attribute that it is read from, and what converts its value."""
    fields = output.model_fields.items()
    return tuple((name, str(field.validation_alias or name), _converter(field.annotation)) for name, field in fields)


def _converter(kind: Any) -> _Convert | None:
    """Return what makes a value of this type from one that is not ``None``; ``None`` for values that stay."""
    arguments = get_args(kind)
    if get_origin(kind) is Annotated:
        return _converter(arguments[0])
    if get_origin(kind) in {Union, UnionType}:
        [kind] = (one for one in arguments if one is not NoneType)
        return _converter(kind)
    if get_origin(kind) is list:
        convert = _converter(arguments[0])
        return list if convert is None else lambda values: [convert(value) for value in values]
    if not isinstance(kind, type):
        return None
    if issubclass(kind, Output):
        return lambda value: value if isinstance(value, kind) else kind.from_attributes(value)
    return kind if issubclass(kind, Enum) else None


_DATE_TIME = WithJsonSchema({"type": "string", "format": "date-time"})

UTCSeconds = Annotated[datetime, PlainSerializer(partial(in_utc, timespec="seconds"), return_type=str), _DATE_TIME]
"""A time of posts and other current state: ``2026-10-03T20:59:05Z``."""

UTCMilliseconds = Annotated[
    datetime, PlainSerializer(partial(in_utc, timespec="milliseconds"), return_type=str), _DATE_TIME
]
"""A time of the history: ``2026-10-03T20:59:05.711Z``."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The context of an answer about posts."""

    urls: BlogURLs
    now: datetime
    has_responsible_party: bool
    """Whether the blog names a responsible party."""
    by_words: bool = False
    """Whether differences show words instead of lines."""

    @classmethod
    def of(cls, call: Call) -> "AnswerContext":
        """Return the context of the answer to a call; at most one query."""
        return cls(
            urls=BlogURLs.on(call.base_url),
            now=call.now,
            has_responsible_party=find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None,
            by_words=call.by_words,
        )
