"""The types of settings.

Each type has a ``Requirement``, the text for error messages and ``docs/reference/settings.md``.
"""

import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

from blog_engine.content.languages import normalized_language
from blog_engine.enums import AuthorType, BodyFormat, EmbedProvider, EventType, Provenance

RESERVED_SEGMENTS = frozenset(
    {"feed", "search", "preview", "media", "policies", "api", "mcp", "sitemap", "checkpoints", "archive", "subscribe"}
)
"""First path segments below the mount that the engine uses itself (pages.article.reserved-slugs)."""

YIELDING_SEGMENTS = frozenset({"archive", "subscribe"})
"""Those whose page gives way to a post that had the slug before they were reserved (pages.browse.older-posts)."""

_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?/?", re.IGNORECASE)
_LONGEST_DURATION = timedelta(days=36_500)


@dataclass(frozen=True)
class Requirement:
    """The requirement on a value: the text after "must be"."""

    text: str


def tuple_of_list(value: object) -> object:
    """Return a list as a tuple, and anything else as it is."""
    return tuple(value) if isinstance(value, list) else value


def _nonblank(value: str) -> str:
    if not value.strip():
        raise ValueError("blank")
    return value


def _absolute_url(value: str) -> str:
    if not re.fullmatch(r"[\x21-\x7e]+", value):
        raise ValueError("characters that a URL cannot have")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("not absolute")
    if parts.port == 0:
        raise ValueError("no such port")
    return value


def checked_origin(value: str) -> str:
    """Return an origin in lower case without final ``/``, or raise ``ValueError``."""
    if not _ORIGIN.fullmatch(value):
        raise ValueError("not an origin")
    return _absolute_url(value).lower().removesuffix("/")


def _issuer(value: str) -> str:
    """Return the identifier of an authorization server, or raise ``ValueError`` (RFC 8414, section 2)."""
    if "?" in value or "#" in value:
        raise ValueError("query or fragment")
    return _absolute_url(value)


def _tuple_of_issuers(value: object) -> object:
    return (value,) if isinstance(value, str) else tuple_of_list(value)


def _duration(value: object) -> object:
    if type(value) is int and 0 < value <= _LONGEST_DURATION.total_seconds():
        return timedelta(seconds=value)
    return value


def _duration_in_range(value: timedelta) -> timedelta:
    if not timedelta() < value <= _LONGEST_DURATION:
        raise ValueError("out of range")
    return value


def _compile(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return re.compile(value)
    except re.error as error:
        raise ValueError("not a regular expression") from error


def _free_segment(value: str) -> str:
    if value in RESERVED_SEGMENTS:
        raise ValueError("reserved")
    return value


def _signing_key(value: object) -> object:
    """Return the bytes of a secret in the form of Standard Webhooks."""
    if not isinstance(value, str) or not value.startswith("whsec_"):
        raise ValueError("no prefix")
    key = b64decode(value.removeprefix("whsec_"), validate=True)
    if not 24 <= len(key) <= 64:
        raise ValueError("too short or too long")
    return key


def _language_code(value: str) -> str:
    if normalized_language(value.replace("_", "-")) is None:
        raise ValueError("no language tag")
    return value


def _dotted_path(value: str) -> str:
    parts = value.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        raise ValueError("not a dotted path")
    return value


Text = Annotated[str, AfterValidator(_nonblank), Requirement("text that is not blank")]
OptionalText = Annotated[str | None, Requirement("text or `None`")]
Count = Annotated[int, Field(ge=1), Requirement("a whole number, at least 1")]
OptionalCount = Annotated[int | None, Field(ge=1), Requirement("a whole number, at least 1, or `None`")]
CountOrZero = Annotated[int, Field(ge=0), Requirement("a whole number, at least 0")]
PixelCount = Annotated[int, Field(ge=1, le=50_000_000), Requirement("a whole number from 1 to 50,000,000")]
Days = Annotated[int, Field(ge=1, le=36_500), Requirement("a whole number from 1 to 36,500")]
ListLength = Annotated[int, Field(ge=1, le=100), Requirement("a whole number from 1 to 100")]

LanguageCode = Annotated[
    str,
    AfterValidator(_language_code),
    Requirement('a language code such as `"en"` or `"pt-br"`'),
]
Origin = Annotated[
    Annotated[str, AfterValidator(checked_origin)] | None,
    Requirement('an http(s) URL without path, query, fragment and user, such as `"https://example.com"`, or `None`'),
]
Origins = Annotated[
    tuple[Annotated[str, AfterValidator(checked_origin)], ...],
    BeforeValidator(tuple_of_list),
    Requirement('a list of http(s) URLs without path, query, fragment and user, such as `["https://app.example"]`'),
]
WebURL = Annotated[
    Annotated[str, AfterValidator(_absolute_url)] | None, Requirement("an absolute http(s) URL or `None`")
]
AbsoluteURL = Annotated[str, AfterValidator(_absolute_url), Requirement("an absolute http(s) URL")]
ReceiverURL = AbsoluteURL
SigningKey = Annotated[
    bytes,
    BeforeValidator(_signing_key),
    Requirement("`whsec_` and 24 to 64 random bytes in Base64, as Standard Webhooks has it"),
]
EventTypes = Annotated[
    tuple[Annotated[EventType, Field(strict=False)], ...],
    Field(min_length=1),
    BeforeValidator(tuple_of_list),
    Requirement(f"a list out of {', '.join(f'`{event}`' for event in EventType)}"),
]
IndexNowKey = Annotated[
    Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{8,128}$")] | None,
    Requirement("8 to 128 ASCII letters, digits and hyphens, or `None`"),
]
Link = Annotated[str | None, Requirement("an http(s) URL, a path on this site, or `None`")]
Segment = Annotated[
    str,
    Field(pattern=r"^[a-z0-9]+([-_][a-z0-9]+)*$", max_length=200),
    AfterValidator(_free_segment),
    Requirement(
        "lower-case ASCII letters and digits, in groups joined by single `-` or `_`, and none of "
        + ", ".join(f"`{name}`" for name in sorted(RESERVED_SEGMENTS))
    ),
]
PathPrefixes = Annotated[
    tuple[Annotated[str, Field(pattern=r"^/([^/]|$)")], ...] | None,
    BeforeValidator(tuple_of_list),
    Requirement("a list of paths that start with a single `/`, or `None`"),
]
Template = Annotated[str, AfterValidator(_nonblank), Requirement("the name of a template")]
StorageAlias = Annotated[str, AfterValidator(_nonblank), Requirement("an alias of `STORAGES`")]
Color = Annotated[
    str,
    Field(pattern=r"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"),
    Requirement("a colour written `#rgb`, `#rrggbb` or `#rrggbbaa`"),
]

WritableFormat = Annotated[BodyFormat, Field(strict=False)]
DefaultFormat = Annotated[WritableFormat, Requirement('one of `body_formats`; default: `"markdown"`')]
WritableFormats = Annotated[
    tuple[WritableFormat, ...],
    Field(min_length=1),
    BeforeValidator(tuple_of_list),
    Requirement('a list with `"markdown"`, `"rich_text"` or both'),
]
ImageTypes = Annotated[
    tuple[Annotated[str, Field(pattern=r"^image/[a-z0-9][a-z0-9.+-]*$")], ...],
    BeforeValidator(tuple_of_list),
    Requirement('a list of media types such as `"image/png"`'),
]
KindOfAuthor = Annotated[AuthorType, Field(strict=False), Requirement('`"person"` or `"organization"`')]
StatedProvenance = Annotated[
    Provenance, Field(strict=False), Requirement('`"ai_assisted"`, `"human_written"` or `"unknown"`')
]

Duration = Annotated[
    timedelta,
    AfterValidator(_duration_in_range),
    BeforeValidator(_duration),
    Requirement("a whole number of seconds or a `timedelta`, more than 0 and at most 36,500 days"),
]
Issuers = Annotated[
    tuple[Annotated[str, AfterValidator(_issuer)], ...] | None,
    BeforeValidator(_tuple_of_issuers),
    Requirement("an absolute http(s) URL without query and fragment, a list of such URLs, or `None`"),
]
Rate = Annotated[
    str,
    Field(pattern=r"^[1-9][0-9]{0,8}/([1-9][0-9]{0,4})?[smhd]$"),
    Requirement(
        'a rate such as `"120/m"`: a count, `/`, then `s`, `m`, `h` or `d`, or several of them as in `"10/5m"`'
    ),
]
Pattern = Annotated[
    re.Pattern[str], BeforeValidator(_compile), Requirement("a regular expression as text or compiled from text")
]

_DottedPath = Annotated[str, AfterValidator(_dotted_path)]
RequestHook = Annotated[
    _DottedPath | Callable[..., object] | None,
    Requirement("a callable that takes one positional argument, its dotted path, or `None`"),
]
PublishHook = Annotated[
    _DottedPath | Callable[..., object] | None,
    Requirement("a callable that takes two positional arguments, its dotted path, or `None`"),
]
MarkdownPlugins = Annotated[
    tuple[_DottedPath | Callable[..., object], ...],
    BeforeValidator(tuple_of_list),
    Requirement("a list of callables that take one positional argument, or of their dotted paths"),
]
Diagrams = Annotated[
    dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_+-]{0,39}$")], Annotated[str, AfterValidator(_nonblank)]],
    Requirement("a dictionary from a language in lower case to the path of a script below `STATIC_URL`"),
]
Embeds = Annotated[
    tuple[Annotated[EmbedProvider, Field(strict=False)], ...],
    BeforeValidator(tuple_of_list),
    Requirement(f"a list out of {', '.join(f'`{provider}`' for provider in EmbedProvider)}"),
]
ViewMixin = Annotated[_DottedPath | type | None, Requirement("a class, its dotted path, or `None`")]
