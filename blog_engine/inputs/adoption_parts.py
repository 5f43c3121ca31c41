"""The objects inside an adoption: former slugs, and the two kinds of earlier approval (records.md 12)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.errors import ApprovalIncomplete
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.slugs import RequiredSlug
from blog_engine.inputs.times import Day, Timestamp
from blog_engine.inputs.types import Name, NonBlankText, Several


class OldSlug(Input):
    """A slug under which the article was to be found before."""

    slug: RequiredSlug = Field(description="The former slug.")
    moved_on: Day | None = Field(None, description="Day of the move; the day of the adoption when unknown.")


def _read_old_slug(value: object) -> object:
    if isinstance(value, str):
        return {"slug": value}
    if isinstance(value, Mapping) and value.keys() <= {"slug", "moved_on"} and not isinstance(value.get("slug"), str):
        raise PydanticCustomError("expected", "a list of slugs, or of objects with slug and moved_on")
    return value


def _each_once(slugs: tuple[OldSlug, ...]) -> tuple[OldSlug, ...]:
    kept = {(one.slug, one.moved_on): one for one in slugs}
    if len({slug for slug, _ in kept}) < len(kept):
        raise PydanticCustomError("expected", "a list that names one day for a slug")
    return tuple(kept.values())


OldSlugs = Annotated[
    Several[Annotated[OldSlug, BeforeValidator(_read_old_slug, json_schema_input_type=RequiredSlug | OldSlug)]],
    AfterValidator(_each_once),
]
"""Slugs, or objects with ``slug`` and ``moved_on``; identical ones collapse."""


class _Review(Input):
    """What every earlier approval says."""

    reviewer_name: Annotated[Name, RefusedAs(ApprovalIncomplete)] = Field(description="Who reviewed the article.")
    facts_checked: Annotated[bool, RefusedAs(ApprovalIncomplete)] = Field(description="Whether the facts were checked.")
    approved_at: Timestamp = Field(description="When it was approved, with offset.")


class Declaration(_Review):
    """An approval that no record proves, declared by a person who answers for it."""

    declared_by: Name = Field(description="Who declares it.")
    declared_on: Day = Field(description="Day of the declaration.")
    declared_first_published_at: Timestamp | None = Field(
        None, description="When it was first published, if no evidence tells; not with first_published_at."
    )


class ImportedApproval(_Review):
    """An approval that a record of the other system proves."""

    evidence: NonBlankText = Field(description="The record in the other system.")
    confirmed_by: Name = Field(description="Who confirmed that record.")
