"""Inputs of careful writes: expected versions, changes of passages, and dry runs."""

from collections.abc import Mapping
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.content.edits import Addition, Replacement, TextEdit
from blog_engine.inputs.base import Input
from blog_engine.inputs.types import (
    BodyText,
    Flag,
    Name,
    NonEmptyText,
    Obvious,
    Omittable,
    RevisionDigits,
    SequenceNumber,
    Several,
    Version,
)


class ExpectedState(Input):
    """The state of a stored post that the caller read; another revision or version is ``revision_mismatch``."""

    expected_revision: Omittable[RevisionDigits] = Field(
        None, description=Obvious("The revision_identifier that you read.")
    )
    expected_version: Omittable[Version] = Field(None, description="version as you read it; 0: only create.")


class WithDryRun(Input):
    """A write that can be tried."""

    dry_run: Flag = Field(False, description=Obvious("Whether to answer only what the call would do."))


def _refuse_all_occurrences(value: object) -> object:
    if isinstance(value, str):
        raise PydanticCustomError("expected", "a whole number from 1; send an edit for each place, or more of old")
    return value


_Occurrence = Annotated[SequenceNumber, BeforeValidator(_refuse_all_occurrences, json_schema_input_type=SequenceNumber)]


class BodyEdit(Input):
    """One change of a stored body, in exactly one of three forms (posts.edits.forms)."""

    old: Omittable[NonEmptyText] = Field(None, description="Passage to replace, exactly as stored.")
    new: Omittable[BodyText] = Field(None, description="What replaces old, or comes after the heading.")
    occurrence: Omittable[_Occurrence] = Field(
        None, description="Which occurrence of old, from 1; needed if there are several."
    )
    append: Omittable[NonEmptyText] = Field(None, description="What comes after the end of the body.")
    after_heading: Omittable[Name] = Field(None, description="The id or the text of the heading that new comes after.")

    @model_validator(mode="before")
    @classmethod
    def _of_what_says_something(cls, sent: object) -> object:
        """Leave out what is empty or null beside the field that decides the form: clients fill all of them."""
        if not isinstance(sent, Mapping):
            return sent
        decides = next((name for name in _DECIDES if not _is_empty(sent.get(name))), None)
        if decides is None:
            return sent
        kept = {"old", "new"} if decides == "old" else {decides}
        return {
            name: value
            for name, value in sent.items()
            if name not in cls.model_fields or not _is_empty(value) or (name in kept and value is not None)
        }

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        sent = self.model_fields_set
        if sent - {"occurrence"} not in ({"old", "new"}, {"append"}, {"after_heading", "new"}) or (
            "occurrence" in sent and "old" not in sent
        ):
            raise PydanticCustomError(
                "expected",
                "old and new, with occurrence if old is there several times; append; or after_heading and new",
            )
        return self


_DECIDES: Final = ("old", "after_heading", "append")


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def text_edit(sent: BodyEdit) -> TextEdit:
    """Return the change of a text that was sent."""
    if sent.old is not None:
        return Replacement(sent.old, sent.new or "", sent.occurrence)
    return Addition(sent.append or sent.new or "", heading=sent.after_heading)


MOST_EDITS = 100
"""In one write: each is looked for in the whole body."""


def _refuse_many_edits(edits: tuple[BodyEdit, ...]) -> tuple[BodyEdit, ...]:
    if not 1 <= len(edits) <= MOST_EDITS:
        raise PydanticCustomError("expected", "a list of 1 to {most} edits", {"most": MOST_EDITS})
    return edits


BodyEdits = Annotated[Several[BodyEdit], AfterValidator(_refuse_many_edits)]
