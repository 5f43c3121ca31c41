"""Inputs of the surface report (records.md 16)."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from blog_engine.inputs.base import Input
from blog_engine.inputs.types import CountDigits, Omittable, PostKey, Words, count_in_digits
from blog_engine.vocabulary import ReportRows, ReportScope

LAST_PAGE = 1_000_000
MOST_POSTS = 50

_Size = Annotated[int, Field(ge=1, le=MOST_POSTS)]
_Number = Annotated[int, Field(ge=1, le=LAST_PAGE)]
_Scope = Annotated[ReportScope, Words()]


def _flag_in_words(value: object) -> object:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


class SurfaceReportOf(Input):
    """What a report looks at. Which scope needs a post, the operation says."""

    scope: _Scope = Field(ReportScope.SITE, description="all: posts and site.")
    post: Omittable[PostKey] = Field(None, description="Id or slug, for scope post.")
    page: Annotated[_Number, BeforeValidator(count_in_digits, json_schema_input_type=_Number | CountDigits)] = Field(
        1, description="Page of the posts."
    )
    per_page: Annotated[_Size, BeforeValidator(count_in_digits, json_schema_input_type=_Size | CountDigits)] = Field(
        MOST_POSTS, description="Posts a page, at most 50."
    )
    reach: Annotated[bool, BeforeValidator(_flag_in_words, json_schema_input_type=bool)] = Field(
        False, description="Fetch over the network, and try crawlers' ways."
    )
    show: Annotated[ReportRows, Words()] = Field(
        ReportRows.PROBLEMS, description="problems: results that fail or are not verified; counts has them all."
    )


class SurfaceReportInForm(SurfaceReportOf):
    """The same, and the form of the answer."""

    format: Literal["json", "text"] = Field(
        "json", description="Form of the answer; text, too, for a client whose first accepted type is text/plain."
    )
