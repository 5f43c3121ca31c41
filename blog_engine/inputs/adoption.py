"""The input of an adoption."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from blog_engine.enums import Provenance
from blog_engine.errors import ApprovalIncomplete
from blog_engine.inputs.base import FaultsDotted, Input, RefusedAs
from blog_engine.inputs.formats import Day, FeedId, Timestamp
from blog_engine.inputs.posts import ConnectionsInput, ContentFields
from blog_engine.inputs.types import (
    BodyFormatName,
    BodyText,
    Clearable,
    EnumValue,
    Name,
    NonBlankText,
    Obvious,
    Omittable,
    RequiredSlug,
    Several,
    TextOrNull,
)


class OldSlug(Input):
    """A former slug of the article."""

    slug: RequiredSlug = Field(description="The former slug.")
    moved_on: Clearable[Day] = Field(None, description="Day of the move; the day of the adoption when unknown.")


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
"""Slugs, or objects with ``slug`` and ``moved_on``; identical ones count once."""


class _Review(Input):
    """The fields of every earlier approval."""

    reviewer_name: Annotated[Name, RefusedAs(ApprovalIncomplete)] = Field(description="Who reviewed the article.")
    facts_checked: Annotated[bool, RefusedAs(ApprovalIncomplete)] = Field(description="Whether the facts were checked.")
    approved_at: Timestamp = Field(description="When it was approved, with offset.")


class Declaration(_Review):
    """An approval that no record proves, declared by a person who vouches for it."""

    declared_by: Name = Field(description="Who declares it.")
    declared_on: Day = Field(description="Day of the declaration.")
    declared_first_published_at: Clearable[Timestamp] = Field(
        None, description="When it was first published, if there is no evidence; not with first_published_at."
    )


class ImportedApproval(_Review):
    """An approval that a record of the other system proves."""

    evidence: NonBlankText = Field(description="The record in the other system.")
    confirmed_by: Name = Field(description="Who confirmed that record.")


def _refuse_blank(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise PydanticCustomError("expected", "text that is not blank")
    return value


def _refuse_other_than_digest(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise PydanticCustomError("expected", "64 lower-case hexadecimal digits")
    return text


_NotBlank = BeforeValidator(_refuse_blank)
_Digest = Annotated[
    str, AfterValidator(_refuse_other_than_digest), Field(json_schema_extra={"pattern": "^[0-9a-f]{64}$"})
]
_Connections = Annotated[Omittable[ConnectionsInput], FaultsDotted()]
_Declaration = Annotated[Omittable[Declaration], FaultsDotted(), RefusedAs(ApprovalIncomplete)]
_ImportedApproval = Annotated[Omittable[ImportedApproval], FaultsDotted(), RefusedAs(ApprovalIncomplete)]
_OldSlugs = Annotated[Omittable[OldSlugs], FaultsDotted()]


class AdoptPost(ContentFields):
    """An article of another system as it is public now; content that is left out is empty (``adoption.cleared``)."""

    title: Name = Field(description=Obvious("Headline."))
    body: BodyText = Field(description=Obvious("The text, in the body format; may be empty."))
    body_format: Annotated[BodyFormatName, _NotBlank] = Field(description=Obvious("Format of the body."))
    slug: Annotated[RequiredSlug, _NotBlank] = Field(description="Last part of its URL: a-z, 0-9, single hyphens.")
    provenance: Annotated[Provenance, EnumValue()] = Field(
        Provenance.UNKNOWN, description=Obvious("Who wrote the content.")
    )
    provenance_evidence: TextOrNull = Field(
        None, description=Obvious("How that is known; needed for a known provenance without declaration.")
    )
    source_system: Name = Field(description=Obvious("The system that the article comes from."))
    source_id: Name = Field(description="Its id there; the two find the article again.")
    source_body_sha256: Clearable[_Digest] = Field(None, description=Obvious("SHA-256 of the original body."))
    old_slugs: _OldSlugs = Field(None, description="Former slugs, which redirect here.")
    feed_id: Omittable[FeedId] = Field(None, description="Its id in the feeds there: a URI.")
    category_description: TextOrNull = Field(None, description=Obvious("Description for a category that has none."))
    first_published_at: Clearable[Timestamp] = Field(None, description="First publication; kept only with evidence.")
    first_published_evidence: TextOrNull = Field(None, description=Obvious("How that time is known."))
    last_modified_at: Clearable[Timestamp] = Field(None, description="Last change; kept only with evidence.")
    last_modified_evidence: TextOrNull = Field(None, description=Obvious("How that time is known."))
    declaration: _Declaration = Field(None, description="An earlier approval that a person declares.")
    imported_approval: _ImportedApproval = Field(None, description="An earlier approval, from the other system.")
    connections: _Connections = Field(None, description=Obvious("Declaration of business connections."))
    dry_run: bool = Field(False, description=Obvious("Only show what would be stored."))

    @model_validator(mode="wrap")
    @classmethod
    def _fit_together(cls, sent: object, read: ModelWrapValidatorHandler[Self]) -> Self:
        # Not "after": an invalid field would hide those that contradict each other.
        clashes = list(_clashes(sent)) if isinstance(sent, Mapping) else []
        try:
            data = read(sent)
        except ValidationError as error:
            faults = [_raisable(fault) for fault in error.errors(include_url=False)]
            raise ValidationError.from_exception_data(cls.__name__, [*faults, *clashes]) from error
        if clashes:
            raise ValidationError.from_exception_data(cls.__name__, clashes)
        return data


def _clashes(sent: Mapping[str, object]) -> Iterator[InitErrorDetails]:
    """Yield the fields that contradict each other, whether or not each is valid."""
    declaration = sent.get("declaration")
    if declaration is not None and sent.get("imported_approval") is not None:
        for name in ("declaration", "imported_approval"):
            yield _clash("the only one of declaration and imported_approval", name)
    if sent.get("first_published_at") is not None and _inside(declaration, "declared_first_published_at") is not None:
        yield _clash("left out when first_published_at is sent", "declaration", "declared_first_published_at")
    is_claimed = sent.get("provenance") in (Provenance.AI_ASSISTED, Provenance.HUMAN_WRITTEN)
    if is_claimed and declaration is None and not str(sent.get("provenance_evidence") or "").strip():
        yield _clash("sent, to say how the provenance is known", "provenance_evidence")
    old_slugs = sent.get("old_slugs")
    for one in old_slugs if isinstance(old_slugs, list | tuple) else ():
        old = one if isinstance(one, str) else _inside(one, "slug")
        if isinstance(old, str) and old == sent.get("slug"):
            yield _clash("another one than slug", "old_slugs", "slug")


def _inside(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _clash(words: str, *loc: str) -> InitErrorDetails:
    return InitErrorDetails(type=PydanticCustomError("validation_failed", words), loc=loc, input=loc)


def _raisable(fault: ErrorDetails) -> InitErrorDetails:
    """Return a fault of pydantic's list in the form in which it can be raised again."""
    kind = PydanticCustomError(fault["type"], fault["msg"], fault.get("ctx"))
    return InitErrorDetails(type=kind, loc=fault["loc"], input=fault["input"])
