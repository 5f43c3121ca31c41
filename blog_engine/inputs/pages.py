"""Inputs of the policy pages (records.md 11)."""

from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.inputs.base import Input
from blog_engine.inputs.slugs import PageSlug
from blog_engine.inputs.times import Day
from blog_engine.inputs.types import BodyText, Name, Omittable, ShortTextOrNull, Words
from blog_engine.vocabulary import PolicyKind, PolicyStatus

_KINDS = ", ".join(PolicyKind)


def _stored_kind(value: object) -> object:
    if isinstance(value, str) and value not in set(PolicyKind):
        raise PydanticCustomError("not_found", f"one of {_KINDS}", {"words": [*PolicyKind]})
    return value


_Kind = Annotated[PolicyKind, Words()]


class PageRef(Input):
    """One policy page; another kind than the four is ``not_found``."""

    kind: Annotated[_Kind, BeforeValidator(_stored_kind, json_schema_input_type=_Kind)] = Field(
        description=f"Which policy: {_KINDS}."
    )


class SavePage(Input):
    """Create or edit a policy page; another kind than the four is a fault of the field (decisions.md 8.7)."""

    kind: _Kind = Field(description=f"Which policy: {_KINDS}.")
    title: Omittable[Name] = Field(None, description="Headline; a new page needs it.")
    body: Omittable[BodyText] = Field(None, description="The policy in your own words, in Markdown.")
    status: Omittable[Annotated[PolicyStatus, Words()]] = Field(None, description="published shows it to readers.")
    slug: Omittable[PageSlug] = Field(None, description="Address part; the kind's own unless told.")
    approved_by: ShortTextOrNull = Field(None, description="Who approved the text, if a person really did.")
    approved_on: Day | None = Field(None, description="Date of the approval; today when only approved_by is sent.")
