"""Formats of values: times, paths and URLs."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Annotated
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, WithJsonSchema
from pydantic_core import PydanticCustomError

from blog_engine.content.languages import normalized_language
from blog_engine.content.text import MAX_SLUG_LENGTH, is_slug
from blog_engine.content.urls import is_safe_link, split_http_url
from blog_engine.inputs.hints import VOID
from blog_engine.inputs.types import LinkText, ShortText, blank_is_null, null_is_empty

_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OFFSET = "[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?"
_TIME = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt ][0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?({_OFFSET})?"
)

_EARLIEST_LOCAL = date.min + timedelta(days=1)
_LATEST_LOCAL = date.max - timedelta(days=1)


def _read_day(value: object) -> object:
    if isinstance(value, str):
        if not _DAY.fullmatch(value):
            raise PydanticCustomError("expected", "a date written YYYY-MM-DD")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise PydanticCustomError("expected", "a date that exists, written YYYY-MM-DD") from None
    return value


def _read_time(value: object) -> object:
    if isinstance(value, str):
        if not _TIME.fullmatch(value):
            raise PydanticCustomError("expected", "a date and time such as 2030-01-31T09:00:00Z")
        try:
            return datetime.fromisoformat(value.upper())
        except ValueError:
            raise PydanticCustomError("expected", "a time that exists, such as 2030-01-31T09:00:00Z") from None
    return value


def _in_range(time: datetime) -> datetime:
    if time.tzinfo is None:
        # The time zone that the service adds shifts it by less than a day.
        if _EARLIEST_LOCAL <= time.date() <= _LATEST_LOCAL:
            return time
    else:
        with suppress(OverflowError):
            return time.astimezone(UTC)
    raise PydanticCustomError("expected", "a time in the years 1 to 9999 of UTC")


def _with_offset(time: datetime) -> datetime:
    if time.tzinfo is None:
        raise PydanticCustomError("expected", "a date and time with an offset, such as 2030-01-31T09:00:00Z")
    return time


Day = Annotated[date, BeforeValidator(_read_day, json_schema_input_type=date)]
"""Exactly ``YYYY-MM-DD`` and a real date."""

_TIME_AS_TEXT = BeforeValidator(_read_time, json_schema_input_type=datetime)

LocalTime = Annotated[datetime, AfterValidator(_in_range), _TIME_AS_TEXT]
"""A date and time whose offset can be missing: in UTC, or naive for the service to localise."""

Timestamp = Annotated[datetime, AfterValidator(_with_offset), AfterValidator(_in_range), _TIME_AS_TEXT]
"""A date and time with offset, in UTC."""


_AT_ONCE = frozenset(["now", "immediately", "asap", "today"])


def _refuse_unsaid_time(value: object) -> object:
    """Refuse a text that names no time of day: a caller would make one up."""
    text = value.strip().lower() if isinstance(value, str) else ""
    if isinstance(value, str) and text in {"", *VOID}:
        raise PydanticCustomError("expected", "a date and time that was asked for, null to cancel a schedule")
    if text in _AT_ONCE:
        raise PydanticCustomError("expected", "a date and time, or left out: a call that publishes does it at once")
    if _DAY.fullmatch(text):
        raise PydanticCustomError(
            "expected", "a date with the time of day that was asked for, such as 2030-01-31T09:00:00Z"
        )
    return value


PublishAt = Annotated[LocalTime | None, BeforeValidator(_refuse_unsaid_time, json_schema_input_type=datetime | None)]
"""When a post is to be published; null cancels a schedule."""


_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+")


def _absolute(link: str) -> str:
    if split_http_url(link) is None:
        raise PydanticCustomError("expected", "an absolute http or https URL")
    return link


def _absolute_or_null(link: str | None) -> str | None:
    return None if link is None else _absolute(link)


def _uri(text: str) -> str:
    if not _URI.fullmatch(text):
        raise PydanticCustomError("expected", "a URI, such as https://old.example/?p=17 or urn:uuid:…, in ASCII")
    return text


def has_dot_segments(path: str) -> bool:
    """Return whether a path has ``.`` or ``..`` segments, which browsers remove before they request it."""
    return not {".", ".."}.isdisjoint(unquote(path).split("/"))


def _target(link: str) -> str:
    if is_slug(link) and len(link) <= MAX_SLUG_LENGTH:
        return link
    if not is_safe_link(link):
        raise PydanticCustomError("expected", "a slug, a path that starts with /, or an absolute http or https URL")
    if has_dot_segments(urlsplit(link).path):
        raise PydanticCustomError("expected", "a target without . and .. segments")
    return link


def _language(text: str) -> str:
    tag = normalized_language(text)
    if tag is None:
        raise PydanticCustomError("expected", "a language tag (BCP 47), such as de, pt-BR or zh-Hans")
    return tag


def _language_or_empty(text: str) -> str:
    return _language(text) if text.strip() else ""


LanguageTag = Annotated[ShortText, AfterValidator(_language)]
"""A language tag (RFC 5646) in its usual case."""

LanguageTagOrEmpty = Annotated[
    ShortText, AfterValidator(_language_or_empty), BeforeValidator(null_is_empty, json_schema_input_type=ShortText)
]
"""As ``LanguageTag``; null and blank are empty."""

HttpLink = Annotated[LinkText, AfterValidator(_absolute)]
"""An absolute http(s) URL with host, kept as sent."""

HttpUrl = Annotated[
    LinkText | None, BeforeValidator(blank_is_null, json_schema_input_type=LinkText), AfterValidator(_absolute_or_null)
]
"""As ``HttpLink``; blank is null, which no schema offers (``Clearable``)."""

HttpUrlOrNull = Annotated[HttpUrl, WithJsonSchema(TypeAdapter(LinkText | None).json_schema())]
"""As ``HttpUrl``; its schema offers null."""

FeedId = Annotated[LinkText, AfterValidator(_uri)]
"""An absolute URI of any scheme (RFC 3986), kept as sent."""

RedirectTarget = Annotated[LinkText, AfterValidator(_target)]
"""A slug, a root-relative path or an absolute URL without user info, kept as sent; the service resolves it."""
