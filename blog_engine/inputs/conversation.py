"""Inputs of the conversation about a post (``docs/contract/reviews.md``)."""

from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.inputs.base import FaultsDotted, Input
from blog_engine.inputs.edits import ExpectedState
from blog_engine.inputs.posts import UpdatePost
from blog_engine.inputs.types import (
    Clearable,
    EnumValue,
    NonBlankText,
    Obvious,
    Omittable,
    PageNumber,
    PostKey,
    Text,
)

LONGEST_REMARK: Final = 4_000
"""Characters of what is said in one entry."""
LONGEST_PASSAGE: Final = 1_000


def _refuse_long_remark(text: str) -> str:
    return _at_most(text, LONGEST_REMARK)


def _refuse_long_passage(text: str) -> str:
    return _at_most(text, LONGEST_PASSAGE)


def _at_most(text: str, most: int) -> str:
    if len(text) > most:
        raise PydanticCustomError("expected", "text of at most {most} characters", {"most": most})
    return text


Note = Annotated[Text, AfterValidator(_refuse_long_remark)]
"""What is said, or nothing."""
RemarkText = Annotated[NonBlankText, AfterValidator(_refuse_long_remark)]
Passage = Annotated[Text, AfterValidator(_refuse_long_passage)]


class _AboutPost(ExpectedState):
    """A post, and its state that the caller read."""

    id: PostKey = Field(description="Id or slug.")


class RequestReview(_AboutPost):
    """Ask for a review, anyone or one person; a later request replaces the first."""

    note: Note = Field("", description="What the reviewer should know.")
    person: Text = Field("", description="User name, full name or id of the person who is asked; empty for anyone.")


class ReturnReview(_AboutPost):
    """Send a post back to its writers."""

    note: RemarkText = Field(description="What they should change.")


class AddRemark(_AboutPost):
    """Remark on a post, or on a passage of its body."""

    text: RemarkText = Field(description="What is said.")
    passage: Passage = Field("", description="A quotation from the body; empty for none.")


class AnswerRemark(_AboutPost):
    """Answer an entry of the conversation."""

    remark: PageNumber = Field(description="Id of the entry.")
    text: RemarkText = Field(description="What is said.")


class ResolveRemark(_AboutPost):
    """Resolve a remark."""

    remark: PageNumber = Field(description="Id of the remark.")


class ReviewAction(StrEnum):
    """A step of the conversation over the API and tools."""

    REQUEST = "request"
    CANCEL = "cancel"
    RETURN = "return"
    REMARK = "remark"
    ANSWER = "answer"
    RESOLVE = "resolve"


_TAKES: Final = {
    ReviewAction.REQUEST: {"text", "person"},
    ReviewAction.CANCEL: set[str](),
    ReviewAction.RETURN: {"text"},
    ReviewAction.REMARK: {"text", "passage"},
    ReviewAction.ANSWER: {"text", "remark"},
    ReviewAction.RESOLVE: {"remark"},
}
_NEEDS: Final = {
    ReviewAction.RETURN: {"text"},
    ReviewAction.REMARK: {"text"},
    ReviewAction.ANSWER: {"text", "remark"},
    ReviewAction.RESOLVE: {"remark"},
}


class ReviewStep(Input):
    """One step of the conversation, as the API and tools take it (reviews.step)."""

    action: Annotated[ReviewAction, EnumValue()] = Field(description=Obvious("The step."))
    text: Omittable[RemarkText] = Field(None, description=Obvious("What is said."))
    person: Omittable[NonBlankText] = Field(None, description="Who is asked, for request.")
    passage: Omittable[Passage] = Field(None, description="Quotation from the body, for remark.")
    remark: Omittable[PageNumber] = Field(None, description="Id of the entry, for answer and resolve.")

    @model_validator(mode="after")
    def _fits_the_action(self) -> Self:
        sent = self.model_fields_set - {"action"}
        if sent - _TAKES[self.action] or _NEEDS.get(self.action, set()) - sent:
            raise PydanticCustomError("expected", "{fields}", {"fields": _expected(self.action)})
        return self


def _expected(action: ReviewAction) -> str:
    needed = _NEEDS.get(action, set())
    takes = [name if name in needed else f"{name} if wanted" for name in sorted(_TAKES[action])]
    return f"with action {action}: {', '.join(takes) or 'nothing else'}"


class UpdateOrReview(UpdatePost):
    """Edit a post and keep its state, or take one step of its review."""

    review: Annotated[Clearable[ReviewStep], FaultsDotted()] = Field(
        None,
        description="Alone: ask for a review, send back, or remark, answer and resolve; the records of the post have "
        "the conversation.",
    )
