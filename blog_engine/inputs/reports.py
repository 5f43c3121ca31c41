"""Inputs of reports, page views, FAQ extraction and pagination."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from blog_engine.enums import ReportRows, ReportScope
from blog_engine.inputs.base import Input
from blog_engine.inputs.formats import Day
from blog_engine.inputs.types import (
    BodyText,
    Clearable,
    CountDigits,
    Cursor,
    EnumValue,
    Flag,
    Obvious,
    Omittable,
    PageNumber,
    PageSize,
    PostKey,
    Several,
    Text,
    count_in_digits,
)

MOST_DAYS = 36_500
MOST_POPULAR_POSTS = 100

_Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]
_Limit = Annotated[int, Field(ge=1, le=MOST_POPULAR_POSTS)]


class ViewsOfPost(Input):
    """The post, and the first and the last day whose views to count."""

    id: PostKey = Field(description=Obvious("Id or slug."))
    from_: Clearable[Day] = Field(None, alias="from", description="First day (UTC); default: 29 days before the last.")
    to: Clearable[Day] = Field(None, description="Last day (UTC); default: today.")


class DisclosureIn(Input):
    """The first and the last day of a disclosure report."""

    from_: Day = Field(alias="from", description="First day, in the time zone of the site.")
    to: Day = Field(description="Last day, which is part of the period.")


class TopViews(Input):
    """The number of days to count, and of posts to list."""

    days: Annotated[_Days, BeforeValidator(count_in_digits, json_schema_input_type=_Days | CountDigits)] = Field(
        30, description="Days to count, today included (UTC)."
    )
    limit: Annotated[_Limit, BeforeValidator(count_in_digits, json_schema_input_type=_Limit | CountDigits)] = Field(
        5, description=Obvious("Posts to name.")
    )


LAST_PAGE = 1_000_000
MOST_POSTS = 50

_Size = Annotated[int, Field(ge=1, le=MOST_POSTS)]
_Number = Annotated[int, Field(ge=1, le=LAST_PAGE)]
_Scope = Annotated[ReportScope, EnumValue()]


class SurfaceReportOf(Input):
    """The scope of a report; the operation refuses a scope without its post."""

    scope: _Scope = Field(ReportScope.SITE, description="all: posts and site.")
    post: Omittable[PostKey] = Field(None, description="Id or slug, for scope post.")
    page: Annotated[_Number, BeforeValidator(count_in_digits, json_schema_input_type=_Number | CountDigits)] = Field(
        1, description=Obvious("Page of the posts.")
    )
    per_page: Annotated[_Size, BeforeValidator(count_in_digits, json_schema_input_type=_Size | CountDigits)] = Field(
        MOST_POSTS, description=Obvious("Posts per page, at most 50.")
    )
    reach: Flag = Field(False, description="Fetch over the network, and try crawlers' ways.")
    show: Annotated[ReportRows, EnumValue()] = Field(
        ReportRows.PROBLEMS, description="problems: results that fail or are not verified; counts has them all."
    )


class SurfaceReportInForm(SurfaceReportOf):
    """The scope of a report, and the format of the answer."""

    format: Literal["json", "text"] = Field(
        "json",
        description="Format of the answer; default: text if text/plain is the first type that the client accepts.",
    )


class ExtractFaq(Input):
    """A Markdown body, and the level 2 headings in it that are questions outside an FAQ section."""

    named_together: ClassVar[bool] = True

    body: BodyText = Field(description=Obvious("The Markdown text to look through."))
    standalone_questions: Several[Text] = Field(
        (), description="Level 2 headings, exactly as written, that are questions outside an FAQ section."
    )


class GetSchema(Input):
    """The format of the OpenAPI document."""

    format: Literal["json", "yaml"] = Field("json", description="json or yaml.")


class Paged(Input):
    """One page of a list; a page past the end is empty."""

    page: PageNumber = Field(1, description=Obvious("Page, from 1."))
    per_page: PageSize = Field(25, description=Obvious("Entries per page, at most 100."))
    cursor: Cursor = Field(None, description="next_cursor, instead of page.")
