"""Types of input values."""

import re
from enum import StrEnum
from functools import partial
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from blog_engine.conf import get_settings
from blog_engine.content.text import MAX_SLUG_LENGTH, MOST_MARKS, has_long_mark_run, is_slug
from blog_engine.enums import BodyFormat

SHORT_TEXT = 255
LINK_LENGTH = 2048
LONGEST_BODY = 3 * 1024 * 1024
"""Of a body, in characters: what a request to the API has room for, whoever calls. The service asks for less."""
LONGEST_TEXT = 65_536
"""Of a text without a limit of its own: room for every description, answer or note, and a list of them stays small."""
LONGEST_LIST = 500
LARGEST_INTEGER = 2_147_483_647
LARGEST_PAGE = 999_999_999
LARGEST_PAGE_SIZE = 100

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NOT_BLANK = r"[^\s\x1c-\x1f]"
"""A character that ``str.strip`` keeps, in every dialect of patterns: only Python's counts U+001C to 1F as space."""

T = TypeVar("T")


class _NotNull:
    """Takes the null out of ``T | None``, so that ``None`` only means "was not sent"."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        schema = handler(source)
        if schema["type"] != "nullable":
            raise TypeError(f"Omittable needs a type that admits None, not {source}")
        inner: core_schema.CoreSchema = schema["schema"]
        return inner


Omittable = Annotated[T | None, _NotNull()]
"""May be left out, may not be null."""


class EnumValue:
    """Reads the words of a ``StrEnum``, or ``only`` some of them; strict mode would only take its members."""

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
    # PostgreSQL has no place for NUL in a text, UTF-8 none for half a surrogate pair.
    if _UNSTORABLE.search(text):
        raise PydanticCustomError("expected", "text without NUL and lone surrogates")
    if has_long_mark_run(text):
        raise PydanticCustomError("expected", "text with at most {most} combining marks in a row", {"most": MOST_MARKS})
    return text


def _null_is_empty(value: object) -> object:
    return "" if value is None else value


def blank_is_null(value: object) -> object:
    """Null for a text of nothing but white space, any other value unchanged."""
    return None if isinstance(value, str) and not value.strip() else value


_Usable = AfterValidator(_refuse_unusable)
"""In every text of a caller, before anything normalises it."""
_Unlisted = AfterValidator(partial(_refuse_over, LONGEST_TEXT))
"""A bound that no schema tells: ``tools/list`` has no room for it in every tool."""

BodyText = Annotated[str, AfterValidator(partial(_refuse_over, LONGEST_BODY)), _Usable]
Text = Annotated[str, _Unlisted, _Usable]
ShortText = Annotated[str, Field(max_length=SHORT_TEXT), _Usable]
NonBlankText = Annotated[str, Field(pattern=_NOT_BLANK), _Unlisted, _Usable]
Name = Annotated[str, Field(max_length=SHORT_TEXT, pattern=_NOT_BLANK), _Usable]
StrippedName = Annotated[Name, AfterValidator(str.strip)]
"""The name of a record, without margins: a post in ``"Garden"`` would never find one called ``" Garden "``."""
SlugText = Annotated[str, Field(max_length=MAX_SLUG_LENGTH), _Usable]
LinkText = Annotated[str, Field(max_length=LINK_LENGTH), _Usable]

TextOrEmpty = Annotated[Text, BeforeValidator(_null_is_empty, json_schema_input_type=Text | None)]
"""Null is stored as the empty text."""
BodyTextOrEmpty = Annotated[BodyText, BeforeValidator(_null_is_empty, json_schema_input_type=BodyText | None)]
ShortTextOrEmpty = Annotated[ShortText, BeforeValidator(_null_is_empty, json_schema_input_type=ShortText | None)]

TextOrNull = Annotated[Text | None, BeforeValidator(blank_is_null, json_schema_input_type=Text | None)]
"""A blank text is null."""
StrippedNameOrNull = Annotated[
    StrippedName | None, BeforeValidator(blank_is_null, json_schema_input_type=ShortText | None)
]
ShortTextOrNull = Annotated[ShortText | None, BeforeValidator(blank_is_null, json_schema_input_type=ShortText | None)]


def _known_format(value: object) -> object:
    if isinstance(value, str) and value not in set(BodyFormat):
        accepted = [word.value for word in get_settings().body_formats]
        raise PydanticCustomError(
            "body_format_not_permitted", "{accepted}", {"accepted": " or ".join(accepted), "words": accepted}
        )
    return value


BodyFormatName = Annotated[BodyFormat, EnumValue(), BeforeValidator(_known_format)]
"""A format that the engine knows; whether this blog accepts it, the service decides. Hints name what it accepts."""


def _refuse_long_list(value: object) -> object:
    # Before the entries are looked at: a fault for each of a million takes seconds.
    if isinstance(value, list) and len(value) > LONGEST_LIST:
        raise PydanticCustomError("expected", "a list of at most {most} entries", {"most": LONGEST_LIST})
    return value


Several = Annotated[tuple[T, ...], Field(strict=False, max_length=LONGEST_LIST), BeforeValidator(_refuse_long_list)]
"""A list of at most 500 entries; a tuple, so that the input stays frozen to its depth."""

PositiveInteger = Annotated[int, Field(ge=1)]
SequenceNumber = Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]


def count_in_digits(value: object) -> object:
    """The number of which a text is the digits, any other value unchanged."""
    return int(value) if isinstance(value, str) and re.fullmatch("[1-9][0-9]{0,8}", value) else value


def _at_most_a_page(size: int) -> int:
    return min(size, LARGEST_PAGE_SIZE)


_Count = Annotated[int, Field(ge=1, le=LARGEST_PAGE)]
CountDigits = Annotated[str, Field(pattern="^[1-9][0-9]{0,8}$")]
PageNumber = Annotated[_Count, BeforeValidator(count_in_digits, json_schema_input_type=_Count | CountDigits)]
"""A whole number, or its digits as text (records.md 7)."""
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


PostKey = Annotated[
    str,
    Field(min_length=1),
    AfterValidator(_possible_key),
    BeforeValidator(_number_is_text, json_schema_input_type=PositiveInteger | _KeyText),
]
"""The id or the slug of a post, as text. What can be neither is ``not_found``: a longer text, NUL, as in a path
(decisions.md 9.13), and more than 30 combining marks in a row."""


_LARGEST_ID = 999_999_999_999_999_999
"""More digits can be no row's id."""


def _id_in_address(one: str, several: str, value: object) -> object:
    if isinstance(value, str):
        may_be_one = re.fullmatch("[1-9][0-9]{0,17}", value) is not None
    else:
        may_be_one = not isinstance(value, int) or value <= _LARGEST_ID
    if not may_be_one:
        raise PydanticCustomError(
            "not_found",
            "the number of {one}, which is listed by blog_list_{several} or GET /{several}",
            {"one": one, "several": several},
        )
    return int(value) if isinstance(value, str) else value


_Id = Annotated[int, Field(ge=1, le=_LARGEST_ID)]


def _id_of(one: str, several: str) -> BeforeValidator:
    return BeforeValidator(partial(_id_in_address, one, several), json_schema_input_type=_Id)


CategoryId = Annotated[_Id, _id_of("a category", "categories")]
"""In an address, and so as text everywhere, anything but a number is ``not_found``; the same holds for the others."""
AuthorId = Annotated[_Id, _id_of("an author", "authors")]
SeriesId = Annotated[_Id, _id_of("a series", "series")]
RedirectId = Annotated[_Id, _id_of("a redirect", "redirects")]


def _shaped(slug: str | None, *, refusal: str) -> str | None:
    if slug is not None and not is_slug(slug):
        raise PydanticCustomError(
            refusal, "lower-case letters and digits joined by single - or _, such as my-first-post"
        )
    return slug


def _shaped_or_empty(slug: str) -> str | None:
    return _shaped(slug, refusal="expected") if slug.strip() else ""


_BlankIsNull = BeforeValidator(blank_is_null, json_schema_input_type=SlugText | None)
_PostShaped = AfterValidator(partial(_shaped, refusal="slug_not_supported"))

PostSlug = Annotated[SlugText | None, _BlankIsNull, _PostShaped]
"""The slug of a post: blank is null, another shape ``slug_not_supported``."""
RequiredSlug = Annotated[SlugText, _PostShaped]
"""As ``PostSlug`` where there must be one: a blank one has another shape."""

RecordSlug = Annotated[SlugText | None, _BlankIsNull, AfterValidator(partial(_shaped, refusal="expected"))]
"""The slug of another record: blank is null, another shape a fault of the field."""
PageSlug = Annotated[SlugText, AfterValidator(_shaped_or_empty)]
"""As ``RecordSlug`` where null is refused: blank is empty."""
