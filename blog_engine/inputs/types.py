"""Types of input values."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

from blog_engine.conf import get_settings
from blog_engine.content.text import MAX_SLUG_LENGTH, MOST_MARKS, has_long_mark_run, is_slug
from blog_engine.enums import BodyFormat

SHORT_TEXT = 255
LINK_LENGTH = 2048
LONGEST_BODY = 3 * 1024 * 1024
"""Characters of a body, as many as fit into a request to the API; the service has a smaller limit."""
LONGEST_TEXT = 65_536
"""Characters of a text that has no other limit."""
LONGEST_LIST = 500
LARGEST_INTEGER = 2_147_483_647
LARGEST_VERSION = 2**53 - 1
"""JSON clients read no larger number exactly."""
LARGEST_PAGE = 999_999_999
LARGEST_PAGE_SIZE = 100

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""What no text that is stored can have."""
_NOT_BLANK = r"[^\s\x1c-\x1f]"
"""A character that ``str.strip`` keeps; only Python counts U+001C to U+001F as white space."""

T = TypeVar("T")


class Obvious(str):
    """The description of a field whose name says enough for agents: ``tools/list`` has a budget, and omits it."""

    __slots__ = ()


class _NotNull:
    """Removes null from ``T | None``, so that ``None`` only stands for a field that was not sent."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        schema = handler(source)
        if schema["type"] != "nullable":
            raise TypeError(f"Omittable needs a type that admits None, not {source}")
        inner: core_schema.CoreSchema = schema["schema"]
        return inner


Omittable = Annotated[T | None, _NotNull()]
"""Can be left out, but must not be null."""


class _NullNotOffered:
    """Leaves null out of the schema of ``T | None``, which accepts it."""

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        shown = handler(schema)
        kinds = [kind for kind in shown.get("anyOf", ()) if kind != {"type": "null"}]
        return shown if len(kinds) != 1 else kinds[0]


Clearable = Annotated[T | None, _NullNotOffered()]
"""Null is accepted and not offered, because leaving the field out, or an empty text, says the same (openapi.null).

Generated clients send null for every field that was not set and that a schema calls nullable.
"""


class EnumValue:
    """Accepts the words of a ``StrEnum``, or only some of them; strict mode accepts only members."""

    def __init__(self, *only: StrEnum) -> None:
        self._only = only

    def __get_pydantic_core_schema__(
        self, source: type[StrEnum], handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        words = core_schema.literal_schema([word.value for word in self._only or source])
        return core_schema.no_info_after_validator_function(source, words)


def _refuse_over(most: int, text: str) -> str:
    if len(text) > most:
        raise PydanticCustomError("expected", "text of at most {most} characters", {"most": most})
    return text


def _refuse_unusable(text: str) -> str:
    # PostgreSQL cannot store NUL in a text, and UTF-8 cannot encode a lone surrogate.
    if UNSTORABLE.search(text):
        raise PydanticCustomError("expected", "text without NUL and lone surrogates")
    if has_long_mark_run(text):
        raise PydanticCustomError("expected", "text with at most {most} combining marks in a row", {"most": MOST_MARKS})
    return text


def null_is_empty(value: object) -> object:
    """Return the empty text for null, and any other value unchanged."""
    return "" if value is None else value


def blank_is_null(value: object) -> object:
    """Return ``None`` for a text of only white space, and any other value unchanged."""
    return None if isinstance(value, str) and not value.strip() else value


Usable = AfterValidator(_refuse_unusable)
"""In every text, before anything normalises it."""
_Unlisted = AfterValidator(partial(_refuse_over, LONGEST_TEXT))
"""A limit that no schema names, because ``tools/list`` has a size limit."""

BodyText = Annotated[str, AfterValidator(partial(_refuse_over, LONGEST_BODY)), Usable]
NonEmptyText = Annotated[BodyText, Field(min_length=1)]
"""A part of a body, which can be white space."""
Text = Annotated[str, _Unlisted, Usable]
ShortText = Annotated[str, Field(max_length=SHORT_TEXT), Usable]


def _refuse_blank_revision(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("expected", "the revision_identifier that was read, or its first 8 or more digits")
    return text


RevisionDigits = Annotated[ShortText, AfterValidator(_refuse_blank_revision)]
"""The identifier of a revision, or its first 8 or more digits."""
NonBlankText = Annotated[str, Field(pattern=_NOT_BLANK), _Unlisted, Usable]
Name = Annotated[str, Field(max_length=SHORT_TEXT, pattern=_NOT_BLANK), Usable]
StrippedName = Annotated[Name, AfterValidator(str.strip)]
"""The name of a record, without white space around it, so that it is found again."""
SlugText = Annotated[str, Field(max_length=MAX_SLUG_LENGTH), Usable]
LinkText = Annotated[str, Field(max_length=LINK_LENGTH), Usable]

TextOrEmpty = Annotated[Text, BeforeValidator(null_is_empty, json_schema_input_type=Text)]
"""Null is stored as the empty text; no schema offers it, as none does of the types below (``Clearable``)."""
BodyTextOrEmpty = Annotated[BodyText, BeforeValidator(null_is_empty, json_schema_input_type=BodyText)]
ShortTextOrEmpty = Annotated[ShortText, BeforeValidator(null_is_empty, json_schema_input_type=ShortText)]

TextOrNull = Annotated[Text | None, BeforeValidator(blank_is_null, json_schema_input_type=Text)]
"""A blank text is null."""
StrippedNameOrNull = Annotated[StrippedName | None, BeforeValidator(blank_is_null, json_schema_input_type=ShortText)]
ShortTextOrNull = Annotated[ShortText | None, BeforeValidator(blank_is_null, json_schema_input_type=ShortText)]


def _known_format(value: object) -> object:
    if isinstance(value, str) and value not in set(BodyFormat):
        accepted = [word.value for word in get_settings().body_formats]
        raise PydanticCustomError(
            "body_format_not_permitted", "{accepted}", {"accepted": " or ".join(accepted), "words": accepted}
        )
    return value


BodyFormatName = Annotated[BodyFormat, EnumValue(), BeforeValidator(_known_format)]
"""A format that the engine knows; the service refuses one that the blog does not accept."""


def _refuse_long_list(value: object) -> object:
    # Before the entries are validated: a fault for each of a million takes seconds.
    if isinstance(value, list) and len(value) > LONGEST_LIST:
        raise PydanticCustomError("expected", "a list of at most {most} entries", {"most": LONGEST_LIST})
    return value


Several = Annotated[tuple[T, ...], Field(strict=False, max_length=LONGEST_LIST), BeforeValidator(_refuse_long_list)]
"""A list of at most 500 entries; a tuple, because inputs are immutable."""

PositiveInteger = Annotated[int, Field(ge=1)]
SequenceNumber = Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]


def count_in_digits(value: object) -> object:
    """Return the number that a text of digits stands for, and any other value unchanged."""
    return int(value) if isinstance(value, str) and re.fullmatch("[1-9][0-9]{0,8}", value) else value


def _flag_in_words(value: object) -> object:
    """Return the boolean that ``true`` and ``false`` stand for in a query, and any other value unchanged."""
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


Flag = Annotated[bool, BeforeValidator(_flag_in_words, json_schema_input_type=bool)]
"""A boolean, or its word in a query."""


def _at_most_a_page(size: int) -> int:
    return min(size, LARGEST_PAGE_SIZE)


_Count = Annotated[int, Field(ge=1, le=LARGEST_PAGE)]
CountDigits = Annotated[str, Field(pattern="^[1-9][0-9]{0,8}$")]
PageNumber = Annotated[_Count, BeforeValidator(count_in_digits, json_schema_input_type=_Count | CountDigits)]
"""A whole number, or its digits as text."""
_VersionNumber = Annotated[int, Field(ge=0, le=LARGEST_VERSION)]
Version = Annotated[
    _VersionNumber, BeforeValidator(count_in_digits, json_schema_input_type=_VersionNumber | CountDigits)
]
"""The version of a post, as ``PageNumber``; 0 if there is none."""


def _refuse_number_of_page(value: object) -> object:
    if value is not None and not isinstance(value, str):
        raise PydanticCustomError("expected", "the next_cursor of an answer (page takes a number), or left out")
    return blank_is_null(value)


Cursor = Annotated[
    Clearable[ShortText], BeforeValidator(_refuse_number_of_page, json_schema_input_type=Clearable[ShortText])
]
"""The place in a list behind a page; blank is null, which is the first page."""
PageSize = Annotated[PageNumber, AfterValidator(_at_most_a_page)]
"""As ``PageNumber``; more than 100 becomes 100."""


def _number_is_text(value: object) -> str:
    if type(value) is int and value >= 1:
        return str(value)
    if not isinstance(value, str):
        raise PydanticCustomError("expected", "the number of a post (1 or more) or its slug")
    return value


_KeyText = Annotated[str, Field(min_length=1)]


def _possible_key(key: str) -> str:
    if "\x00" in key or len(key) > MAX_SLUG_LENGTH or has_long_mark_run(key):
        raise PydanticCustomError("not_found", "the id or the slug of a post")
    return key


@dataclass(frozen=True, slots=True)
class NamesPost:
    """Metadata of a field whose text is the id or the slug of a post."""


PostKey = Annotated[
    str,
    NamesPost(),
    Field(min_length=1),
    AfterValidator(_possible_key),
    BeforeValidator(_number_is_text, json_schema_input_type=PositiveInteger | _KeyText),
]
"""The id or the slug of a post, as text. A text that can be neither is ``not_found``."""

_OtherPost = Annotated[SlugText, BeforeValidator(_number_is_text)]
OtherPost = Annotated[
    _OtherPost | None,
    NamesPost(),
    BeforeValidator(blank_is_null, json_schema_input_type=PositiveInteger | SlugText | None),
]
"""The id or the slug of another post, as text; blank is null."""


_LARGEST_ID = 999_999_999_999_999_999
"""No row has an id with more digits."""


def _id_in_path(expected: str, value: object) -> object:
    if isinstance(value, str):
        may_be_one = re.fullmatch("[1-9][0-9]{0,17}", value) is not None
    else:
        may_be_one = not isinstance(value, int) or value <= _LARGEST_ID
    if not may_be_one:
        raise PydanticCustomError("not_found", "{expected}", {"expected": expected})
    return int(value) if isinstance(value, str) else value


_Id = Annotated[int, Field(ge=1, le=_LARGEST_ID)]


class NamedRecordKind(StrEnum):
    """A record beside posts that has a name and a slug."""

    CATEGORY = "category"
    AUTHOR = "author"
    SERIES = "series"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class NamesRecord:
    """Metadata of a field for the id of a record, whose name or slug callers send instead."""

    kind: NamedRecordKind


def _id_of(expected: str) -> BeforeValidator:
    return BeforeValidator(partial(_id_in_path, expected), json_schema_input_type=_Id)


CategoryId = Annotated[
    _Id,
    NamesRecord(NamedRecordKind.CATEGORY),
    _id_of("the number of a category, which is listed by blog_list_categories or GET /categories"),
]
"""A number, or its digits as in a path; any other text is ``not_found``. The same holds for the types below."""
AuthorId = Annotated[
    _Id,
    NamesRecord(NamedRecordKind.AUTHOR),
    _id_of("the number of an author, which is listed by blog_list_authors or GET /authors"),
]
SeriesId = Annotated[
    _Id,
    NamesRecord(NamedRecordKind.SERIES),
    _id_of("the number of a series, which is listed by blog_list_series or GET /series"),
]
TagId = Annotated[
    _Id,
    NamesRecord(NamedRecordKind.TAG),
    _id_of("the number of a tag, which is listed by blog_list_tags or GET /tags"),
]
ImageId = Annotated[
    _Id, _id_of("the number of an image, which is listed with images: true by blog_list_posts or GET /images")
]
RedirectId = Annotated[
    _Id, _id_of("the number of a redirect, which is listed by blog_list_redirects or GET /redirects")
]
ProposalId = Annotated[
    _Id, _id_of("the number of a proposal, which is listed by blog_get_post_records or GET /proposals")
]


def _shaped(slug: str | None, *, refusal: str) -> str | None:
    if slug is not None and not is_slug(slug):
        raise PydanticCustomError(
            refusal, "lower-case letters and digits joined by single - or _, such as my-first-post"
        )
    return slug


def _shaped_or_empty(slug: str) -> str | None:
    return _shaped(slug, refusal="expected") if slug.strip() else ""


_BlankIsNull = BeforeValidator(blank_is_null, json_schema_input_type=SlugText)
_PostShaped = AfterValidator(partial(_shaped, refusal="slug_not_supported"))

PostSlug = Annotated[SlugText | None, _BlankIsNull, _PostShaped]
"""The slug of a post: blank is null, another shape ``slug_not_supported``."""
RequiredSlug = Annotated[SlugText, _PostShaped]
"""As ``PostSlug``, but required: a blank one is ``slug_not_supported``."""

RecordSlug = Annotated[SlugText | None, _BlankIsNull, AfterValidator(partial(_shaped, refusal="expected"))]
"""The slug of another record: blank is null, another shape ``validation_failed``."""
PageSlug = Annotated[SlugText, AfterValidator(_shaped_or_empty)]
"""As ``RecordSlug``, but null is refused and blank is empty."""
