"""Inputs of the page-view reports (records.md 17)."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from blog_engine.inputs.base import Input
from blog_engine.inputs.times import Day
from blog_engine.inputs.types import CountDigits, PostKey, count_in_digits

MOST_DAYS = 36_500
MOST_POSTS = 100

_Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]
_Limit = Annotated[int, Field(ge=1, le=MOST_POSTS)]


class ViewsOfPost(Input):
    """The days of which to count the views of a post, both included."""

    id: PostKey = Field(description="Id or slug of the post.")
    from_: Day | None = Field(None, alias="from", description="First day (UTC); 29 days before the last, unless sent.")
    to: Day | None = Field(None, description="Last day (UTC); today, unless sent.")


class TopViews(Input):
    """How far back to count, and how many posts to name."""

    days: Annotated[_Days, BeforeValidator(count_in_digits, json_schema_input_type=_Days | CountDigits)] = Field(
        30, description="Days that count, today included (UTC)."
    )
    limit: Annotated[_Limit, BeforeValidator(count_in_digits, json_schema_input_type=_Limit | CountDigits)] = Field(
        5, description="Posts to name."
    )
